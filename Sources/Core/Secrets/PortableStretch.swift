// SPDX-License-Identifier: Apache-2.0
// scrypt (RFC 7914) in Swift, for the browser, which has no libcrypto.

extension Portable {
    /// Fills `key` with the scrypt of a PIN and a salt.
    /// - Parameters:
    ///   - blocks: N, a power of two from 2 to 2^17.
    ///   - blockSize: r, 1 to 8.
    ///   - passes: p, 1 to 16.
    /// - Returns: false for other parameters, or if there is not enough memory.
    package static func scrypt(
        _ pin: RawSpan, salt: RawSpan, blocks: Int, blockSize: Int, passes: Int,
        into key: inout MutableRawSpan
    ) -> Bool {
        let fits = (2...1 << 17).contains(blocks) && blocks & (blocks - 1) == 0
        guard fits, (1...8).contains(blockSize), (1...16).contains(passes) else { return false }
        let size = 128 * blockSize
        guard var lanes = try? Secret(count: size * passes), var mixed = try? Secret(count: 2 * size),
            var table = try? Secret(count: size * blocks)
        else { return false }
        lanes.withMutableBytes { lanes in derive(pin, salt, into: &lanes) }
        unsafe lanes.withMutablePointer { lanes, _ in
            unsafe mixed.withMutablePointer { mixed, _ in
                unsafe table.withMutablePointer { table, _ in
                    let mixer = unsafe Mixer(
                        x: words(mixed), table: words(table), words: size / 4, blocks: blocks)
                    for pass in 0..<passes { unsafe mixer.mix(words(lanes + pass * size)) }
                }
            }
        }
        lanes.withBytes { lanes in derive(pin, lanes, into: &key) }
        return true
    }

    /// PBKDF2-HMAC-SHA-256 (RFC 8018) with one iteration.
    private static func derive(_ pin: RawSpan, _ salt: RawSpan, into out: inout MutableRawSpan) {
        var position = 0
        var number: UInt32 = 1
        while position < out.byteCount {
            let part = min(32, out.byteCount - position)
            unsafe withWipedWords(MAC.wordCount + 8) { memory in
                let macMemory = unsafe UnsafeMutableBufferPointer(rebasing: memory[0..<MAC.wordCount])
                var mac = unsafe MAC(key: pin, macMemory)
                mac.add(salt)
                for shift: UInt32 in [24, 16, 8, 0] { mac.add(UInt8(truncatingIfNeeded: number &>> shift)) }
                let block = unsafe UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: memory[MAC.wordCount...]))
                var span = unsafe MutableRawSpan(_unsafeBytes: block)
                mac.end(into: &span)
                for index in 0..<part {
                    out.storeBytes(of: unsafe block[index], toByteOffset: position + index, as: UInt8.self)
                }
            }
            position += part
            number &+= 1
        }
    }

    private static func words(_ octets: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt32> {
        unsafe UnsafeMutableRawPointer(octets).assumingMemoryBound(to: UInt32.self)
    }
}

/// scryptROMix (RFC 7914, section 5). The words of blocks are little-endian, like all processors for which
/// this is built.
@safe private struct Mixer {
    /// Two blocks, one after the other.
    let x: UnsafeMutablePointer<UInt32>
    let table: UnsafeMutablePointer<UInt32>
    /// The number of words in a block.
    let words: Int
    let blocks: Int

    func mix(_ lane: UnsafeMutablePointer<UInt32>) {
        let y = unsafe x + words
        unsafe x.update(from: lane, count: words)
        for index in stride(from: 0, to: blocks, by: 2) {
            unsafe (table + index * words).update(from: x, count: words)
            unsafe mixBlock(x, y)
            unsafe (table + (index + 1) * words).update(from: y, count: words)
            unsafe mixBlock(y, x)
        }
        for _ in 0..<blocks / 2 {
            unsafe add(to: x)
            unsafe mixBlock(x, y)
            unsafe add(to: y)
            unsafe mixBlock(y, x)
        }
        unsafe lane.update(from: x, count: words)
    }

    /// XORs a block of the table onto `block`; the last part of `block` gives the index (Integerify).
    private func add(to block: UnsafeMutablePointer<UInt32>) {
        let index = unsafe Int(truncatingIfNeeded: block[words - 16]) & (blocks - 1)
        let from = unsafe table + index &* words
        for word in 0..<words { unsafe block[word] ^= from[word] }
    }

    /// scryptBlockMix (RFC 7914, section 4) with Salsa20/8: even parts go to the first half of `out`, odd
    /// ones to the second.
    private func mixBlock(_ block: UnsafeMutablePointer<UInt32>, _ out: UnsafeMutablePointer<UInt32>) {
        var state = unsafe Salsa(block + (words - 16))
        let parts = words / 16
        for part in 0..<parts {
            unsafe state.add(block + part &* 16)
            state.mix()
            unsafe state.store(to: out + (part &>> 1 &+ (part & 1) &* (parts &>> 1)) &* 16)
        }
    }
}

/// The sixteen words of Salsa20/8.
private struct Salsa {
    private var x0, x1, x2, x3: UInt32
    private var x4, x5, x6, x7: UInt32
    private var x8, x9, x10, x11: UInt32
    private var x12, x13, x14, x15: UInt32

    @inline(__always)
    init(_ words: UnsafeMutablePointer<UInt32>) {
        (x0, x1, x2, x3) = unsafe (words[0], words[1], words[2], words[3])
        (x4, x5, x6, x7) = unsafe (words[4], words[5], words[6], words[7])
        (x8, x9, x10, x11) = unsafe (words[8], words[9], words[10], words[11])
        (x12, x13, x14, x15) = unsafe (words[12], words[13], words[14], words[15])
    }

    @inline(__always)
    mutating func add(_ words: UnsafeMutablePointer<UInt32>) {
        unsafe x0 ^= words[0]
        unsafe x1 ^= words[1]
        unsafe x2 ^= words[2]
        unsafe x3 ^= words[3]
        unsafe x4 ^= words[4]
        unsafe x5 ^= words[5]
        unsafe x6 ^= words[6]
        unsafe x7 ^= words[7]
        unsafe x8 ^= words[8]
        unsafe x9 ^= words[9]
        unsafe x10 ^= words[10]
        unsafe x11 ^= words[11]
        unsafe x12 ^= words[12]
        unsafe x13 ^= words[13]
        unsafe x14 ^= words[14]
        unsafe x15 ^= words[15]
    }

    @inline(__always)
    func store(to words: UnsafeMutablePointer<UInt32>) {
        unsafe (words[0], words[1], words[2], words[3]) = (x0, x1, x2, x3)
        unsafe (words[4], words[5], words[6], words[7]) = (x4, x5, x6, x7)
        unsafe (words[8], words[9], words[10], words[11]) = (x8, x9, x10, x11)
        unsafe (words[12], words[13], words[14], words[15]) = (x12, x13, x14, x15)
    }

    @inline(__always)
    mutating func mix() {
        let old = self
        for _ in 0..<4 {
            quarter(&x0, &x4, &x8, &x12)
            quarter(&x5, &x9, &x13, &x1)
            quarter(&x10, &x14, &x2, &x6)
            quarter(&x15, &x3, &x7, &x11)
            quarter(&x0, &x1, &x2, &x3)
            quarter(&x5, &x6, &x7, &x4)
            quarter(&x10, &x11, &x8, &x9)
            quarter(&x15, &x12, &x13, &x14)
        }
        sum(old)
    }

    @inline(__always)
    private mutating func sum(_ old: Salsa) {
        x0 &+= old.x0
        x1 &+= old.x1
        x2 &+= old.x2
        x3 &+= old.x3
        x4 &+= old.x4
        x5 &+= old.x5
        x6 &+= old.x6
        x7 &+= old.x7
        x8 &+= old.x8
        x9 &+= old.x9
        x10 &+= old.x10
        x11 &+= old.x11
        x12 &+= old.x12
        x13 &+= old.x13
        x14 &+= old.x14
        x15 &+= old.x15
    }
}

@inline(__always)
private func quarter(_ a: inout UInt32, _ b: inout UInt32, _ c: inout UInt32, _ d: inout UInt32) {
    b ^= rotated(a &+ d, 7)
    c ^= rotated(b &+ a, 9)
    d ^= rotated(c &+ b, 13)
    a ^= rotated(d &+ c, 18)
}

@inline(__always)
private func rotated(_ word: UInt32, _ by: UInt32) -> UInt32 { word &<< by | word &>> (32 &- by) }
