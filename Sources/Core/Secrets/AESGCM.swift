// SPDX-License-Identifier: Apache-2.0
// AES-256-GCM (NIST SP 800-38D) with libcrypto.
import CCrypto

/// The nonce has 12 octets and must never be used twice under one key. The tag is the last 16 octets of the
/// sealed text.
package enum AESGCM {
    static let tagCount = 16

    /// The encrypted text, followed by the tag. `key` must have 32 octets and `nonce` 12; otherwise throws
    /// `notAuthentic`.
    package static func seal(
        _ text: borrowing Secret, key: borrowing Secret, nonce: [UInt8], associated: [UInt8]
    ) throws(SealError) -> [UInt8] {
        guard key.count == 32, nonce.count == 12 else { throw .notAuthentic }
        var sealed = [UInt8](repeating: 0, count: text.count + tagCount)
        let done = unsafe sealed.withUnsafeMutableBufferPointer { out in
            unsafe text.withPointer { bytes, count in
                unsafe run(
                    encrypt: true, key: key, nonce: nonce, associated: associated, input: bytes, count: count,
                    output: out.baseAddress
                ) { context in
                    unsafe EVP_CIPHER_CTX_ctrl(
                        context, EVP_CTRL_GCM_GET_TAG, CInt(tagCount), out.baseAddress?.advanced(by: count))
                        == 1
                }
            }
        }
        guard done else { throw .outOfMemory }
        return sealed
    }

    /// The text, if it was sealed with the same key, nonce and associated octets; otherwise throws
    /// `notAuthentic`.
    package static func open(
        _ sealed: [UInt8], key: borrowing Secret, nonce: [UInt8], associated: [UInt8]
    ) throws(SealError) -> Secret {
        guard key.count == 32, nonce.count == 12, sealed.count >= tagCount else { throw .notAuthentic }
        var text: Secret
        do { text = try Secret(count: sealed.count - tagCount) } catch { throw .outOfMemory }
        var tag = [UInt8](sealed.suffix(tagCount))
        let authentic = unsafe text.withMutablePointer { out, count in
            unsafe sealed.withUnsafeBufferPointer { bytes in
                unsafe run(
                    encrypt: false, key: key, nonce: nonce, associated: associated, input: bytes.baseAddress,
                    count: count, output: out
                ) { context in
                    unsafe tag.withUnsafeMutableBufferPointer { tag in
                        unsafe EVP_CIPHER_CTX_ctrl(
                            context, EVP_CTRL_GCM_SET_TAG, CInt(tagCount), tag.baseAddress) == 1
                    }
                }
            }
        }
        guard authentic else { throw .notAuthentic }
        return text
    }

    /// Processes the associated data and the text. `tagStep` runs after the last block when encrypting and
    /// before it when decrypting, as libcrypto requires.
    private static func run(
        encrypt: Bool, key: borrowing Secret, nonce: [UInt8], associated: [UInt8],
        input: UnsafePointer<UInt8>?, count: Int, output: UnsafeMutablePointer<UInt8>?,
        tagStep: (OpaquePointer) -> Bool
    ) -> Bool {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return false }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let started = unsafe key.withPointer { keyBytes, _ in
            unsafe nonce.withUnsafeBufferPointer { nonce in
                unsafe EVP_CipherInit_ex(
                    context, EVP_aes_256_gcm(), nil, keyBytes, nonce.baseAddress, encrypt ? 1 : 0) == 1
            }
        }
        guard started else { return false }
        var written: CInt = 0
        let bound = unsafe associated.withUnsafeBufferPointer { data in
            unsafe data.isEmpty
                || EVP_CipherUpdate(context, nil, &written, data.baseAddress, CInt(data.count)) == 1
        }
        guard bound, unsafe EVP_CipherUpdate(context, output, &written, input, CInt(count)) == 1 else {
            return false
        }
        if !encrypt { guard unsafe tagStep(context) else { return false } }
        var tail = InlineArray<16, UInt8>(repeating: 0)
        var span = tail.mutableSpan
        let ended = unsafe span.withUnsafeMutableBufferPointer {
            unsafe EVP_CipherFinal_ex(context, $0.baseAddress, &written) == 1
        }
        guard ended else { return false }
        return unsafe !encrypt || tagStep(context)
    }
}
