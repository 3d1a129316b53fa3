// SPDX-License-Identifier: Apache-2.0
// The steps of setup at the server: it is made and started on this host, the host joins, and users are
// enrolled.
import CPlatform
import MPinSystem
import MPinHostStore
import MPinLogin
import MPinProof
import MPinWire
import Secrets

extension LocalServer {
    /// The text of a new mpind.conf. With it mpind opens no port to the network, and needs a code for every
    /// registration.
    static let newSettings = """
        # Written by mpin setup. mpind.conf(5) explains every key; a missing key has its default.
        listen = unix:/run/mpind/mpind.sock
        admin-socket = /run/mpind/admin.sock

        """
}

extension Setup {
    /// Makes the server if there is none, and starts it if it does not run.
    func startServer(_ plan: SetupPlan) throws(Failure) {
        let server = try LocalServer()
        guard !server.answers else { return }
        guard unsafe access(LocalServer.program, X_OK) == 0 else {
            throw Failure(
                .settings,
                "mpind is not installed on this host. Install mpin-server, or name another host: --backend "
                    + "ADDRESS.")
        }
        if plan.makesServerSettings { try writeServerSettings() }
        dialogue.progress("Making the server ...")
        let made = ran(LocalServer.program, ["init"])
        // The exit status 1 says that there is a server already, and nothing else.
        guard let made, made.status == 0 || made.status == 1 else {
            throw Failure(.broken, "mpind init failed: \(oneLine(made?.said ?? "it cannot be started"))")
        }
        try start(server)
    }

    private func writeServerSettings() throws(Failure) {
        makeOpenFolder("/etc/mpin")
        // mpind reads it as the user _mpind.
        let group = try account(named: Array("_mpind".utf8))?.gid ?? getegid()
        let file = HostFile(new: ServerLocation.file, mode: 0o640, group: group)
        try Failure.ofFile(file.replace(with: Array(LocalServer.newSettings.utf8)))
    }

    private func start(_ server: LocalServer) throws(Failure) {
        guard unsafe access("/run/systemd/system", F_OK) == 0 else {
            throw Failure(
                .unreachable,
                "The server is made, but nothing here starts it: systemd does not run. Start 'mpind serve' "
                    + "as you start other services, then run this command again.")
        }
        dialogue.progress("Starting the server ...")
        let started = ran("/usr/bin/systemctl", ["enable", "--now"] + server.units)
        guard let started, started.status == 0 else {
            throw Failure(.broken, "systemctl cannot start mpind: \(oneLine(started?.said ?? ""))")
        }
        // The first request starts the service behind the sockets.
        for _ in 0..<100 {
            if server.answers { return }
            usleep(100_000)
        }
        throw Failure(
            .unreachable, "mpind was started but does not answer. 'sudo journalctl -u mpind' shows why.")
    }
}

/// The account whose login proves the stacks, and its PIN if it was typed a moment ago.
struct Prover: ~Copyable {
    let account: Account
    let pin: Secret?
}

extension Setup {
    /// Fetches the host key from the server.
    func join(_ wish: SetupWish, _ settings: Settings) throws(Failure) {
        dialogue.progress("Joining \(shown(wish.settings.backend)) as '\(shown(wish.host))' ...")
        _ = try joinServer(as: wish.host, settings) { host throws(Failure) in
            guard !wish.isHere else { return try LocalServer().join(host) }
            return try dialogue.code("join code").answer(
                "Join code for \(shown(wish.host)) (from 'sudo mpind host add NAME'): "
            ) {
                typed throws(Failure) in try joining(host, typed)
            }
        }
    }

    /// Enrols the named users who have no PIN yet.
    /// - Parameter config: the path of mpin.conf, or of its draft.
    /// - Returns: the first user enrolled now, else a named user with a PIN, else any account with a PIN on
    ///   this host; nil if there is none.
    func enrolled(
        _ wish: SetupWish, config: String, _ report: inout SetupReport
    ) throws(Failure) -> Prover? {
        var first: Account?
        var kept: Secret?
        for person in wish.people where try !hasPIN(person.account.uid) {
            let name = text(person.account.name)
            dialogue.progress("Enrolling \(name) as \(shown(person.identity)) ...")
            var copy: Secret?
            let enrolled = try enrolment(person.identity, isHere: wish.isHere, config: config).enrolHere(name)
            {
                pin throws(Failure) in
                do {
                    copy = try pin.withBytes { octets throws(OutOfMemory) in try Secret(copying: octets) }
                } catch { throw .outOfMemory }
            }
            if let failure = enrolled.failures.first { throw failure }
            report.enrolled.append(name)
            if first == nil {
                first = person.account
                kept = copy.take()
            }
        }
        if let first { return Prover(account: first, pin: kept.take()) }
        for person in wish.people where try hasPIN(person.account.uid) {
            return Prover(account: person.account, pin: nil)
        }
        guard let other = try anAccountWithPIN() else { return nil }
        return Prover(account: other, pin: nil)
    }

    private func enrolment(_ identity: String, isHere: Bool, config: String) -> Enrolment {
        var enrolment = Enrolment(at: ServerChoice(config: [UInt8](config.utf8)), dialogue)
        (enrolment.name, enrolment.isHere) = (identity, isHere)
        return enrolment
    }

    private func hasPIN(_ uid: UInt32) throws(Failure) -> Bool {
        do throws(StoreError) {
            let store = try FileStore(at: places.store)
            guard let file = try store.user(uid: uid) else { return false }
            return file.identities.contains { $0.pin != nil }
        } catch { throw Failure(error) }
    }

    /// An account with a PIN. Root comes last: remote services may refuse root.
    private func anAccountWithPIN() throws(Failure) -> Account? {
        var uids = try Failure.ofStore(FileStore(at: places.store).uids())
        uids = uids.filter { $0 != 0 } + uids.filter { $0 == 0 }
        for uid in uids where try hasPIN(uid) {
            let name: [UInt8]?
            do throws(StoreError) {
                let store = try FileStore(at: places.store)
                if let file = try store.user(uid: uid) { name = file.name } else { name = nil }
            } catch { throw Failure(error) }
            if let name, let account = try account(named: name), account.uid == uid { return account }
        }
        return nil
    }
}
