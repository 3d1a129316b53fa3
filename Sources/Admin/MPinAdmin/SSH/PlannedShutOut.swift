// SPDX-License-Identifier: Apache-2.0
// Finds and reports, before sshd asks for a key and M-Pin, the accounts that it lets in today and will no
// longer let in.
import CPlatform
import MPinHostStore
import MPinLogin
import MPinProof
import MPinSystem
import Octets

extension Setup {
    /// Asks about the accounts that ssh would no longer let in. Without a terminal, throws unless
    /// `--shut-out` was given.
    func confirmShutOut(_ plan: SetupPlan) throws(Failure) {
        let all = plan.shutOut.filter(\.reason.mustBeAgreed)
        guard !shutsOut, !all.isEmpty else { return }
        guard !isAgreed, !isForPrograms, dialogue.isAtTerminal else {
            let count = all.count == 1 ? "1 account" : "\(all.count) accounts"
            let names = ShutOutReport.names(all.map(ShutOutReport.init))
            throw Failure(
                .refused,
                "\(count) could no longer log in by ssh as before: \(names). Give people a key and a PIN, "
                    + "and automation a 'Match User' block (AUTOMATION in pam_mpin(8)), or use "
                    + "--shut-out. Nothing was changed.")
        }
        try agree("Shut them out of ssh, and go on? [y/N] ", otherwise: "Use --shut-out.")
    }
}

extension SetupPlan.Stack {
    /// The current factor of the stack; nil if the stack does not ask M-Pin.
    fileprivate var now: Factor? { (try? PAMFile(service, text: file.text))?.factor }
}

/// The accounts that sshd lets in today, but no longer with the new stack and the drop-in.
func plannedShutOut(_ wish: SetupWish, stacks: [SetupPlan.Stack], _ ssh: SSHPlan?) -> [ShutOut] {
    guard let ssh, let stack = stacks.first(where: { $0.service == "sshd" }) else { return [] }
    let shadow = shadowEntries(fileText("/etc/shadow") ?? [])
    let enrolled = enrolledUIDs(in: wish.places.store).union(wish.people.map(\.account.uid))
    let asksNow = (try? wish.places.stacks.stack("sshd"))?.places().isEmpty == false
    let passesNow = !asksNow || passesUnenrolled(wish, stack)
    let passesThen = wish.passesUnenrolled("sshd") || stack.factor == .first
    let standing = try? wish.loaded(for: "sshd")
    let today = Int(clamping: secondsSince1970() / 86_400)
    return passwdLines().compactMap { entry in
        let secret = shadow[entry.name]
        guard secret?.end.map({ $0 > today }) ?? true, let settings = ssh.settings(of: entry.name),
            letsIn(entry, settings.now, isLocked: secret?.isLocked ?? false)
        else { return nil }
        // An account without a line in /etc/shadow may have its password in another database.
        let isEmpty = secret?.hasEmptyPassword ?? false
        let typesNothing = isEmpty && settings.now.isOn("permitemptypasswords") == true
        let account = SSHAccount(
            name: entry.name, uid: entry.uid, key: key(of: entry, settings.now),
            hasPassword: (secret?.hasPassword ?? true) || typesNothing,
            isEnrolled: enrolled.contains(entry.uid), isExempt: standing.map { isExempt(entry, $0) } ?? false)
        return ShutOut(
            account,
            before: SSHAccess(
                settings: settings.now, asksPIN: asksNow, takesPassword: passesNow,
                asksBoth: stack.now == .second),
            after: SSHAccess(
                settings: settings.then, asksPIN: true, takesPassword: passesThen,
                asksBoth: stack.factor == .second))
    }
}

/// Whether an account is exempt from every address. If that cannot be found out, it is not.
private func isExempt(_ entry: PasswdLine, _ settings: Settings) -> Bool {
    guard settings.exempts, let found = try? account(named: Array(entry.name.utf8)) else { return false }
    let process = ProcessFacts(isSecure: false, realUID: 0, effectiveUID: 0)
    let context = LoginContext(
        service: settings.service, account: found, call: CallFacts(tty: Array("ssh".utf8), process: process),
        seat: .setting(remote: true))
    return (try? settings.exemption(in: context)) != nil
}

/// Whether the current stack asks a user without a PIN for the password.
private func passesUnenrolled(_ wish: SetupWish, _ stack: SetupPlan.Stack) -> Bool {
    return stack.now == .first || (try? wish.loaded(for: "sshd"))?.unenrolled == .ignore
}

/// Whether sshd admits an account at all: it has a shell or needs none, is not locked, and AllowUsers and
/// similar settings do not exclude it.
func letsIn(_ entry: PasswdLine, _ settings: SSHSettings, isLocked: Bool) -> Bool {
    let needsNoShell =
        settings.values(of: "subsystem").contains { $0.hasPrefix("sftp internal-sftp") }
        || settings["forcecommand"]?.hasPrefix("internal-sftp") == true
    guard needsNoShell || isLoginShell(entry.shell) else { return false }
    // PAM ignores the `!` of a locked account; sshd without PAM does not.
    guard !isLocked || settings.isOn("usepam") != false else { return false }
    let asksGroups = settings["allowgroups"] != nil || settings["denygroups"] != nil
    return settings.admits(entry.name, groups: asksGroups ? groupNames(entry.name) : [])
}

func isLoginShell(_ shell: String) -> Bool {
    let path = shell.isEmpty ? "/bin/sh" : shell
    guard !path.hasSuffix("/nologin"), !path.hasSuffix("/false") else { return false }
    return unsafe access(path, X_OK) == 0
}

private func groupNames(_ name: String) -> [String] {
    guard let found = try? account(named: Array(name.utf8)), let groups = try? found.groups(strictly: false)
    else { return [] }
    return groups.map { String(decoding: $0, as: UTF8.self) }
}

/// Whether an account has an authorized key. Like sshd, this looks with the rights of the account, so that a
/// link cannot lead to files that the account may not read.
/// - Parameter has: finds such a key in a text of authorized_keys.
func key(
    of entry: PasswdLine, _ settings: SSHSettings, by has: ([UInt8]) -> Bool = hasKey
) -> SSHAccount.Key {
    let files = settings.keyFiles(of: entry.name, uid: entry.uid, home: entry.home)
    let found = acting(as: entry) { files.contains { has(fileText($0) ?? []) } }
    guard let found else { return .none }
    return found ? .there : settings.hasUnseenKeys ? .unseen : .none
}

/// Runs `body` with an account's rights on files; then this thread has its own again. nil if the caller may
/// not do that.
private func acting<R>(as entry: PasswdLine, _ body: () -> R) -> R? {
    guard geteuid() == 0 else { return entry.uid == geteuid() ? body() : nil }
    var own = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    guard unsafe getgroups(CInt(own.count), &own) == own.count else { return nil }
    guard let groups = try? groupIDs(of: Array(entry.name.utf8), gid: entry.gid) else { return nil }
    defer { if unsafe mpin_use_files_as(0, getegid(), own, own.count) != 0 { abort() } }
    return unsafe mpin_use_files_as(entry.uid, entry.gid, groups, groups.count) == 0 ? body() : nil
}

/// The uids that have a PIN or a second device here; empty if there is no store yet.
private func enrolledUIDs(in folder: [UInt8]) -> Set<UInt32> {
    var found: Set<UInt32> = []
    do throws(StoreError) {
        let store = try FileStore(at: folder)
        for uid in try store.uids() where isEnrolled(uid, in: store) { found.insert(uid) }
    } catch { return [] }
    return found
}

private func isEnrolled(_ uid: UInt32, in store: borrowing FileStore) -> Bool {
    do throws(StoreError) {
        guard let file = try store.user(uid: uid) else { return false }
        return !file.identities.isEmpty
    } catch { return false }
}

/// The JSON of one account.
struct ShutOutReport: Encodable {
    let account: String
    let reason: String

    init(_ shutOut: ShutOut) {
        account = shown(shutOut.account)
        reason = shutOut.reason.rawValue
    }

    /// The accounts as a list for a sentence.
    static func names(_ all: [ShutOutReport]) -> String {
        let names = all.prefix(ShutOut.mostNames).map { "\($0.account) (\($0.reason))" }
        let rest = all.count > names.count ? " and \(all.count - names.count) more" : ""
        return names.joined(separator: ", ") + rest
    }
}

extension ShutOut {
    /// The largest number of accounts that are named; of the others only the number is shown.
    static let mostNames = 20

    /// The accounts with their reasons, for the administrator who decides.
    ///
    /// - Parameters:
    ///   - exemptsSources: whether some addresses are exempt.
    ///   - isHere: whether the server is on this machine.
    static func lines(_ every: [ShutOut], exemptsSources: Bool, isHere: Bool) -> [String] {
        let all = every.filter(\.reason.mustBeAgreed)
        let exempt = exemptLine(every)
        guard !all.isEmpty else { return exempt }
        var lines = ["ssh lets these accounts in today, but will no longer, or not as before:"]
        lines += all.prefix(mostNames).map { "    \($0.sentence)" }
        if all.count > mostNames { lines.append("    And \(all.count - mostNames) more.") }
        let enrolment = ServerPlace.enrolmentCommand(isHere: isHere)
        lines.append("People need a key in authorized_keys, and a PIN ('\(enrolment)') or a second device.")
        if all.contains(where: { $0.reason != .noKey }) {
            lines.append(
                "Programs that log in by key (Ansible, scp, rsync) need a 'Match User' block: see AUTOMATION "
                    + "in pam_mpin(8).")
        }
        if exemptsSources {
            lines.append(
                "From the addresses of 'exempt-from' a key is enough, but not for a client with 'BatchMode "
                    + "yes'.")
        }
        return lines + exempt
    }

    /// The lines about accounts that mpin.conf exempts, but whose programs may no longer get in.
    private static func exemptLine(_ every: [ShutOut]) -> [String] {
        let names = every.filter { !$0.reason.mustBeAgreed }.map { shown($0.account) }
        guard !names.isEmpty else { return [] }
        let rest = names.count > mostNames ? " and \(names.count - mostNames) more" : ""
        return [
            "Exempt in mpin.conf, so they still log in by key: "
                + names.prefix(mostNames).joined(separator: ", ") + rest + ".",
            "But programs that answer no questions (ssh with 'BatchMode yes', Ansible) do not get in. Run "
                + "ssh without 'BatchMode yes', or give the account a 'Match User' block: see AUTOMATION in "
                + "pam_mpin(8).",
        ]
    }

    private var sentence: String {
        let name = shown(account)
        return switch reason {
        case .noKey: "\(name) has no authorized key, and sshd will ask for one."
        case .keyUnseen: "\(name) has no authorized key in a file; sshd may know one from elsewhere."
        case .notEnrolled: "\(name) has a key, but is not enrolled: M-Pin will not let it in."
        case .passwordAsked:
            "\(name) has a key, but is not enrolled: it will be asked for the Unix password too, which no "
                + "program answers."
        case .batchMode: "\(name) is exempt: its key lets it in, but not with 'BatchMode yes'."
        case .noMethod: "\(name) is in a 'Match' block of sshd's settings that will leave it no way in."
        }
    }
}
