// SPDX-License-Identifier: Apache-2.0
// Random octets from libcrypto's generator. The system's generator seeds it, and it reseeds after a fork.
#if !arch(wasm32)
    import CCrypto
#endif

/// The generator could not be seeded; the operation that needs randomness must fail.
package struct NoRandomness: Error, Equatable { package init() {} }

/// `count` public random octets, for nonces, salts and names of sessions.
package func randomOctets(_ count: Int) throws(NoRandomness) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: count)
    let done = unsafe octets.withUnsafeMutableBufferPointer { out in
        unsafe RAND_bytes(out.baseAddress, CInt(truncatingIfNeeded: out.count)) == 1
    }
    guard done else { throw NoRandomness() }
    return octets
}

extension Secret {
    /// Fills the secret with random octets from libcrypto's separate generator for private values.
    package mutating func randomize() throws(NoRandomness) {
        let done = unsafe withMutablePointer { out, count in
            unsafe RAND_priv_bytes(out, CInt(truncatingIfNeeded: count)) == 1
        }
        guard done else { throw NoRandomness() }
    }
}
