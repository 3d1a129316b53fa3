// SPDX-License-Identifier: Apache-2.0
// The folder of a CA and a server's certificate; new files are put there all together or not at all.
import Glibc
import MPinSystem
import MPinServer

struct TLSFolder {
    static let usual = "/etc/mpin/tls"
    let path: String

    var authority: String { path + "/ca.pem" }
    var authorityKey: String { path + "/ca.key" }
    var certificate: String { path + "/server.pem" }
    var key: String { path + "/server.key" }
    var files: [String] { [authority, authorityKey, certificate, key] }

    /// Makes a CA for these names and a certificate that it signed.
    func make(
        _ names: [ServerName], days: Int, authorityDays: Int, keepsKey: Bool, replaces: Bool
    ) throws(SetupError) {
        let there = files.filter { unsafe access($0, F_OK) == 0 }
        if let file = there.first, !replaces {
            throw SetupError(
                "\(file) is there. `mpind tls renew` makes a new certificate under the same CA; with --force"
                    + " a new CA replaces it, and every host needs the new ca.pem.")
        }
        try makeFolders()
        let authorityKey = try CertificateKey()
        let authority = try Certificate(authorityFor: names, authorityKey, days: authorityDays)
        let drafts = try drafts(for: names, days: days, authority: authority, authorityKey: authorityKey)
        try drafts.add(self.authority, mode: 0o644) { authority.write(to: $0) }
        if keepsKey { try drafts.add(self.authorityKey, mode: 0o600) { authorityKey.write(to: $0) } }
        try drafts.place()
        // An old CA's key would only mislead.
        if !keepsKey { unsafe unlink(self.authorityKey) }
    }

    /// Makes a new key and a new certificate for the same names under the same CA.
    func renew(days: Int) throws(SetupError) {
        guard unsafe access(authorityKey, F_OK) == 0 else {
            throw SetupError(
                "There is no \(authorityKey), so nothing can be signed by this CA. `mpind tls self --force`"
                    + " makes a new CA; every host then needs the new ca.pem.")
        }
        let names = try Certificate(file: certificate).names
        guard !names.isEmpty else { throw SetupError("\(certificate) has no name to renew it for.") }
        let authority = try Certificate(file: authority)
        guard authority.end > Effects.system.now() else {
            throw SetupError(
                "The CA in \(self.authority) ended on \(authority.end.headerText). `mpind tls self --force`"
                    + " makes a new one; every host then needs the new ca.pem.")
        }
        try drafts(
            for: names, days: days, authority: authority, authorityKey: try CertificateKey(file: authorityKey)
        ).place()
    }

    private func drafts(
        for names: [ServerName], days: Int, authority: Certificate,
        authorityKey: borrowing CertificateKey
    ) throws(SetupError) -> Drafts {
        let newKey = try CertificateKey()
        let made = try Certificate(
            server: names, newKey, days: days, authority: authority, authorityKey)
        let drafts = Drafts()
        let group = geteuid() == 0 ? UserAccount(named: DaemonSettings.user)?.gid : nil
        try drafts.add(key, mode: group == nil ? 0o600 : 0o640, group: group) { newKey.write(to: $0) }
        try drafts.add(certificate, mode: 0o644) { made.write(to: $0) }
        return drafts
    }

    /// Makes the folders, open to all users: programs look for ca.pem there.
    private func makeFolders() throws(SetupError) {
        for folder in path == TLSFolder.usual ? ["/etc/mpin", path] : [path] {
            if !makeOpenFolder(folder) {
                throw SetupError("Cannot make the folder \(folder): \(reason()).")
            }
        }
    }
}

/// Temporary files that replace their targets together; those left over are removed with this object.
final class Drafts {
    private var paths: [String] = []

    deinit { for path in paths { unsafe unlink(draft(path)) } }

    /// Writes one file and waits until it is on the disk.
    func add(
        _ path: String, mode: mode_t, group: gid_t? = nil, write: (CInt) -> Bool
    ) throws(SetupError) {
        paths.append(path)
        unsafe unlink(draft(path))
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(draft(path), flags, 0o600)
        guard descriptor >= 0 else { throw SetupError("Cannot write \(draft(path)): \(reason()).") }
        defer { close(descriptor) }
        guard write(descriptor), group.map({ fchown(descriptor, 0, $0) == 0 }) ?? true,
            fchmod(descriptor, mode) == 0, fsync(descriptor) == 0
        else { throw SetupError("Cannot write \(draft(path)): \(reason()).") }
    }

    /// Moves all files to their places. If one fails, those before it are restored.
    func place() throws(SetupError) {
        var placed: [String] = []
        for path in paths {
            guard let why = placing(path) else {
                placed.append(path)
                continue
            }
            for path in placed.reversed() where unsafe rename(old(path), path) != 0 {
                unsafe unlink(path)
            }
            throw SetupError("Cannot put \(path) in its place: \(why). Nothing was changed.")
        }
        for path in placed { unsafe unlink(old(path)) }
        if let path = placed.first { try syncFolder(of: path) }
    }

    /// Moves one file; returns the reason if that fails. The file before it keeps a second name.
    private func placing(_ path: String) -> String? {
        unsafe unlink(old(path))
        var status = stat()
        if unsafe lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return "something else is there" }
            guard unsafe link(path, old(path)) == 0 else { return reason() }
        }
        guard unsafe rename(draft(path), path) != 0 else { return nil }
        // It may be a private key, which must not keep a second name.
        defer { unsafe unlink(old(path)) }
        return reason()
    }

    private func old(_ path: String) -> String { path + ".mpind-old" }
    private func draft(_ path: String) -> String { path + ".mpind-new" }
}
