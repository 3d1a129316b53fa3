// SPDX-License-Identifier: Apache-2.0
// Octets that nobody else may see: on pages of their own, read by closure, wiped when the value ends.
import CPlatform

/// There was no memory for a secret, or libcrypto refused a call that only a lack of memory lets it refuse.
package struct OutOfMemory: Error, Equatable { package init() {} }

/// Why AES-GCM sealed or opened nothing.
package enum SealError: Error, Equatable {
    /// The text, its associated data or its tag is not what was sealed under this key.
    case notAuthentic
    case outOfMemory
}

/// A secret of fixed length. It cannot be copied; its pages are locked, left out of core dumps, empty in a
/// forked child, and wiped by `deinit`. Interpolating one into a string does not compile.
@safe public struct Secret: ~Copyable, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    /// How many octets there are.
    package let count: Int

    /// Makes a secret of `count` zero octets and lets `fill` write it; whatever `fill` throws, the pages are
    /// wiped and given back.
    package init(count: Int) throws(OutOfMemory) {
        guard count >= 0, let pages = unsafe mpin_secret_alloc(count) else { throw OutOfMemory() }
        unsafe self.base = pages
        self.count = count
    }

    /// Takes the octets over from memory that its owner wipes.
    package init(copying octets: RawSpan) throws(OutOfMemory) {
        try self.init(count: octets.byteCount)
        withMutableBytes { own in
            for index in 0..<octets.byteCount {
                let octet = unsafe octets.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                own.storeBytes(of: octet, toByteOffset: index, as: UInt8.self)
            }
        }
    }

    /// Public octets and a secret, one after the other.
    package init(joining octets: [UInt8], _ secret: borrowing Secret) throws(OutOfMemory) {
        try self.init(count: octets.count + secret.count)
        withMutableBytes { own in
            secret.withBytes { rest in
                for index in octets.indices {
                    own.storeBytes(of: octets[index], toByteOffset: index, as: UInt8.self)
                }
                for index in 0..<rest.byteCount {
                    let octet = unsafe rest.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                    own.storeBytes(of: octet, toByteOffset: octets.count + index, as: UInt8.self)
                }
            }
        }
    }

    /// The octets, for as long as `body` runs.
    package borrowing func withBytes<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try body(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: base, count: count)))
    }

    /// The octets, to be written, for as long as `body` runs.
    package mutating func withMutableBytes<R: ~Copyable, E: Error>(
        _ body: (inout MutableRawSpan) throws(E) -> R
    ) throws(E) -> R {
        var span = unsafe MutableRawSpan(
            _unsafeBytes: UnsafeMutableRawBufferPointer(start: base, count: count))
        return try body(&span)
    }

    /// For a C function that reads the octets.
    package borrowing func withPointer<R, E: Error>(
        _ body: (UnsafePointer<UInt8>, Int) throws(E) -> R
    ) throws(E) -> R {
        unsafe try body(UnsafePointer(base.assumingMemoryBound(to: UInt8.self)), count)
    }

    /// For a C function that writes the octets.
    package mutating func withMutablePointer<R, E: Error>(
        _ body: (UnsafeMutablePointer<UInt8>, Int) throws(E) -> R
    ) throws(E) -> R {
        unsafe try body(base.assumingMemoryBound(to: UInt8.self), count)
    }

    deinit { unsafe mpin_secret_free(base, count) }
}

/// Overwrites what functions that have returned left on the stack: numbers computed from a secret are on no
/// page of their own while they are computed with. Where the work is to be covered it is done out of line.
package func clearStack() { mpin_clear_stack() }
