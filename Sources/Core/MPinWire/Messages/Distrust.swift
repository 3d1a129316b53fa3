// SPDX-License-Identifier: Apache-2.0
// The reasons for which a client does not believe that the other end is the server.

/// Why a client does not believe that the other end is the server. The numbers are statuses of relay
/// responses (relay.md, section 4).
package enum Distrust: UInt16, CaseIterable, Sendable {
    /// There is no TLS, or no common version or cipher suite; or a secret would have been sent over plain
    /// http.
    case tls = 2
    /// The certificate cannot be verified for another reason than those below.
    case certificate = 5
    /// The certificate chain does not lead to a trusted CA.
    case issuer = 6
    /// The certificate is self-signed, and is not trusted itself.
    case selfSigned = 7
    case expired = 8
    case notYetValid = 9
    /// The certificate is valid, but for another name or address than the requested one.
    case name = 10
    /// The other end supports only TLS 1.1 or older.
    case version = 11
    /// The Unix socket is in a folder that users other than root and the caller can change.
    case socket = 12
    /// The process at the Unix socket belongs neither to root nor to `_mpind` nor to the caller.
    case owner = 15

    /// nil for a status with another meaning.
    package init?(status: UInt16) { self.init(rawValue: status) }

    /// The status in a relay response.
    package var status: UInt16 { rawValue }

    /// Whether the other end speaks TLS and shows a certificate that is not accepted.
    package var isOfCertificate: Bool {
        switch self {
        case .certificate, .issuer, .selfSigned, .expired, .notYetValid, .name: true
        case .tls, .version, .socket, .owner: false
        }
    }

    /// The reason as a word for logs.
    package var word: StaticString {
        switch self {
        case .tls: "no-common-tls"
        case .certificate: "certificate-invalid"
        case .issuer: "certificate-of-unknown-ca"
        case .selfSigned: "certificate-self-signed"
        case .expired: "certificate-expired"
        case .notYetValid: "certificate-not-yet-valid"
        case .name: "certificate-for-another-name"
        case .version: "tls-too-old"
        case .socket: "socket-not-trusted"
        case .owner: "socket-of-another-user"
        }
    }

    /// The end of a sentence about the server.
    package var fault: StaticString {
        switch self {
        case .tls: "it does not speak TLS 1.2 or 1.3"
        case .certificate: "its certificate is invalid"
        case .issuer: "its certificate is from a CA that is not trusted here"
        case .selfSigned: "its certificate is self-signed"
        case .expired: "its certificate has expired"
        case .notYetValid: "its certificate is not valid yet"
        case .name: "its certificate is for another name"
        case .version: "it speaks TLS 1.1 or older"
        case .socket: "its Unix socket is in a folder that users other than root can change"
        case .owner: "a user other than root and _mpind answers at its Unix socket"
        }
    }
}
