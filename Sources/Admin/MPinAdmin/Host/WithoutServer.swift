// SPDX-License-Identifier: Apache-2.0
// Whether an account other than root can log in and become root by sudo while no server answers.
import MPinSystem
import MPinLogin
import MPinProof
import MPinHostStore
import Octets

/// The stacks and settings of a host, as they are or as setup plans them, and who has backup codes there.
struct WithoutServer {
    private let stack: (String) -> StackCheck?
    private let settings: (String) -> Settings?
    private let ssh: (String) -> SSHSettings?
    private let shadow = shadowEntries(fileText("/etc/shadow") ?? [])
    /// The uids that have unused backup codes.
    var codes: Set<UInt32>

    /// - Parameters:
    ///   - codes: the uids that have unused backup codes.
    ///   - stack: nil for a service without a stack that can be read.
    ///   - settings: nil for settings that cannot be read.
    ///   - ssh: sshd's settings for an account; nil: there is no sshd.
    init(
        codes: Set<UInt32>, stack: @escaping (String) -> StackCheck?,
        settings: @escaping (String) -> Settings?, ssh: @escaping (String) -> SSHSettings?
    ) { (self.codes, self.stack, self.settings, self.ssh) = (codes, stack, settings, ssh) }

    /// A way to root, as a part of a sentence. An account without a PIN is no way by its password, because it
    /// is the next to get a PIN.
    struct Way {
        let words: String
        let isByCode: Bool
    }

    /// The way of one account, or the first that there is. sudo is asked about a few accounts only: a company
    /// may have thousands.
    func firstWay(preferring uid: UInt32? = nil) -> Way? {
        if let way = uid.flatMap({ way(of: $0) }) { return way }
        var asked = 0
        for entry in passwdLines() where entry.uid != 0 {
            guard let person = person(entry), logsIn(person) else { continue }
            if let way = way(person) { return way }
            asked += 1
            if asked == 20 { break }
        }
        return nil
    }

    /// How an account becomes root; nil: it cannot.
    func way(of uid: UInt32) -> Way? {
        guard let entry = passwdLines().first(where: { $0.uid == uid }), let person = person(entry),
            logsIn(person)
        else { return nil }
        return way(person)
    }

    private struct Person {
        let entry: PasswdLine
        let hasPassword: Bool
        let hasCodes: Bool
    }

    /// nil for an account that has expired.
    private func person(_ entry: PasswdLine) -> Person? {
        let secret = shadow[entry.name]
        let today = Int(clamping: secondsSince1970() / 86_400)
        guard secret?.end.map({ $0 > today }) ?? true else { return nil }
        return Person(
            entry: entry, hasPassword: secret?.hasPassword ?? false, hasCodes: codes.contains(entry.uid))
    }

    private func logsIn(_ person: Person) -> Bool {
        guard isLoginShell(person.entry.shell) else { return false }
        return means(person, in: "login") != nil || logsInBySSH(person)
    }

    private func logsInBySSH(_ person: Person) -> Bool {
        guard let sshd = ssh(person.entry.name), letsIn(person.entry, sshd, isLocked: false),
            ["none", nil].contains(sshd["forcecommand"])
        else { return false }
        let takesKeys = sshd.isOn("pubkeyauthentication") != false
        let hasKey = takesKeys && key(of: person.entry, sshd, by: hasLoginKey) == .there
        let methods = sshd.methods
        if hasKey, methods.isEmpty || methods.contains(["publickey"]) { return true }
        guard means(person, in: "sshd") != nil else { return false }
        let asks = sshd.isOn("kbdinteractiveauthentication") == true
        guard !methods.isEmpty else { return asks || sshd.isOn("passwordauthentication") == true }
        return methods.contains { list in
            list.contains { $0.hasPrefix("keyboard-interactive") } && asks
                && (hasKey || !list.contains("publickey"))
        }
    }

    private enum Means { case password, code }

    /// By what a service lets somebody in.
    private func means(_ person: Person, in service: String) -> Means? {
        guard let stack = stack(service) else { return nil }
        if stack.passesRefused { return person.hasPassword ? .password : nil }
        guard let settings = settings(service) else { return nil }
        let isRemote = settings.remote ?? (service == "sshd" || service == "login" && !hasConsole())
        let process = ProcessFacts(isSecure: false, realUID: 0, effectiveUID: 0)
        let context = LoginContext(
            service: settings.service, account: person.entry.account, call: CallFacts(process: process),
            seat: .setting(remote: isRemote))
        // A list of exemptions with a fault exempts nobody.
        if (try? settings.exemption(in: context)) ?? nil != nil {
            return stack.asksTheIgnored && person.hasPassword ? .password : nil
        }
        do throws(AccountError) {
            guard try settings.exclusion(of: person.entry.account, in: context) == nil else { return nil }
        } catch { return nil }
        let areGood = settings.answer == .unsealed || settings.backupCodeOffline > 0
        guard person.hasCodes, areGood, settings.takesBackupCodes else { return nil }
        return stack.asksTheGranted && !person.hasPassword ? nil : .code
    }

    private func way(_ person: Person) -> Way? {
        let name = person.entry.name
        // Root's password is counted elsewhere.
        guard person.entry.uid != 0 else {
            guard means(person, in: "login") == .code else { return nil }
            return Way(words: "a backup code of root by login", isByCode: true)
        }
        guard let rules = sudoRules(of: name) else { return nil }
        let asksNothing = rules.split(separator: "\n").contains { rule in
            rule.contains("NOPASSWD: ALL") && (rule.contains("(ALL") || rule.contains("(root"))
        }
        if asksNothing {
            return Way(words: "\(shown(name)) by sudo, which asks nothing", isByCode: false)
        }
        // Then sudo asks for the password of somebody else.
        guard !["rootpw", "targetpw", "runaspw"].contains(where: { rules.contains(" \($0)") }) else {
            return nil
        }
        switch means(person, in: "sudo") {
        case .password: return Way(words: "\(shown(name))'s password by sudo", isByCode: false)
        case .code: return Way(words: "a backup code of \(shown(name)) by sudo", isByCode: true)
        case nil: return nil
        }
    }
}

/// What sudo says about an account's rules; nil if these do not let it become root.
private func sudoRules(of name: String) -> String? {
    let sudo = "/usr/bin/sudo"
    guard ran(sudo, ["-l", "-U", name, "/bin/sh"])?.status == 0 else { return nil }
    return ran(sudo, ["-l", "-U", name])?.said
}

/// The uids of the accounts that have unused backup codes; empty if there is no store yet.
func uidsWithCodes(in store: [UInt8]) -> Set<UInt32> {
    var found: Set<UInt32> = []
    do throws(StoreError) {
        let store = try FileStore(at: store)
        for uid in try store.uids() {
            // A file that cannot be read must not be replaced.
            do throws(StoreError) {
                if try store.codesLeft(uid: uid) ?? 0 > 0 { found.insert(uid) }
            } catch { found.insert(uid) }
        }
    } catch { return found }
    return found
}
