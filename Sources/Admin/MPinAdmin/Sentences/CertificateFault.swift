// SPDX-License-Identifier: Apache-2.0
// Sentences that say why the certificates of `ca-file` cannot be used, and what to do.
import CPlatform
import MPinCurl
import MPinLogin
import MPinHostStore
import MPinSystem
import MPinWire
import Octets

/// Why mpin-relay, or a personal command, cannot use the certificates in a file.
struct CertificateFault {
    /// The end of a sentence.
    let reason: String
    let cure: String

    private init(_ reason: String, _ cure: String) { (self.reason, self.cure) = (reason, cure) }

    /// The fault of the file; nil if this command finds none.
    static func find(_ path: String) -> CertificateFault? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            let number = mpin_errno()
            return CertificateFault(
                number == ENOENT ? "there is no such file" : systemMessage(number),
                "Put the server's CA there, in PEM, or name the file where it is.")
        }
        let word = shellWord(shown(path))
        guard status.isFile else {
            return CertificateFault("it is not a file", "Name a file with the server's CA in PEM.")
        }
        guard status.isOwned(by: geteuid()), status.st_mode & 0o022 == 0 else {
            return CertificateFault(
                "users other than root can change it",
                "Look at what is in it first. Then 'sudo chown root \(word)' and 'sudo chmod 644 \(word)'.")
        }
        guard unsafe access(path, R_OK) == 0 else {
            return CertificateFault("you may not read it", "Ask its owner: 'chmod 644 \(word)'.")
        }
        guard Web.authorities(path) != nil else {
            return CertificateFault(
                "there is no certificate in PEM in it", "Name a file with the server's CA in PEM.")
        }
        // That root can read the file does not mean that the relay can.
        return geteuid() == 0 ? closed(path, mode: status.st_mode, word) : nil
    }

    private static func closed(_ path: String, mode: mode_t, _ word: String) -> CertificateFault? {
        guard mode & 0o004 != 0 else {
            return CertificateFault(
                "its mode is 0\(String(mode & 0o777, radix: 8)), and '_mpin' may not read it",
                "Run 'sudo chmod 644 \(word)'.")
        }
        guard let folder = closedFolder(above: path) else { return nil }
        let isOurs = folder.hasPrefix("/etc/")
        return CertificateFault(
            "'_mpin' may not enter \(shown(folder))",
            isOurs ? "Run 'sudo chmod 755 \(shellWord(shown(folder)))'." : copied(path))
    }
}

/// The first folder of a path that other users may not enter.
private func closedFolder(above path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    let place = unsafe String(cString: found)
    unsafe free(found)
    var above = ""
    for step in place.split(separator: "/").dropLast() {
        above += "/" + step
        var status = stat()
        if unsafe stat(above, &status) == 0, status.st_mode & 0o001 == 0 { return above }
    }
    return nil
}

private func copied(_ path: String) -> String {
    let (word, kept) = (shellWord(shown(path)), SetupAuthority.kept)
    return
        "Copy it to where '_mpin' can read it: 'sudo install -D -m 644 \(word) \(kept)', and set 'ca-file = "
        + "\(kept)' in mpin.conf. 'sudo mpin setup --ca-file \(word)' does both."
}

/// Why no certificates can be used, and what to do. `fault` can also be the end of another sentence.
func certificateSentences(_ settings: Settings) -> (fault: String, cure: String) {
    let reader = geteuid() == 0 ? "mpin-relay, which runs as '_mpin'," : "mpin"
    guard let path = settings.caFile.map({ String(decoding: $0, as: UTF8.self) }) else {
        return (
            "\(reader) finds no certificates of CAs on this host.",
            "Install the package ca-certificates, or name the server's CA: '--ca-file FILE', or 'ca-file' "
                + "in mpin.conf."
        )
    }
    let fault = CertificateFault.find(path)
    let reason = fault.map { ": \($0.reason)" } ?? ""
    return (
        "\(reader) cannot use the certificates in \(shown(path))\(reason).", fault?.cure ?? copied(path)
    )
}
