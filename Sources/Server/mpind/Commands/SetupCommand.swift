// SPDX-License-Identifier: Apache-2.0
// `mpind setup`: turns a newly installed package into a server that other machines reach by TLS.
import ArgumentParser
import Glibc
import MPinSystem
import MPinServer
import MPinWire
import Octets

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Make a server for other machines, with TLS under a CA of your own, and start it.",
        discussion: """
            Does what `mpind init` and `mpind tls self` do, adds what is missing to \(DaemonSettings.file),
            and starts the server with port 443. If a run fails, the next one continues there. Without a name
            that of `public-url` is used, then the full name of this machine. For a certificate of another
            CA, see EXAMPLES in mpind.conf(5).
            """)

    @OptionGroup var wish: CertificateWish
    @OptionGroup var output: JSONOutput

    func run() throws {
        let folder = TLSFolder(path: TLSFolder.usual)
        guard geteuid() == 0 else {
            throw SetupError(
                "Permission denied: mpind setup changes files of root. Run it as root: sudo mpind setup.")
        }
        let names = try serverNames()
        let settings = try ServerSettingsFile(folder, names)
        try makeServer()
        if try !isMade(folder, for: names) { try wish.make(names, in: folder, replaces: false) }
        try settings.write()
        let hostLine = try setPhoneAddress()
        try start(isChanged: settings.isChanged, renews: unsafe access(folder.authorityKey, F_OK) == 0)
        let report = try TLSReport(folder)
        try output.show(
            report,
            lines: ["The server runs, with TLS on port 443."] + report.facts("in use")
                + [hostLine].compactMap(\.self)
                + ["", "For each host, here: sudo mpind host add HOST --user NAME"] + report.host)
    }

    /// The names that were given, or else that of `public-url`, as a purge that kept the settings leaves it.
    private func serverNames() throws -> [ServerName] {
        guard wish.names.isEmpty, let url = try DaemonSettings(file: nil, data: nil).publicURL,
            let name = ServerName(url.name.filter { $0 != "[" && $0 != "]" }), name.url == url.origin
        else { return try wish.serverNames() }
        return [name]
    }

    /// Runs `mpind init` in a process of its own, which changes its umask and its user.
    private func makeServer() throws(SetupError) {
        let made = ran("/proc/self/exe", ["init"])
        // The exit status 1 says that there is a server already, and nothing else.
        guard let made, made.status == 0 || made.status == 1 else {
            throw SetupError("The server cannot be made. \(made?.said ?? "mpind init does not start.")")
        }
    }

    /// Whether there are certificates already; throws if they are for other names.
    private func isMade(_ folder: TLSFolder, for names: [ServerName]) throws(SetupError) -> Bool {
        guard unsafe access(folder.certificate, F_OK) == 0 else { return false }
        let there = try Certificate(file: folder.certificate).names
        guard names.allSatisfy(there.contains) else {
            throw SetupError(
                "\(folder.certificate) is for \(there.map(\.text).joined(separator: ", ")). `mpind tls self"
                    + " --force NAME...` makes one for other names; then run this command again.")
        }
        return true
    }

    /// If this machine is a login host of this server, as `mpin setup` makes it, sets its `phone-address` to
    /// the server's page.
    /// - Returns: a line that says what was done; nil if nothing was.
    private func setPhoneAddress() throws(SetupError) -> String? {
        let settings = try DaemonSettings(file: nil, data: nil)
        guard settings.page.isThere, let url = settings.publicURL?.origin, let file = try? HostFile(hostFile),
            var host = try? SettingsText(file.text), host.values("phone-address").isEmpty,
            settings.listen.contains(where: { host.values("backend").contains($0.text) })
        else { return nil }
        host.set("phone-address", [url + "/"])
        do { try file.replace(with: host.octets) } catch { throw SetupError(error) }
        return "Added to \(hostFile): phone-address = \(url)/"
    }

    /// - Parameter renews: whether the certificates are renewed here.
    private func start(isChanged: Bool, renews: Bool) throws(SetupError) {
        guard unsafe access("/run/systemd/system", F_OK) == 0 else {
            throw SetupError(
                "Everything is made, but nothing here starts it: systemd does not run. Start `mpind serve` as"
                    + " you start other services, with the right to bind port 443.")
        }
        // systemd cannot start a socket whose service is already running.
        let isNew = isChanged || ran(systemctl, ["is-active", "mpind-tls.socket"])?.status != 0
        var commands = [
            ["enable", "mpind.service", "mpind-tls.socket"], [isNew ? "restart" : "start", "mpind.service"],
        ]
        if renews { commands.append(["enable", "--now", "mpind-renew.timer"]) }
        for words in commands {
            let ended = ran(systemctl, words)
            guard let ended, ended.status == 0 else {
                throw SetupError(
                    "`systemctl \(words.joined(separator: " "))` failed: "
                        + "\(ended?.said ?? "it does not start") Look at `sudo journalctl -u mpind "
                        + "-u mpind-tls.socket`, then run this command again."
                )
            }
        }
    }
}

private let systemctl = "/usr/bin/systemctl"
/// The settings of this machine as a login host.
private let hostFile = "/etc/mpin/mpin.conf"
/// The address that mpind-tls.socket binds.
private let port = Listener("[::]:443")

/// mpind.conf as it is, and the lines that it lacks for a server that other machines use.
private struct ServerSettingsFile {
    private let file: HostFile
    private let additions: [String]
    var isChanged: Bool { !additions.isEmpty }

    init(_ folder: TLSFolder, _ names: [ServerName]) throws(SetupError) {
        let path = DaemonSettings.file
        var settings = try DaemonSettings(file: nil, data: nil)
        guard settings.role == nil else {
            throw SetupError("\(path) says `role`: such a server has no clients of its own.")
        }
        let url = names.first?.url ?? ""
        if let certificate = settings.certificate, certificate != folder.certificate {
            throw SetupError(
                "This server speaks TLS already: \(path) says `tls-certificate = \(certificate)`. Nothing was"
                    + " changed.")
        }
        guard settings.publicURL == nil || settings.publicURL == PublicURL(url) else {
            throw SetupError(
                "\(path) says another `public-url` than \(url). Change it there, or name that one first.")
        }
        var additions = try ServerSettingsFile.listeners(settings)
        if settings.publicURL == nil { additions.append("public-url = \(url)") }
        if settings.certificate == nil {
            additions += ["tls-certificate = \(folder.certificate)", "tls-key = \(folder.key)"]
        }
        settings.publicURL = PublicURL(url)
        (settings.certificate, settings.certificateKey) = (folder.certificate, folder.key)
        if !settings.listen.contains(where: \.isTCP) { settings.listen += [port].compactMap(\.self) }
        try settings.check()
        self.additions = additions
        do { file = try HostFile.ifThere(path) ?? HostFile(new: path) } catch { throw SetupError(error) }
    }

    /// The lines that are missing for port 443.
    private static func listeners(_ settings: DaemonSettings) throws(SetupError) -> [String] {
        let there = settings.listen.filter(\.isTCP)
        guard there.isEmpty || there == [port].compactMap(\.self) else {
            throw SetupError(
                "\(DaemonSettings.file) says `listen = \(there.first?.text ?? "")` already. Change the"
                    + " settings by hand, see EXAMPLES in mpind.conf(5). Nothing was changed.")
        }
        guard there.isEmpty else { return [] }
        // Without a `listen`, the Unix socket is the default; beside the line for port 443 it must be written
        // too.
        let isSaid = try HostFile.sets("listen", in: DaemonSettings.file)
        return (isSaid ? [] : settings.listen.map { "listen = \($0.text)" }) + ["listen = [::]:443"]
    }

    func write() throws(SetupError) {
        guard !additions.isEmpty else { return }
        makeOpenFolder("/etc/mpin")
        let before = String(decoding: file.text, as: UTF8.self)
        let gap = before.isEmpty || before.hasSuffix("\n") ? "" : "\n"
        let text =
            before + gap + "# Written by mpind setup; see mpind.conf(5).\n"
            + additions.joined(separator: "\n") + "\n"
        do { try file.replace(with: Array(text.utf8)) } catch { throw SetupError(error) }
    }
}

extension HostFile {
    /// Whether a file sets a setting.
    fileprivate static func sets(_ key: String, in path: String) throws(SetupError) -> Bool {
        do {
            return String(decoding: try HostFile.ifThere(path)?.text ?? [], as: UTF8.self)
                .split(separator: "\n")
                .contains { $0.split(separator: "=").first?.split(separator: " ").first ?? "" == key }
        } catch { throw SetupError(error) }
    }
}

extension SetupError {
    init(_ error: HostFileError) { self.init("\(error.path): \(error.words)") }
}
