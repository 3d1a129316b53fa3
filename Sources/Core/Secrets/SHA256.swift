// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104) with libcrypto.
#if !arch(wasm32)
    import CCrypto
#endif

/// SHA-256 of public octets: 32 octets.
package func sha256(_ octets: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe digest.withUnsafeMutableBufferPointer { out in
        unsafe octets.withUnsafeBufferPointer { bytes in
            _ = unsafe SHA256(bytes.baseAddress, bytes.count, out.baseAddress)
        }
    }
    return digest
}

/// HMAC-SHA-256 of public octets under a secret key, as a public tag of 32 octets.
package func hmac(key: borrowing Secret, _ octets: [UInt8]) throws(OutOfMemory) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: 32)
    let made = unsafe tag.withUnsafeMutableBufferPointer { out in
        unsafe out.baseAddress.map { unsafe hmac(key: key, octets, into: $0) } ?? false
    }
    guard made else { throw OutOfMemory() }
    return tag
}

/// HMAC-SHA-256 of public octets under a secret key, as another secret of 32 octets.
package func derive(key: borrowing Secret, _ octets: [UInt8]) throws(OutOfMemory) -> Secret {
    var derived = try Secret(count: 32)
    let made = unsafe derived.withMutablePointer { out, _ in unsafe hmac(key: key, octets, into: out) }
    guard made else { throw OutOfMemory() }
    return derived
}

private func hmac(key: borrowing Secret, _ octets: [UInt8], into out: UnsafeMutablePointer<UInt8>) -> Bool {
    unsafe key.withPointer { keyBytes, keyCount in
        unsafe octets.withUnsafeBufferPointer { bytes in
            unsafe HMAC(EVP_sha256(), keyBytes, CInt(keyCount), bytes.baseAddress, bytes.count, out, nil)
                != nil
        }
    }
}

/// SHA-256 of secret octets, as 32 public octets. Use it only for a secret that cannot be guessed.
package func sha256(_ secret: borrowing Secret) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe digest.withUnsafeMutableBufferPointer { out in
        unsafe secret.withPointer { bytes, count in _ = unsafe SHA256(bytes, count, out.baseAddress) }
    }
    return digest
}

/// HMAC-SHA-256 of secret octets under a secret key, as a public tag of 32 octets.
package func hmac(key: borrowing Secret, _ secret: borrowing Secret) throws(OutOfMemory) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: 32)
    let made = unsafe tag.withUnsafeMutableBufferPointer { out in
        unsafe key.withPointer { keyBytes, keyCount in
            unsafe secret.withPointer { bytes, count in
                unsafe HMAC(EVP_sha256(), keyBytes, CInt(keyCount), bytes, count, out.baseAddress, nil)
                    != nil
            }
        }
    }
    guard made else { throw OutOfMemory() }
    return tag
}

/// Whether two arrays of octets are equal, in a time that depends only on their lengths.
package func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe a.withUnsafeBufferPointer { a in
        unsafe b.withUnsafeBufferPointer { b in
            unsafe CRYPTO_memcmp(a.baseAddress, b.baseAddress, a.count) == 0
        }
    }
}

/// Whether two secrets are equal, in a time that depends only on their lengths.
package func constantTimeEqual(_ a: borrowing Secret, _ b: borrowing Secret) -> Bool {
    unsafe a.withPointer { a, aCount in
        unsafe b.withPointer { b, bCount in unsafe aCount == bCount && CRYPTO_memcmp(a, b, aCount) == 0 }
    }
}
