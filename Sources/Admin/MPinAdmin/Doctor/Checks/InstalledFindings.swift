// SPDX-License-Identifier: Apache-2.0
// Checks of the module, the relay and the user '_mpin': existence, owners and modes, and whether they work.
import CPlatform
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets

#if arch(x86_64)
    private let machine = "x86_64"
#else
    private let machine = "aarch64"
#endif

extension Check {
    static let module = Check("module", reads: "pam_mpin.so") { $0.doctor.moduleFindings }

    static let relay = Check("relay", reads: "mpin-relay") { run in
        let settings = try? run.settings.get()
        return run.doctor.relayFindings(
            String(decoding: settings?.relay ?? Settings.standardRelay, as: UTF8.self))
    }

    static let relayUser = Check("relay user", reads: "the passwd database, and who owns M-Pin's files") {
        $0.doctor.relayUserFindings
    }
}

extension Doctor {
    /// Where libpam looks for the module if a stack names it without a path.
    static let module = "/usr/lib/\(machine)-linux-gnu/security/\(pamModule)"

    private static let reinstall = "Install the package libpam-mpin again."

    fileprivate var moduleFindings: [Finding] {
        let path = Self.module
        guard let facts = fileFacts(path), facts.kind == .file else {
            return [
                Finding(problem: "module-missing", "There is no \(path).", "Install the package libpam-mpin.")
            ]
        }
        let rule = FileRule(path, .file, owners: [0], mode: 0o644, forbidden: 0o022)
        // A module that another user could have written is not loaded here.
        if let finding = rule.finding(facts, "module-open") { return [finding] }
        guard let why = loadingFailure(path) else {
            return [Finding(ok: "module", "\(path) belongs to root and loads.")]
        }
        return [Finding(problem: "module-broken", "\(path) does not load: \(why)", Self.reinstall)]
    }

    fileprivate func relayFindings(_ path: String) -> [Finding] {
        guard let facts = fileFacts(path), facts.kind == .file else {
            return [Finding(problem: "relay-missing", "There is no program \(path).", Self.reinstall)]
        }
        let rule = FileRule(path, .file, owners: owners, mode: 0o755, forbidden: 0o022)
        if let finding = rule.finding(facts, "relay-open") { return [finding] }
        guard facts.mode & 0o111 == 0o111 else {
            return [
                Finding(
                    problem: "relay-open", "Not everybody can run \(path), and '_mpin' must be able to.",
                    "Run 'sudo chmod 755 \(shellWord(path))', or 'sudo mpin doctor --fix'.",
                    // If nobody can run it, `relay` may name another file by mistake, which stays closed.
                    fix: facts.mode & 0o111 == 0 ? nil : .protect(path: path, mode: 0o755))
            ]
        }
        return []
    }

    fileprivate var relayUserFindings: [Finding] {
        guard let user = try? passwdEntry(named: ascii("_mpin")) else {
            return [
                Finding(
                    problem: "relay-user-missing",
                    "There is no user '_mpin', and without it nobody can log in.",
                    "Install the package libpam-mpin again, or run 'sudo systemd-sysusers'.")
            ]
        }
        let others = passwdNames(of: user.uid).filter { $0 != "_mpin" }
        guard user.uid != 0, user.gid != 0, others.isEmpty else {
            return [
                Finding(
                    problem: "relay-user-shared",
                    "'_mpin' shares its uid \(user.uid) or its group with "
                        + (others.first.map { "'\(shown($0))'." } ?? "root."),
                    "Give '_mpin' a uid and a group of its own.")
            ]
        }
        let folders = ["/etc/mpin", "/var/lib/mpin", "/var/lib/mpin/users", "/usr/libexec/pam_mpin"]
        let files = folders.flatMap { folder in [folder] + names(in: folder).map { folder + "/" + $0 } }
        guard let own = files.first(where: { fileFacts($0)?.uid == user.uid }) else { return [] }
        return [
            Finding(
                problem: "relay-user-owns", "\(shown(own)) belongs to '_mpin', which must own no file.",
                "Look at what is in it, then run 'sudo chown root \(shellWord(shown(own)))'.")
        ]
    }
}

/// Why libpam cannot load a module; nil if it can. The attempt runs in a child process.
private func loadingFailure(_ path: String) -> String? {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return "no pipe could be created." }
    let child = mpin_fork()
    if child == 0 {
        let handle = unsafe dlopen(path, RTLD_NOW)
        let isModule = unsafe handle != nil && dlsym(handle, "pam_sm_authenticate") != nil
        if !isModule, let words = unsafe dlerror() { _ = unsafe write(ends[1], words, strlen(words)) }
        _exit(isModule ? 0 : 1)
    }
    close(ends[1])
    defer { close(ends[0]) }
    guard child > 0 else { return "no process could be created." }
    var words = [UInt8](repeating: 0, count: 300)
    let count = unsafe read(ends[0], &words, words.count)
    var status: CInt = 0
    while unsafe waitpid(child, &status, 0) < 0 && mpin_errno() == EINTR {}
    guard status != 0 else { return nil }
    return count > 0
        ? text([UInt8](words.prefix(count))) + "." : "the process that tried it ended (\(status))."
}

/// Every name in /etc/passwd that has this uid.
func passwdNames(of uid: UInt32) -> [String] {
    let lines = (fileText("/etc/passwd") ?? []).split(separator: 0x0a)
    return lines.compactMap { line in
        let fields = line.split(separator: 0x3a, omittingEmptySubsequences: false)
        guard fields.count > 2, UInt32(String(decoding: fields[2], as: UTF8.self)) == uid else { return nil }
        return String(decoding: fields[0], as: UTF8.self)
    }
}
