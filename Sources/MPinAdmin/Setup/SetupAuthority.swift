// SPDX-License-Identifier: Apache-2.0
// `mpin setup --ca-file`: the certificates that vouch for the server, kept where only root can change them.
import CPlatform
import FoundationEssentials
import MPinHost
import Octets
import Secrets

/// Below /etc a file stays where it is. Any other is copied, for its owner could change it, and the relay,
/// which has a user of its own, could not read it in a home.
package struct SetupAuthority {
    /// Where certificates are kept that are not below /etc.
    package static let kept = "/etc/mpin/ca.pem"

    /// What mpin.conf names.
    let path: String
    /// Its certificates.
    let text: [UInt8]
    /// What is to be written there; nil: nothing.
    private let copy: (file: HostFile, text: [UInt8])?
    let lines: [String]
    var isChanged: Bool { copy != nil }

    init(_ given: String) throws(Failure) {
        let text: [UInt8]
        do { text = try HostFile(given, followsLink: true).text } catch { throw Failure(error) }
        let prints = try fingerprints(String(decoding: text, as: UTF8.self), given)
        path = given.hasPrefix("/etc/") && !given.contains("/../") ? given : SetupAuthority.kept
        var copy: (HostFile, [UInt8])?
        if path != given {
            do { copy = (try HostFile(path), text) } catch {
                guard error.problem == .missing else { throw Failure(error) }
                copy = (HostFile(new: path), text)
            }
        }
        if let (file, text) = copy {
            guard file.text.isEmpty || file.text == text else {
                throw Failure(
                    .settings,
                    "\(path) holds other certificates than \(shown(given)). Add the new ones to it, or "
                        + "take it away, then run this command again. Nothing was changed.")
            }
            if file.text == text { copy = nil }
        }
        self.copy = copy
        self.text = text
        lines =
            ["The server must have a certificate of the CA in \(shown(given)). SHA-256 fingerprint:"]
            + prints.map { "    \($0)" }
            + ["Compare it with the one that the server's administrator has."]
            + (copy == nil ? [] : ["\(path) is made, a copy of \(shown(given))."])
    }

    func keep() throws(Failure) {
        guard let copy else { return }
        _ = unsafe mkdir("/etc/mpin", 0o755)
        do { try copy.file.replace(with: copy.text) } catch { throw Failure(error) }
    }
}

/// SHA-256 of each certificate of a file in PEM, as OpenSSL and mpind write it.
private func fingerprints(_ text: String, _ path: String) throws(Failure) -> [String] {
    // The copy is for everybody to read.
    guard !text.contains("PRIVATE KEY") else {
        throw Failure(.settings, "\(shown(path)) holds a private key. Name a file with certificates alone.")
    }
    // OpenSSL would trust certificates under other labels too, whose fingerprints nobody saw.
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
