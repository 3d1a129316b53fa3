// SPDX-License-Identifier: Apache-2.0
// Replacements for the functions of libcrypto that this target calls, for the browser, which has no
// libcrypto. Random octets come from crypto.getRandomValues. AES-GCM is missing: a phone has no host key, so
// it opens and seals nothing.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
#if arch(wasm32)
    import CPlatform

    func SHA256(
        _ octets: UnsafePointer<UInt8>?, _ count: Int, _ digest: UnsafeMutablePointer<UInt8>?
    ) -> Bool {
        var out = unsafe MutableRawSpan(_unsafeBytes: memory(digest, 32))
        Portable.sha256(unsafe RawSpan(_unsafeBytes: memory(octets, count)), into: &out)
        return true
    }

    func EVP_sha256() -> Bool { true }

    func HMAC(
        _ hash: Bool, _ key: UnsafePointer<UInt8>?, _ keyCount: CInt, _ octets: UnsafePointer<UInt8>?,
        _ count: Int, _ tag: UnsafeMutablePointer<UInt8>?, _ tagCount: UnsafeMutablePointer<UInt32>?
    ) -> UnsafeMutablePointer<UInt8>? {
        var out = unsafe MutableRawSpan(_unsafeBytes: memory(tag, 32))
        Portable.hmac(
            key: unsafe RawSpan(_unsafeBytes: memory(key, Int(keyCount))),
            unsafe RawSpan(_unsafeBytes: memory(octets, count)), into: &out)
        return unsafe tag
    }

    func EVP_PBE_scrypt(
        _ pin: UnsafePointer<CChar>?, _ pinCount: Int, _ salt: UnsafePointer<UInt8>?, _ saltCount: Int,
        _ n: UInt64, _ r: UInt64, _ p: UInt64, _ limit: UInt64, _ key: UnsafeMutablePointer<UInt8>?,
        _ keyCount: Int
    ) -> CInt {
        var out = unsafe MutableRawSpan(_unsafeBytes: memory(key, keyCount))
        let octets = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: pin, count: pinCount))
        let done = Portable.scrypt(
            octets, salt: unsafe RawSpan(_unsafeBytes: memory(salt, saltCount)),
            blocks: Int(truncatingIfNeeded: n),
            blockSize: Int(truncatingIfNeeded: r), passes: Int(truncatingIfNeeded: p), into: &out)
        return done ? 1 : 0
    }

    /// Zero for equal octets, in a time that depends only on their number.
    func CRYPTO_memcmp(_ a: UnsafePointer<UInt8>?, _ b: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        let (a, b) = unsafe (memory(a, count), memory(b, count))
        var differences: UInt64 = 0
        for index in 0..<count {
            differences = unsafe mpin_opaque(differences | UInt64(a[index] ^ b[index]))
        }
        return CInt(truncatingIfNeeded: differences)
    }

    func RAND_bytes(_ out: UnsafeMutablePointer<UInt8>?, _ count: CInt) -> CInt {
        unsafe mpin_page_random(out, count)
        return 1
    }

    func RAND_priv_bytes(_ out: UnsafeMutablePointer<UInt8>?, _ count: CInt) -> CInt {
        unsafe RAND_bytes(out, count)
    }

    /// The page seals nothing: every call throws `notAuthentic`.
    package enum AESGCM {
        /// Always throws `notAuthentic`.
        package static func seal(
            _ text: borrowing Secret, key: borrowing Secret, nonce: [UInt8], associated: [UInt8]
        ) throws(SealError) -> [UInt8] { throw .notAuthentic }

        /// Always throws `notAuthentic`.
        package static func open(
            _ sealed: [UInt8], key: borrowing Secret, nonce: [UInt8], associated: [UInt8]
        ) throws(SealError) -> Secret { throw .notAuthentic }
    }

    private func memory(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: octets, count: count)
    }

    private func memory(
        _ octets: UnsafeMutablePointer<UInt8>?, _ count: Int
    ) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: octets, count: count)
    }
#endif
