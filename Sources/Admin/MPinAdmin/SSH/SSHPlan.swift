// SPDX-License-Identifier: Apache-2.0
// The settings of sshd: tested on a copy, then installed and loaded, or removed again.
import CPlatform
import MPinSystem
import Octets

/// The plan for sshd's settings.
struct SSHPlan {
    private static let mainFile = "/etc/ssh/sshd_config"
    private static let folder = "/etc/ssh/sshd_config.d"

    private let file: HostFile
    private let before: SSHSettings?
    /// The settings for root with the drop-in.
    let root: SSHSettings
    private let apart: [SSHMatch]
    /// The settings with the drop-in for the user `nobody`, in place of all accounts without `Match` blocks.
    private let everybody: SSHSettings
    /// The path of the copy of all settings, with the drop-in.
    private let draft: String
    /// Whether there are no `Match` blocks, so that all accounts but root have the same settings.
    private let isUniform: Bool

    var isChanged: Bool { file.text != Array(SSHSettings.dropIn.utf8) }

    /// Tests the whole configuration with the drop-in, in a copy.
    init(_ folder: borrowing SetupFolder) throws(Failure) {
        file = try dropInFile()
        before = SSHPlan.current(user: "nobody")
        apart = SSHPlan.apart
        let copy = try SSHPlan.copy(folder, with: SSHSettings.dropIn)
        let checked = SSHPlan.trial(["-t", "-f", copy])
        guard checked?.status == 0 else { throw refused(checked) }
        guard let everybody = SSHPlan.settings(copy, user: "nobody"),
            let root = SSHPlan.settings(copy, user: "root")
        else { throw refused(checked) }
        guard everybody.missing.isEmpty else {
            let places = SSHMatch.places(in: SSHPlan.mainFile, read: fileText)
            let keys = everybody.missing.map { key in
                places[key.lowercased()].map { "\(shown($0)) sets \(key)" } ?? "another file sets \(key)"
            }
            throw Failure(
                .settings,
                "sshd takes what comes first, and before \(SSHSettings.dropInFile) "
                    + "\(keys.joined(separator: ", ")). Take it out there.")
        }
        self.root = root
        self.everybody = everybody
        draft = copy
        isUniform = SSHMatch.all(in: SSHPlan.mainFile, read: fileText).isEmpty
    }

    /// The settings for an account, now and with the drop-in; nil if sshd refuses its current settings.
    func settings(of name: String) -> (now: SSHSettings, then: SSHSettings)? {
        guard let before else { return nil }
        guard !isUniform || name == "root", let now = SSHPlan.current(user: name),
            let then = SSHPlan.settings(draft, user: name)
        else { return (before, everybody) }
        return (now, then)
    }

    /// Runs sshd for a test of its settings; nil if there is no sshd. It refuses without this folder, which
    /// ssh.socket makes only for a connection.
    static func trial(_ arguments: [String]) -> ProgramEnd? {
        let program = "/usr/sbin/sshd"
        guard unsafe access(program, X_OK) == 0 else { return nil }
        if geteuid() == 0 { _ = makeOpenFolder("/run/sshd") }
        return ran(program, arguments)
    }

    /// The current settings for a user, as `sshd -T` prints them; nil if there is no sshd, or it refuses its
    /// settings.
    static func current(user: String, from address: String = "127.0.0.1") -> SSHSettings? {
        settings(mainFile, user: user, from: address)
    }

    /// Whether root can log in by a key that exists. The settings must be those for root: a `Match` block may
    /// change them.
    static func takesRootsKey(_ settings: SSHSettings?) -> Bool {
        let groups = groups(of: "root", gid: 0, group: fileText("/etc/group") ?? [])
        guard let settings, settings.rootMayUseKey(groups: groups) else { return false }
        guard let root = unsafe getpwnam("root"), let home = unsafe root.pointee.pw_dir else { return false }
        let files = unsafe settings.keyFiles(of: "root", uid: 0, home: String(cString: home))
        return files.contains { hasLoginKey(fileText($0) ?? []) }
    }

    /// Whether users can now log in by ssh with a password, without M-Pin.
    static func takesPassword(_ stacks: PAMFolder) -> Bool {
        guard let stack = try? stacks.stack("sshd"), stack.places().isEmpty else { return false }
        return current(user: "nobody")?.takesPasswordAlone == true
    }

    /// The `Match` blocks that may give some users other login methods than `current` shows.
    static var apart: [SSHMatch] { SSHMatch.blocks(in: mainFile, read: fileText) }

    private static func settings(
        _ file: String, user: String, from address: String = "127.0.0.1"
    ) -> SSHSettings? {
        // sshd fails without a local address and port if a `Match` block tests one.
        let who = "user=\(user),host=localhost,addr=\(address),laddr=127.0.0.1,lport=22,rdomain="
        guard !user.contains(","), let end = trial(["-T", "-f", file, "-C", who]), end.status == 0
        else { return nil }
        return SSHSettings(printed: end.said)
    }

    /// Copies the main file and its folder into a private folder. The copied main file includes the copied
    /// folder.
    /// - Returns: the path of the copied main file.
    private static func copy(
        _ folder: borrowing SetupFolder, with dropIn: String
    ) throws(Failure) -> String {
        let parts = try folder.copy(
            of: SSHPlan.folder, as: "sshd_config.d", with: ["00-mpin.conf": Array(dropIn.utf8)])
        let text = try Failure.ofFile(HostFile(mainFile, followsLink: true).text)
        let main = String(decoding: text, as: UTF8.self)
        let moved = main.replacing(SSHPlan.folder + "/", with: parts + "/")
        guard moved != main else {
            throw Failure(
                .settings, "\(mainFile) does not include \(SSHPlan.folder)/*.conf. Put that line at its top.")
        }
        let path = "\(folder.path)/sshd_config"
        try Failure.ofFile(HostFile(new: path, mode: 0o600).replace(with: Array(moved.utf8)))
        return path
    }

    var lines: [String] {
        guard isChanged else { return [] }
        let keys = [
            "AuthenticationMethods", "KbdInteractiveAuthentication", "PasswordAuthentication", "UsePAM",
        ]
        let now = keys.map { "\($0) \(before?[$0] ?? "?")" }.joined(separator: ", ")
        return difference(
            file.path, from: file.text.isEmpty ? nil : file.text, to: Array(SSHSettings.dropIn.utf8))
            + [
                "sshd now: \(now).",
                apart.isEmpty
                    ? "After that, everybody but root needs a key and then M-Pin, or what PAM asks for, to "
                        + "log in by ssh."
                    : "After that, people need a key and then M-Pin, or what PAM asks for, to log in by "
                        + "ssh. 'Match' blocks have other rules for some people: look at "
                        + "\(shown(apart.map(\.place).joined(separator: ", "))).",
            ]
    }

    /// Installs the drop-in and makes sshd read it. If sshd refuses it after all, restores the former state.
    func apply() throws(Failure) {
        guard isChanged else { return }
        try Failure.ofFile(file.replace(with: Array(SSHSettings.dropIn.utf8)))
        let checked = SSHPlan.trial(["-t"])
        guard checked?.status == 0 else {
            do {
                let written = try HostFile(file.path)
                if file.text.isEmpty { try written.remove() } else { try written.replace(with: file.text) }
            } catch { throw Failure(error) }
            throw refused(checked)
        }
        SSHPlan.reload()
    }

    /// Makes a running sshd read its settings again.
    static func reload() {
        // On SIGHUP sshd restarts itself, and with settings that it refuses it would end.
        guard trial(["-t"])?.status == 0 else { return }
        if unsafe access("/run/systemd/system", F_OK) == 0 {
            _ = ran("/usr/bin/systemctl", ["try-reload-or-restart", "ssh.service"])
        } else if let text = try? HostFile("/run/sshd.pid").text,
            let process = pid_t(String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)), process > 1
        {
            kill(process, SIGHUP)
        }
    }

    /// Removes the drop-in, if setup wrote it.
    /// - Returns: whether there was one.
    static func remove() throws(Failure) -> Bool {
        // A setup that was killed may have left this file; sshd never read it.
        unsafe unlink("\(folder)/.00-mpin.conf.mpin-new")
        let file = try dropInFile()
        guard !file.text.isEmpty else { return false }
        try Failure.ofFile(file.remove())
        reload()
        return true
    }
}

/// The current drop-in; throws if a file there was not written by setup.
private func dropInFile() throws(Failure) -> HostFile {
    let path = SSHSettings.dropInFile
    guard let file = try Failure.ofFile(HostFile.ifThere(path)) else { return HostFile(new: path) }
    guard file.text.starts(with: Mark.begin.utf8) else {
        throw Failure(.settings, "\(path) was not written by mpin setup. Move it away.")
    }
    return file
}

private func refused(_ end: ProgramEnd?) -> Failure {
    guard let end else { return Failure(.settings, "There is no sshd here. Install openssh-server.") }
    return Failure(
        .settings, "sshd refuses the new settings, so nothing was changed for it: \(oneLine(end.said))")
}
