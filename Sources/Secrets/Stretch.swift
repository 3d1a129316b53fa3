// SPDX-License-Identifier: Apache-2.0
// scrypt (RFC 7914), by libcrypto: what makes a guess at a PIN cost as much as the PIN deserves.
#if !arch(wasm32)
    import CCrypto
#endif

/// The cost of one stretching, as it stands in the token (`pin-rule = scrypt N r p salt`).
package struct StretchCost: Sendable, Equatable {
    /// N: blocks of memory, a power of two.
    package let blocks: Int
    /// r: size of a block, in 128 octets.
    package let blockSize: Int
    /// p: how often the whole is done.
    package let passes: Int

    /// What enrolment writes.
    package static let standard = StretchCost(blocks: 1 << 14, blockSize: 8, passes: 1)

    private init(blocks: Int, blockSize: Int, passes: Int) {
        self.blocks = blocks
        self.blockSize = blockSize
        self.passes = passes
    }

    /// Parameters read from a file, nil outside what this host accepts: N 2^14 to 2^17, r 8, p 1 to 16.
    package init?(n: Int, r: Int, p: Int) {
        guard (1 << 14...1 << 17).contains(n), n & (n - 1) == 0, r == 8, (1...16).contains(p) else {
            return nil
        }
        self.init(blocks: n, blockSize: r, passes: p)
    }

    /// Memory that scrypt may take, in octets: 128 r (N + p) for its tables, and a MiB for itself.
    var memory: Int { 128 * blockSize * (blocks + passes + 2) + 1 << 20 }
}

/// `count` octets out of a PIN and a salt. A failed allocation is an error, never a smaller cost.
package func stretch(
    _ pin: borrowing Secret, salt: [UInt8], cost: StretchCost, count: Int
) throws(OutOfMemory) -> Secret {
    var out = try Secret(count: count)
    let done = unsafe out.withMutablePointer { key, keyCount in
        unsafe pin.withPointer { pinBytes, pinCount in
            unsafe salt.withUnsafeBufferPointer { salt in
                unsafe EVP_PBE_scrypt(
                    UnsafeRawPointer(pinBytes).assumingMemoryBound(to: CChar.self), pinCount,
                    salt.baseAddress, salt.count, UInt64(cost.blocks), UInt64(cost.blockSize),
                    UInt64(cost.passes), UInt64(cost.memory), key, keyCount)
            }
        }
    }
    guard done == 1 else { throw OutOfMemory() }
    return out
}
