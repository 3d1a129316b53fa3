// SPDX-License-Identifier: Apache-2.0
// scrypt (RFC 7914) with libcrypto, which makes each guess at a PIN slow.
#if !arch(wasm32)
    import CCrypto
#endif

/// The cost parameters of stretching, as stored with a token (`pin-rule = scrypt N r p salt`).
package struct StretchCost: Sendable, Equatable {
    /// N: the number of blocks in memory, a power of two.
    package let blocks: Int
    /// r: the size of a block, in units of 128 octets.
    package let blockSize: Int
    /// p: how often the whole computation is done.
    package let passes: Int

    /// The cost of new enrolments.
    package static let standard = StretchCost(blocks: 1 << 14, blockSize: 8, passes: 1)

    private init(blocks: Int, blockSize: Int, passes: Int) {
        self.blocks = blocks
        self.blockSize = blockSize
        self.passes = passes
    }

    /// Parameters read from a file; nil outside the accepted range: N is a power of two from 2^14 to 2^17, r
    /// is 8, p is 1 to 16.
    package init?(n: Int, r: Int, p: Int) {
        guard (1 << 14...1 << 17).contains(n), n & (n - 1) == 0, r == 8, (1...16).contains(p) else {
            return nil
        }
        self.init(blocks: n, blockSize: r, passes: p)
    }

    /// The memory limit for scrypt in octets: 128 r (N + p + 2) for its tables, and 1 MiB for other needs.
    var memory: Int { 128 * blockSize * (blocks + passes + 2) + 1 << 20 }
}

/// Stretches a PIN with a salt by scrypt to `count` octets. A failed allocation is an error and never lowers
/// the cost.
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
