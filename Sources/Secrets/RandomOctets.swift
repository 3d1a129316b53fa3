// SPDX-License-Identifier: Apache-2.0
// Random octets, from libcrypto's generator, which the system's seeds and which reseeds after a fork.
#if !arch(wasm32)
    import CCrypto
#endif

/// The generator could not be seeded; nothing that needed randomness may go on.
package struct NoRandomness: Error, Equatable { package init() {} }

/// Public random octets: nonces, salts, session names.
package func randomOctets(_ count: Int) throws(NoRandomness) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: count)
    let done = unsafe octets.withUnsafeMutableBufferPointer { out in
        unsafe RAND_bytes(out.baseAddress, CInt(truncatingIfNeeded: out.count)) == 1
    }
    guard done else { throw NoRandomness() }
    return octets
}

extension Secret {
    /// Fills the secret from the generator that libcrypto keeps for private values.
    package mutating func randomize() throws(NoRandomness) {
        let done = unsafe withMutablePointer { out, count in
            unsafe RAND_priv_bytes(out, CInt(truncatingIfNeeded: count)) == 1
        }
        guard done else { throw NoRandomness() }
    }
}
