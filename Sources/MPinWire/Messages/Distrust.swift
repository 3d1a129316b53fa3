// SPDX-License-Identifier: Apache-2.0
// Why the other end was not taken for the server: numbers among the statuses of `RelayResponse`.

/// Why the other end was not taken for the server; the number is the status of a relay's answer.
package enum Distrust: UInt16, CaseIterable, Sendable {
    /// No TLS, or no version or suite of it in common; or a secret would have gone over plain http.
    case tls = 2
    /// The certificate cannot be verified, for none of the reasons below.
    case certificate = 5
    /// It does not lead to a CA that is trusted.
    case issuer = 6
    /// It is its own issuer, and is not trusted itself.
    case selfSigned = 7
    case expired = 8
    case notYetValid = 9
    /// It is valid, but not for the name or address that was asked for.
    case name = 10
    /// The other end speaks no newer TLS than 1.1.
    case version = 11
    /// The Unix socket is not in a folder of root's or the caller's alone.
    case socket = 12
    /// Who answers at the Unix socket is neither root, nor `_mpind`, nor the caller.
    case owner = 15

    /// Added to the number of a certificate's fault where the server is on this machine.
    private static let near: UInt16 = 16

    /// nil for a status that says something else.
    package init?(status: UInt16) {
        guard let reason = Distrust(rawValue: status & ~Distrust.near) else { return nil }
        guard status == reason.status || reason.isOfCertificate else { return nil }
        self = reason
    }

    /// The status of an answer.
    package var status: UInt16 { rawValue }

    /// The same from a server at an address of this machine: there it is no captive portal that shows a
    /// certificate of its own, but perhaps a local account.
    package var nearStatus: UInt16 { isOfCertificate ? rawValue | Distrust.near : rawValue }

    /// Whether a status is `nearStatus` of a certificate's fault.
    package static func isNear(_ status: UInt16) -> Bool {
        status & Distrust.near != 0 && Distrust(status: status)?.isOfCertificate == true
    }

    /// Whether the other end speaks TLS and shows a certificate that is not accepted.
    package var isOfCertificate: Bool {
        switch self {
        case .certificate, .issuer, .selfSigned, .expired, .notYetValid, .name: true
        case .tls, .version, .socket, .owner: false
        }
    }

    /// For logs.
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
        case .socket: "its Unix socket is in a folder that others than root can change"
        case .owner: "a user other than root and _mpind answers at its Unix socket"
        }
    }
}
