// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104) in Swift, for the browser, which has no libcrypto.
// On other platforms only the tests call this code: they compare it with libcrypto.
import CPlatform

/// This module's cryptographic primitives, written in Swift.
package enum Portable {
    /// Writes SHA-256 of the octets to `digest`, which has 32 octets.
    package static func sha256(_ octets: RawSpan, into digest: inout MutableRawSpan) {
        unsafe withWipedWords(Hash.wordCount) { words in
            var hash = unsafe Hash(words)
            hash.add(octets)
            hash.end(into: &digest)
        }
    }

    /// Writes HMAC-SHA-256 of the octets to `tag`, which has 32 octets.
    package static func hmac(key: RawSpan, _ octets: RawSpan, into tag: inout MutableRawSpan) {
        unsafe withWipedWords(MAC.wordCount) { words in
            var mac = unsafe MAC(key: key, words)
            mac.add(octets)
            mac.end(into: &tag)
        }
    }

    /// Runs `body` with temporary memory of `count` words, which is zero at first and wiped afterwards.
    static func withWipedWords(_ count: Int, _ body: (UnsafeMutableBufferPointer<UInt32>) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count) { words in
            unsafe words.initialize(repeating: 0)
            unsafe body(words)
            if let base = words.baseAddress { unsafe explicit_bzero(base, words.count * 4) }
        }
    }
}

extension Portable {
    /// The state of one SHA-256 computation, in memory that its owner wipes.
    @safe struct Hash: ~Copyable {
        /// Eight words of state, then the 64 words of the message schedule, whose first 16 are the block.
        static let wordCount = 72

        private let words: UnsafeMutableBufferPointer<UInt32>
        private var count: UInt64 = 0

        /// - Parameter words: at least `wordCount` words.
        init(_ words: UnsafeMutableBufferPointer<UInt32>) {
            unsafe self.words = words
            for index in 0..<8 { unsafe words[index] = initialState[index] }
        }

        mutating func add(_ octets: RawSpan) {
            for index in octets.byteOffsets {
                add(unsafe octets.unsafeLoad(fromByteOffset: index, as: UInt8.self))
            }
        }

        @inline(__always)
        mutating func add(_ octet: UInt8) {
            let place = 8 + Int(truncatingIfNeeded: count &>> 2 & 15)
            unsafe words[place] = words[place] &<< 8 | UInt32(octet)
            count &+= 1
            if count & 63 == 0 { compress() }
        }

        /// - Parameter digest: at least 32 octets.
        mutating func end(into digest: inout MutableRawSpan) {
            let bits = count &<< 3
            add(0x80)
            while count & 63 != 56 { add(0) }
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                add(UInt8(truncatingIfNeeded: bits &>> shift))
            }
            for index in 0..<32 {
                let octet = unsafe words[index &>> 2] &>> UInt32(24 &- 8 &* (index & 3))
                digest.storeBytes(
                    of: UInt8(truncatingIfNeeded: octet), toByteOffset: index, as: UInt8.self)
            }
        }

        private func compress() {
            for index in 24..<72 {
                let (x, y) = unsafe (words[index - 15], words[index - 2])
                let low = rotated(x, 7) ^ rotated(x, 18) ^ x &>> 3
                let high = rotated(y, 17) ^ rotated(y, 19) ^ y &>> 10
                unsafe words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
            }
            var (a, b, c, d) = unsafe (words[0], words[1], words[2], words[3])
            var (e, f, g, h) = unsafe (words[4], words[5], words[6], words[7])
            for index in 0..<64 {
                let mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
                let first = unsafe h &+ mixed &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index + 8]
                let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ (a & b ^ a & c ^ b & c)
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ second)
            }
            unsafe words[0] &+= a
            unsafe words[1] &+= b
            unsafe words[2] &+= c
            unsafe words[3] &+= d
            unsafe words[4] &+= e
            unsafe words[5] &+= f
            unsafe words[6] &+= g
            unsafe words[7] &+= h
        }
    }

    /// The state of one HMAC computation, in memory that its owner wipes.
    @safe struct MAC: ~Copyable {
        /// The words of both hashes, the padded key and the inner digest.
        static let wordCount = 2 * Hash.wordCount + 16 + 8

        private var inner: Hash
        private var outer: Hash
        private let rest: UnsafeMutableRawBufferPointer

        /// - Parameter words: at least `wordCount` words, all zero.
        init(key: RawSpan, _ words: UnsafeMutableBufferPointer<UInt32>) {
            let size = Hash.wordCount
            let pad = unsafe UnsafeMutableRawBufferPointer(
                UnsafeMutableBufferPointer(rebasing: words[(2 * size)..<MAC.wordCount]))
            if key.byteCount > 64 {
                var hash = unsafe Hash(UnsafeMutableBufferPointer(rebasing: words[0..<size]))
                hash.add(key)
                var span = unsafe MutableRawSpan(_unsafeBytes: pad)
                hash.end(into: &span)
            } else {
                for index in key.byteOffsets {
                    unsafe pad[index] = key.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                }
            }
            unsafe rest = pad
            inner = unsafe Hash(UnsafeMutableBufferPointer(rebasing: words[0..<size]))
            outer = unsafe Hash(UnsafeMutableBufferPointer(rebasing: words[size..<2 * size]))
            for index in 0..<64 {
                inner.add(unsafe pad[index] ^ 0x36)
                outer.add(unsafe pad[index] ^ 0x5c)
            }
        }

        mutating func add(_ octets: RawSpan) { inner.add(octets) }
        mutating func add(_ octet: UInt8) { inner.add(octet) }

        /// - Parameter tag: at least 32 octets.
        mutating func end(into tag: inout MutableRawSpan) {
            var digest = unsafe MutableRawSpan(
                _unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: rest[64..<96]))
            inner.end(into: &digest)
            outer.add(digest.bytes)
            outer.end(into: &tag)
        }
    }
}

@inline(__always)
private func rotated(_ word: UInt32, _ by: UInt32) -> UInt32 { word &>> by | word &<< (32 &- by) }

private let initialState: InlineArray<8, UInt32> = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
]

private let constants: InlineArray<64, UInt32> = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
