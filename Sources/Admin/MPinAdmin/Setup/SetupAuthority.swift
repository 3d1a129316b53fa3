// SPDX-License-Identifier: Apache-2.0
// `mpin setup --ca-file`: keeps the certificates that vouch for the server where only root can change them.
import CPlatform
import FoundationEssentials
import MPinSystem
import Octets
import Secrets

/// The file of certificates that vouch for the server. Below /etc it stays where it is. Any other file is
/// copied: its owner could change it, and the relay, which runs as its own user, could not read it in a home.
package struct SetupAuthority {
    /// The copy of certificates that were not below /etc.
    package static let kept = "/etc/mpin/ca.pem"

    /// The path for `ca-file` in mpin.conf.
    let path: String
    /// The certificates, in PEM.
    let text: [UInt8]
    /// The copy to write; nil if none is needed.
    private let copy: (file: HostFile, text: [UInt8])?
    /// The lines of the plan, with a fingerprint of each certificate.
    let lines: [String]
    var isChanged: Bool { copy != nil }

    init(_ given: String) throws(Failure) {
        let text = try Failure.ofFile(HostFile(given, followsLink: true).text)
        let prints = try fingerprints(String(decoding: text, as: UTF8.self), given)
        path = given.hasPrefix("/etc/") && !given.contains("/../") ? given : SetupAuthority.kept
        var copy = path == given ? nil : (try Failure.fileOrNew(path), text)
        if let (file, text) = copy {
            guard file.text.isEmpty || file.text == text else {
                throw Failure(
                    .settings,
                    "\(path) has other certificates than \(shown(given)). Add the new ones to it, or "
                        + "remove it, then run this command again. Nothing was changed.")
            }
            if file.text == text { copy = nil }
        }
        self.copy = copy
        self.text = text
        lines =
            ["The server must have a certificate of the CA in \(shown(given)). SHA-256 fingerprint:"]
            + prints.map { "    \($0)" }
            + ["Compare it with the one that the server's administrator has."]
            + (copy == nil ? [] : ["\(path) becomes a copy of \(shown(given))."])
    }

    /// Writes the copy, if one is needed.
    func keep() throws(Failure) {
        guard let copy else { return }
        makeOpenFolder("/etc/mpin")
        try Failure.ofFile(copy.file.replace(with: copy.text))
    }
}

/// The SHA-256 fingerprint of each certificate in a PEM text, in the form that OpenSSL and mpind print.
private func fingerprints(_ text: String, _ path: String) throws(Failure) -> [String] {
    // The copy is readable by every user.
    guard !text.contains("PRIVATE KEY") else {
        throw Failure(.settings, "\(shown(path)) holds a private key. Name a file with certificates alone.")
    }
    // OpenSSL would also trust certificates under other PEM labels, whose fingerprints are not shown here.
    guard
        text.components(separatedBy: "-----BEGIN ").count
            == text.components(separatedBy: "-----BEGIN CERTIFICATE-----").count
    else { throw Failure(.settings, "\(shown(path)) holds more than plain certificates in PEM.") }
    var prints: [String] = []
    for part in text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst() {
        let lines = part.components(separatedBy: "-----END CERTIFICATE-----")
        guard lines.count > 1, let data = Data(base64Encoded: lines[0].filter { !$0.isWhitespace }),
            !data.isEmpty
        else { throw Failure(.settings, "\(shown(path)) cannot be read as certificates in PEM.") }
        prints.append(String(decoding: colonHex(sha256([UInt8](data))), as: UTF8.self))
    }
    guard !prints.isEmpty else { throw Failure(.settings, "\(shown(path)) holds no certificate in PEM.") }
    return prints
}
