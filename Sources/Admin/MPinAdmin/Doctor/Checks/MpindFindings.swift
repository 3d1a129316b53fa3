// SPDX-License-Identifier: Apache-2.0
// Checks of mpind on this host, if it runs here: settings, folders, sockets and unit.
import CPlatform
import MPinSystem
import MPinWire
import Octets

extension Check {
    static let mpind = Check("mpind", reads: "mpind.conf, and mpind's folders, sockets and unit") {
        $0.doctor.mpindFindings()
    }
}

extension Doctor {
    fileprivate func mpindFindings() -> [Finding] {
        let path = ServerLocation.file
        let text = fileText(path)
        // A purge may have kept the settings and the secrets.
        guard isRoot, unsafe access(LocalServer.program, X_OK) == 0,
            text != nil || fileFacts(ServerLocation.usual.data + "/server")?.kind == .file
        else { return [] }
        let location = ServerLocation(text.flatMap { try? parse($0) } ?? [])
        let admin = location.adminSocket
        let folders = [location.data, location.authorityData]
        var found: [Finding] = []
        let rule = FileRule(path, .file, owners: [0], mode: 0o640, forbidden: 0o022)
        if let facts = fileFacts(path), let finding = rule.finding(facts, "mpind-open") {
            found.append(finding)
        }
        if found.isEmpty, text != nil { found += settingsFindings(path) }
        for folder in folders { found += dataFindings(folder) }
        for socket in location.listen.compactMap(\.path) + [admin] {
            found += socketFindings(socket, isAdmin: socket == admin)
        }
        let plain = zip(folders, ["server", "authority"]).map { $0 + "/" + $1 }.filter(isPlain)
        let notes = plain.map {
            Finding(
                note: "mpind-plain",
                "\(shown($0)) holds secrets of mpind unencrypted, and so does every copy of it.",
                "Put a copy where no other backup is, then run 'sudo mpind seal'.")
        }
        guard found.isEmpty else { return found + notes }
        return notes + [
            Finding(ok: "mpind", "mpind's settings, folders and sockets on this host are as they must be.")
        ]
    }

    /// What `mpind check` reports about the settings.
    private func settingsFindings(_ path: String) -> [Finding] {
        guard let end = ran(LocalServer.program, ["check"]), end.status == 2 else { return [] }
        let said = end.said.hasPrefix("mpind: ") ? String(end.said.dropFirst(7)) : end.said
        return [
            Finding(
                problem: "mpind-settings", "mpind does not start with its settings: \(firstLine(said))",
                "Correct \(path), then run 'sudo mpind check' and 'sudo systemctl restart mpind'.")
        ]
    }

    /// Whether the file is unencrypted: its first two lines tell, and only they are read.
    private func isPlain(_ path: String) -> Bool {
        let octets = beginning(ofFile: Array(path.utf8), atMost: 31)
        return String(decoding: octets, as: UTF8.self).contains("\nsealed = no\n")
    }

    /// The folder's owner is taken for the user that mpind runs as.
    private func dataFindings(_ folder: String) -> [Finding] {
        guard let facts = fileFacts(folder) else { return [] }
        let rule = FileRule(folder, .folder, owners: [facts.uid], mode: 0o700, forbidden: 0o077)
        return [rule.finding(facts, "mpind-open")].compactMap(\.self)
    }

    private func socketFindings(_ socket: String, isAdmin: Bool) -> [Finding] {
        let folder = String(socket.prefix(upTo: socket.lastIndex(of: "/") ?? socket.startIndex))
        let rule = FileRule(folder, .folder, owners: [0], mode: 0o755, forbidden: 0o022)
        if let facts = fileFacts(folder), let finding = rule.finding(facts, "mpind-open") { return [finding] }
        guard let facts = fileFacts(socket), facts.kind == .socket else {
            return [
                Finding(
                    problem: "mpind-stopped", "mpind does not listen at \(shown(socket))\(unitState).",
                    "Run 'sudo systemctl enable --now mpind.socket', and look at 'sudo journalctl -u mpind'.")
            ]
        }
        guard isAdmin, facts.mode & 0o007 != 0 else { return [] }
        return [
            Finding(
                problem: "mpind-open",
                "\(shown(socket)) is open to every user: any of them can administer mpind.",
                "Run 'sudo chmod 660 \(shellWord(shown(socket)))'.")
        ]
    }

    /// The state of the socket unit in parentheses; empty without systemd.
    private var unitState: String {
        guard fileFacts("/run/systemd/system")?.kind == .folder,
            let said = ran("/usr/bin/systemctl", ["is-active", "mpind.socket"])?.said
        else { return "" }
        return " (mpind.socket is \(firstLine(said)))"
    }
}
