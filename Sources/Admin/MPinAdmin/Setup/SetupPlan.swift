// SPDX-License-Identifier: Apache-2.0
// The plan of a setup, made before anything is changed: each file as it is and as it will be.
import CPlatform
import MPinSystem
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets

/// What setup is going to change.
struct SetupPlan {
    let wish: SetupWish
    /// mpin.conf and its new text; nil: it stays as it is.
    private let settings: (file: HostFile, text: [UInt8])?
    /// The account that gets backup codes; nil: none does.
    let coder: Account?
    /// Whether backup codes are the only way to root without the server.
    private(set) var needsCodes = false
    /// Whether mpind.conf is missing.
    let makesServerSettings: Bool
    let stacks: [Stack]
    let ssh: SSHPlan?
    let ways: WaysIn
    /// The accounts that ssh will no longer let in, or no longer as before.
    let shutOut: [ShutOut]
    /// Sentences about services that include one of the stacks, and about exemptions that exempt nobody.
    private let notes: [String]
    /// Whether logins from some addresses are exempt.
    private let exemptsSources: Bool

    var mustJoin: Bool { !wish.hasKey }
    /// Whether there is nothing left to switch on.
    var isSwitchedOn: Bool {
        settings == nil && !stacks.contains(where: \.isChanged) && ssh?.isChanged != true
    }

    init(_ wish: SetupWish, _ folder: borrowing SetupFolder) throws(Failure) {
        self.wish = wish
        let planned = try plannedSettings(wish)
        settings = planned.isChanged ? (planned.file, planned.text) : nil
        makesServerSettings = unsafe wish.isHere && access(ServerLocation.file, F_OK) != 0
        var stacks: [Stack] = []
        for service in wish.services {
            let stack = try SetupPlan.Stack(service, wish.factor, in: wish.places.stacks)
            guard stack.skipped.isEmpty else {
                throw Failure(
                    .settings,
                    "\(stack.file.path): users whom M-Pin lets in would skip "
                        + "\(stack.skipped.joined(separator: ", ")). Put it before the password's line, or "
                        + "use --factor second. Nothing was changed.")
            }
            stacks.append(stack)
        }
        try wish.places.stacks.checkIncluders(of: stacks)
        self.stacks = stacks
        let text = settings?.text ?? fileText(wish.places.settings) ?? []
        notes =
            wish.places.stacks.sentencesAboutIncluders(of: stacks, text: text)
            + unknownExemptions(in: text, for: wish.services)
        ssh = wish.services.contains("sshd") ? try SSHPlan(folder) : nil
        var ways = waysIn(wish, stacks: stacks, ssh)
        var without = withoutServer(wish, stacks: stacks, ssh, settings: planned.text)
        coder = without.coder(wish)
        if let coder { without.codes.insert(coder.uid) }
        if ways.certain.isEmpty, let way = without.firstWay(preferring: coder?.uid) {
            ways.byOthers = [way.words]
            needsCodes = way.isByCode
        }
        self.ways = ways
        shutOut = plannedShutOut(wish, stacks: stacks, ssh)
        exemptsSources = (try? wish.loaded(for: "sshd"))?.exemptFrom.isEmpty == false
    }

    /// Writes the new mpin.conf as a draft, which only this command reads.
    ///
    /// - Returns: the path of the draft; that of mpin.conf itself if it does not change.
    func draftSettings(_ folder: borrowing SetupFolder) throws(Failure) -> String {
        guard let settings else { return wish.places.settings }
        let path = "\(folder.path)/mpin.conf"
        try Failure.ofFile(HostFile(new: path).replace(with: settings.text))
        return path
    }

    /// Writes mpin.conf if there is none yet: then no login depends on it, so it needs no proof.
    func writeFirstSettings() throws(Failure) {
        if settings?.file.existing == nil { try writeSettings() }
    }

    /// Writes the new mpin.conf, if it changes.
    func writeSettings() throws(Failure) {
        guard let settings else { return }
        makeOpenFolder(wish.places.settingsFolder)
        try Failure.ofFile(settings.file.replace(with: settings.text))
    }

    /// The differences in each file, and what else will happen.
    var lines: [String] {
        var lines: [String] = []
        if makesServerSettings {
            lines += difference(ServerLocation.file, from: nil, to: Array(LocalServer.newSettings.utf8))
        }
        if let authority = wish.authority { lines += authority.lines }
        if let settings {
            lines += difference(settings.file.path, from: settings.file.existing, to: settings.text)
        }
        for stack in stacks {
            lines += difference(stack.file.path, from: stack.file.text, to: stack.after)
            lines += stack.bypasses
        }
        lines += notes
        lines += wish.places.stacks.runAsUser(with: stacks)
        lines += wish.closed.map { "\($0) lets nobody in, and stays as it is." }
        if let ssh { lines += ssh.lines }
        if mustJoin {
            lines.append("This host joins \(shown(wish.settings.backend)) as '\(shown(wish.host))'.")
        }
        for person in wish.people {
            lines.append("\(text(person.account.name)) is enrolled as \(shown(person.identity)).")
        }
        if let coder {
            lines.append("\(text(coder.name)) gets \(BackupCodesChange.usualCount) backup codes.")
        }
        lines.append(ways.sentence)
        return lines + ShutOut.lines(shutOut, exemptsSources: exemptsSources, isHere: wish.isHere)
    }

    /// The paths of the files that will be changed.
    var files: [String] {
        var files = makesServerSettings ? [ServerLocation.file] : []
        if let authority = wish.authority, authority.isChanged { files.append(authority.path) }
        if let settings { files.append(settings.file.path) }
        files += stacks.filter(\.isChanged).map(\.file.path)
        if let ssh, ssh.isChanged { files.append(SSHSettings.dropInFile) }
        return files
    }

    /// Throws if nobody could become root without the server, unless the administrator accepts that, or
    /// nothing is going to be switched on.
    func checkWayBack(isWaived: Bool) throws(Failure) {
        guard !isWaived, ways.certain.isEmpty, !isSwitchedOn, coder != nil || wish.hasProver else { return }
        let codes =
            wish.wantsCodes
            ? "nobody with a PIN here could log in and use sudo by a backup code (login and sudo must take "
                + "them: --backup-codes yes)"
            : "no backup codes are wanted (--backup-codes yes makes them)"
        throw Failure(
            .refused,
            "When the server fails, nobody could become root: root has no password for a service without "
                + "M-Pin and no ssh key, and \(codes). Name an account that may use sudo (--user), give "
                + "root a password ('sudo passwd root') and leave 'login' without M-Pin, or use "
                + "--no-way-back. Nothing was changed.")
    }
}

extension WaysIn {
    fileprivate var sentence: String {
        let words = certain.joined(separator: "; ")
        guard certain != byOthers else {
            return certain.isEmpty
                ? "If the server fails, nobody may be able to become root: give root a password or a key."
                : "If the server fails, there is still a way to root: \(words)."
        }
        return "If the server fails, root can still log in: \(words)."
    }
}

extension HostFile {
    /// The text of the file; nil if there is no file yet.
    fileprivate var existing: [UInt8]? { text.isEmpty ? nil : text }
}

/// mpin.conf and its text after the setup. Keys that setup does not set stay as they are.
private func plannedSettings(
    _ wish: SetupWish
) throws(Failure) -> (file: HostFile, text: [UInt8], isChanged: Bool) {
    let path = wish.places.settings
    let file = try Failure.fileOrNew(path)
    let before = try settingsText(file.existing ?? Array("\(HostSettings.mark)\n".utf8), path)
    let wanted = wish.settings.written(in: before).octets
    for service in wish.services {
        // Setup does not write settings that the module would refuse.
        do {
            _ = try Settings(
                text: wanted, file: [UInt8](path.utf8), arguments: [], service: [UInt8](service.utf8))
        } catch { throw Failure(error) }
    }
    return (file, wanted, file.text != wanted)
}

/// The ways in which root can log in without the server after the setup.
/// - Parameter ssh: the plan for sshd; nil: sshd stays as it is.
private func waysIn(_ wish: SetupWish, stacks: [SetupPlan.Stack], _ ssh: SSHPlan?) -> WaysIn {
    var ways = WaysIn()
    ways.rootHasPassword = hasPassword("root", shadow: fileText("/etc/shadow") ?? [])
    ways.passwordServices = ["login", "su"].filter { service in
        guard !wish.services.contains(service), let stack = try? wish.places.stacks.stack(service) else {
            return false
        }
        return stack.places().isEmpty
    }
    ways.sshTakesPassword = !wish.services.contains("sshd") && SSHPlan.takesPassword(wish.places.stacks)
    ways.rootHasKey = SSHPlan.takesRootsKey(ssh?.root ?? SSHPlan.current(user: "root"))
    let hasFile = unsafe access(text(wish.places.store) + "/users/0", F_OK) == 0
    let rootHasPIN = hasFile || wish.people.contains { $0.account.uid == 0 }
    ways.passesUnenrolled = stacks.allSatisfy {
        wish.passesUnenrolled($0.service) && !rootHasPIN && ($0.service != "login" || hasConsole())
            || $0.factor == .first
    }
    return ways
}
