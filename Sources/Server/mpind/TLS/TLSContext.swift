// SPDX-License-Identifier: Apache-2.0
// A certificate, its key and the rules of TLS, for libssl. A connection keeps those that it began with.
import CSSL
import MPinServer

@safe final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Without a certificate.
    private init() throws(SetupError) {
        guard let made = unsafe mpin_ssl_context() else {
            throw SetupError("libssl cannot be used (\(libcryptoReason())).")
        }
        unsafe pointer = made
    }

    /// - Parameter certificate: a file of the server's own certificate, which is the first, and of those that
    ///   lead to its CA.
    convenience init(certificate: String, key: String) throws(SetupError) {
        try checkPrivateKeyFile(key)
        try self.init()
        guard unsafe SSL_CTX_use_certificate_chain_file(pointer, certificate) == 1 else {
            throw SetupError(
                "`tls-certificate` \(certificate) cannot be read as certificates in PEM"
                    + " (\(libcryptoReason())).")
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(pointer, key, SSL_FILETYPE_PEM) == 1,
            unsafe SSL_CTX_check_private_key(pointer) == 1
        else {
            throw SetupError(
                "`tls-key` \(key) is not a PEM key, or not the key of the first certificate in"
                    + " `tls-certificate` \(certificate).")
        }
    }

    deinit { unsafe SSL_CTX_free(pointer) }

    /// The same certificate, with another key of session tickets.
    func withOtherTicketKey() throws(SetupError) -> TLSContext {
        let other = try TLSContext()
        guard unsafe mpin_ssl_copy_certificate(other.pointer, pointer) == 1 else {
            throw SetupError("The certificate cannot be copied (\(libcryptoReason())).")
        }
        return other
    }

    /// When the server's own certificate expires.
    var end: UnixTime {
        UnixTime(seconds: unsafe SSL_CTX_get0_certificate(pointer).map { unsafe mpin_x509_end($0) } ?? 0)
    }
}
