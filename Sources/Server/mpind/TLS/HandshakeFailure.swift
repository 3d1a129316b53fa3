// SPDX-License-Identifier: Apache-2.0
// Why a TLS handshake failed, as a sentence for the log.
import CSSL

enum HandshakeFailure: String {
    case unknownCA = "The client does not know the CA of this server's certificate (see ca-file there)."
    case expiredCertificate = "The client says that this server's certificate has expired: renew it."
    case badCertificate = "The client refused this server's certificate: for its CA, its name or its dates."
    case oldVersion = "The client speaks TLS 1.1 or older; this server requires 1.2."
    case nothingInCommon = "The client has no cipher suite or curve in common with this server."
    case plainHTTP = "The client speaks plain HTTP; this address is https."
    case notTLS = "The client does not speak TLS."
    case other = "The handshake failed."

    /// - Parameter reason: libssl's (SSL_R_...), or 0.
    init(reason: CInt) {
        self =
            switch reason {
            case SSL_R_TLSV1_ALERT_UNKNOWN_CA: .unknownCA
            case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED: .expiredCertificate
            case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN: .badCertificate
            case SSL_R_UNSUPPORTED_PROTOCOL: .oldVersion
            case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_KEY_SHARE, SSL_R_NO_SHARED_GROUPS: .nothingInCommon
            case SSL_R_HTTP_REQUEST: .plainHTTP
            case SSL_R_WRONG_VERSION_NUMBER: .notTLS
            default: .other
            }
    }
}
