// SPDX-License-Identifier: Apache-2.0
// Secret octets: on memory pages of their own, read only inside closures, wiped when the value ends.
import CPlatform

/// There was no memory for a secret, or a call of libcrypto failed that can fail only for lack of memory.
package struct OutOfMemory: Error, Equatable { package init() {} }

/// Why AES-GCM failed to seal or open a text.
package enum SealError: Error, Equatable {
    /// The text, its associated data or its tag is not what was sealed under this key and nonce, or a length
    /// is wrong.
    case notAuthentic
    case outOfMemory
}

/// A secret of fixed length. It cannot be copied. Its pages are locked if the system permits it, left out of
/// core dumps, zeroed in a forked child, and wiped by `deinit`. Interpolating one into a string does not
/// compile.
@safe public struct Secret: ~Copyable, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    /// The number of octets.
    package let count: Int

    /// Makes a secret of `count` zero octets.
    package init(count: Int) throws(OutOfMemory) {
        guard count >= 0, let pages = unsafe mpin_secret_alloc(count) else { throw OutOfMemory() }
        unsafe self.base = pages
        self.count = count
    }

    /// Copies the octets from memory that the caller must wipe.
    package init(copying octets: RawSpan) throws(OutOfMemory) {
        try self.init(count: octets.byteCount)
        withMutableBytes { own in
            for index in 0..<octets.byteCount {
                let octet = unsafe octets.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                own.storeBytes(of: octet, toByteOffset: index, as: UInt8.self)
            }
        }
    }

    /// Makes a secret of public octets followed by another secret.
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

    /// Runs `body` with the octets, which it can read.
    package borrowing func withBytes<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try body(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: base, count: count)))
    }

    /// Runs `body` with the octets, which it can write.
    package mutating func withMutableBytes<R: ~Copyable, E: Error>(
        _ body: (inout MutableRawSpan) throws(E) -> R
    ) throws(E) -> R {
        var span = unsafe MutableRawSpan(
            _unsafeBytes: UnsafeMutableRawBufferPointer(start: base, count: count))
        return try body(&span)
    }

    /// Runs `body` with a pointer to the octets and their number, for a C function that reads them.
    package borrowing func withPointer<R, E: Error>(
        _ body: (UnsafePointer<UInt8>, Int) throws(E) -> R
    ) throws(E) -> R {
        unsafe try body(UnsafePointer(base.assumingMemoryBound(to: UInt8.self)), count)
    }

    /// Runs `body` with a pointer to the octets and their number, for a C function that writes them.
    package mutating func withMutablePointer<R, E: Error>(
        _ body: (UnsafeMutablePointer<UInt8>, Int) throws(E) -> R
    ) throws(E) -> R {
        unsafe try body(base.assumingMemoryBound(to: UInt8.self), count)
    }

    deinit { unsafe mpin_secret_free(base, count) }
}

/// Overwrites what functions that have returned left on the stack: intermediate values of a computation with
/// a secret are not on pages of their own. The function whose stack is to be overwritten must not be inlined.
package func clearStack() { mpin_clear_stack() }
