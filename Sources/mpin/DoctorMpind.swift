// SPDX-License-Identifier: Apache-2.0
// The server, where it runs on this host: its settings, its sockets, its unit.
import CPlatform
import MPinHost
import MPinWire

extension Doctor {
    func mpindFindings() -> [Finding] {
        let path = "/etc/mpin/mpind.conf"
        guard isRoot, let facts = fileFacts(path), facts.kind == .file else { return [] }
        let rule = FileRule(path, .file, owners: [0], mode: 0o640, forbidden: 0o027)
        var found = [rule.finding(facts, .mpindOpen)].compactMap(\.self)
        let sections = ((try? fileText(path)).flatMap { try? parse($0) }) ?? []
        let listeners = sections.flatMap { $0.all("listen") }.map {
            String(decoding: $0.value, as: UTF8.self)
        }
        let admin = sections.flatMap { $0.all("admin-socket") }.map {
            String(decoding: $0.value, as: UTF8.self)
        }
        let sockets = listeners.filter { $0.hasPrefix("unix:") }.map { String($0.dropFirst(5)) }
        for socket in sockets + admin { found += socketFindings(socket, isAdmin: admin.contains(socket)) }
        guard found.isEmpty else { return found }
        return [Finding(.mpind, "mpind's settings and sockets on this host are as they must be.")]
    }

    private func socketFindings(_ socket: String, isAdmin: Bool) -> [Finding] {
        let folder = String(socket.prefix(upTo: socket.lastIndex(of: "/") ?? socket.startIndex))
        let rule = FileRule(folder, .folder, owners: [0], mode: 0o755, forbidden: 0o022)
        if let facts = fileFacts(folder), let finding = rule.finding(facts, .mpindOpen) { return [finding] }
        guard let facts = fileFacts(socket), facts.kind == .socket else {
            return [
                Finding(
                    .mpindStopped, "mpind does not listen at \(shown(socket))\(unitState).",
                    "Run 'systemctl restart mpind', and look at 'journalctl -u mpind'.")
            ]
        }
        guard isAdmin, facts.mode & 0o007 != 0 else { return [] }
        return [
            Finding(
                .mpindOpen, "\(shown(socket)) is open to everybody: whoever connects administers mpind.",
                "Run 'chmod 660 \(shown(socket))'.")
        ]
    }

    /// What systemd says, where it runs.
    private var unitState: String {
        guard fileFacts("/run/systemd/system")?.kind == .folder,
            let said = ran("/usr/bin/systemctl", ["is-active", "mpind.service"])?.said
        else { return "" }
        return " (mpind.service is \(firstLine(said)))"
    }
}
