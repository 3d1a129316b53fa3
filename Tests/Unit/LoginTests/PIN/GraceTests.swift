// SPDX-License-Identifier: Apache-2.0
// `grace` of mpin.conf: how it is read, which logins are remembered, for how long, and in which file.
import Foundation
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Testing

private let root = Account(uid: 0, gid: 0, name: Array("root".utf8))
private let bob = Account(uid: 4_712, gid: 4_712, name: Array("bob".utf8))

/// The logins of one machine, whose /run is a folder of the test.
private struct Machine {
    let folder = try? Folder()

    /// A remote login with a public key, by default through sshd.
    func afar(
        _ account: Account? = alice, service: String = "sshd", from rhost: String = "203.0.113.9",
        key: String = "publickey ssh-ed25519 AAAA\n", tty: String = "ssh"
    ) -> Grace? {
        grace(
            account, service,
            CallFacts(
                rhost: Array(rhost.utf8), tty: Array(tty.utf8), authInfo: Array(key.utf8),
                process: ProcessFacts(isSecure: false, realUID: 0, effectiveUID: 0)))
    }

    /// A local login by sudo, which alice started.
    func here(
        _ account: Account? = alice, service: String = "sudo", realUID: UInt32 = 4_711,
        isSecure: Bool = true, session: String? = "34816 100 5000"
    ) -> Grace? {
        let process = ProcessFacts(isSecure: isSecure, realUID: realUID, effectiveUID: 0)
        return grace(account, service, CallFacts(tty: Array("/dev/pts/0".utf8), process: process), session)
    }

    private func grace(
        _ account: Account?, _ service: String, _ call: CallFacts, _ session: String? = nil
    ) -> Grace? {
        let context = LoginContext(
            service: Array(service.utf8), account: account, call: call,
            seat: SeatRow(call, account: account, remote: nil))
        return Grace(
            of: context, call, root: folder?.octets ?? [], session: { session.map { Array($0.utf8) } })
    }

    /// The files in which grace is recorded.
    var files: [String] {
        let place = (folder?.path ?? "") + "/mpin/grace"
        let names = try? FileManager.default.contentsOfDirectory(atPath: place)
        return (names ?? []).map { "\(place)/\($0)" }
    }
}

@Suite struct `The grace of a login` {
    @Test(arguments: [
        ("off", 0), ("1m", 60), ("60s", 60), ("60", 60), ("90s", 90), ("5m", 300), ("60m", 3_600),
        ("3600s", 3_600),
    ])
    func `lasts the given number of seconds`(_ value: String, _ seconds: Int) throws {
        let fixture = try LoginFixture(enrolled: false)
        #expect(try fixture.settings("[su]\ngrace = \(value)").grace == seconds)
        #expect(try fixture.settings("[sudo]\ngrace = \(value)").grace == 0)
    }

    @Test(arguments: [
        "", "0", "1", "59s", "0m", "61m", "3601", "1h", "5 m", "m", "s", "-5m", "5M", "5ms", "on", "none",
    ])
    func `is from one minute to sixty`(_ value: String) throws {
        let fixture = try LoginFixture(enrolled: false)
        let error = #expect(throws: SettingsError.self) { try fixture.settings("[su]\ngrace = \(value)") }
        #expect(error?.key == Array("grace".utf8) && error?.problem == .key(.badValue))
    }

    @Test func `can be set only for a service`() throws {
        let fixture = try LoginFixture(enrolled: false)
        let error = #expect(throws: SettingsError.self) { try fixture.settings("grace = 5m") }
        #expect(error?.key == Array("grace".utf8) && error?.problem == .conflict(.needsSection))
    }

    @Test func `applies to the same user from the same place`() throws {
        let machine = Machine()
        // One after the other: both may use the same file.
        try #require(machine.afar()).record(now: 1_000)
        #expect(machine.afar()?.age(within: 60, now: 1_010) == 10)
        try #require(machine.here()).record(now: 2_000)
        #expect(machine.here()?.age(within: 60, now: 2_010) == 10)
    }

    @Test func `of a remote login applies to the same key, address, service and account`() throws {
        let machine = Machine()
        try #require(machine.afar()).record(now: 1_000)
        for other in [
            machine.afar(key: "publickey ssh-ed25519 BBBB\n"), machine.afar(from: "203.0.113.10"),
            machine.afar(service: "ftpd"), machine.afar(bob), machine.here(service: "sshd"),
            machine.afar(key: "publickey ssh-ed25519 AAAA\npassword\n"),
        ] {
            #expect(try #require(other).age(within: 60, now: 1_010) == nil)
        }
        // Without a known key or a known address there is no grace.
        for other in [
            machine.afar(key: ""), machine.afar(key: "password\n"), machine.afar(from: "host.example.org"),
            machine.afar(tty: "pts/0"), machine.afar(nil), machine.afar(from: ""),
        ] {
            #expect(other == nil)
        }
    }

    @Test func `of a local login applies to the same session and service`() throws {
        let machine = Machine()
        try #require(machine.here()).record(now: 1_000)
        for other in [
            machine.here(session: "34817 100 5000"), machine.here(session: "34816 101 5000"),
            machine.here(session: "34816 100 5001"), machine.here(service: "su"),
            machine.here(bob, realUID: 4_712),
        ] {
            #expect(try #require(other).age(within: 60, now: 1_010) == nil)
        }
    }

    @Test func `does not apply where the caller is not the account's own process, nor to root`() {
        let machine = Machine()
        // A process of another account, one of a daemon, and one without a session of its own.
        #expect(machine.here(bob) == nil && machine.here(realUID: 0) == nil)
        #expect(machine.here(isSecure: false) == nil && machine.here(session: nil) == nil)
        #expect(machine.here(root, realUID: 0) == nil && machine.afar(root) == nil)
    }

    @Test func `ends by the monotonic clock, and use does not extend it`() throws {
        let machine = Machine()
        let grace = try #require(machine.afar())
        grace.record(now: 1_000)
        let ages: [(UInt64, Int?)] = [(1_000, 0), (1_059, 59), (1_060, nil), (2_000, nil), (1_001, 1)]
        for (now, age) in ages { #expect(grace.age(within: 60, now: now) == age, "\(now)") }
        #expect(grace.age(within: 60, now: 999) == nil, "a login in the future")
        #expect(grace.age(within: 60, now: 0) == nil)
        grace.record(now: 1_500)
        #expect(grace.age(within: 60, now: 1_540) == 40)
        grace.record(now: 0)
        #expect(grace.age(within: 60, now: 0) == nil, "a clock that failed")
    }

    @Test func `is recorded in a file that only its owner can read`() throws {
        let machine = Machine()
        try #require(machine.afar()).record()
        #expect(try #require(machine.afar()).age(within: 60) != nil)
        let file = try #require(machine.files.first)
        #expect(machine.files.count == 1 && file.contains("/grace/4711."))
        for (path, mode) in [(file, 0o600), ((machine.folder?.path ?? "") + "/mpin/grace", 0o700)] {
            let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(found == mode)
        }
    }

    @Test(arguments: ["short", "long", "empty", "open", "link", "folder", "gone"])
    func `does not apply if its file is not as it must be`(_ damage: String) throws {
        let machine = Machine()
        let grace = try #require(machine.afar())
        grace.record(now: 1_000)
        let file = try #require(machine.files.first)
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(whole.count == 40)
        switch damage {
        case "short": try whole.dropLast().write(to: URL(fileURLWithPath: file))
        case "long": try (whole + [0]).write(to: URL(fileURLWithPath: file))
        case "empty": try Data().write(to: URL(fileURLWithPath: file))
        case "open":
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        case "folder":
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        case "gone": try FileManager.default.removeItem(atPath: file)
        default:
            try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
            try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file + ".away")
        }
        if damage != "open", damage != "folder", damage != "link", damage != "gone" {
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
        #expect(grace.age(within: 60, now: 1_010) == nil)
    }

    @Test(.enabled(if: geteuid() == 0)) func `does not apply if its file has another owner`() throws {
        let machine = Machine()
        let grace = try #require(machine.afar())
        grace.record(now: 1_000)
        try #require(unsafe chown(machine.files.first ?? "", 65_534, 0) == 0)
        #expect(grace.age(within: 60, now: 1_010) == nil)
    }

    @Test func `applies only to enrolled users whom the settings admit, and only where it is set`() throws {
        let fixture = try LoginFixture()
        let call = CallFacts(process: ProcessFacts(isSecure: true, realUID: alice.uid, effectiveUID: 0))
        let context = LoginContext(
            service: Array("su".utf8), account: alice, call: call,
            seat: SeatRow(call, account: alice, remote: nil))
        let grace = try #require(
            Grace(of: context, call, root: fixture.folder.octets, session: { Array("0 1 2".utf8) }))
        grace.record()
        func ending(_ lines: String, mayLetIn: Bool = true) throws -> Unasked? {
            try fixture.settings(lines).unasked(in: context, mayLetIn: mayLetIn, before: grace)
        }
        let set = "[su]\ngrace = 5m\n"
        guard case .grace(let seconds)? = try ending(set) else {
            Issue.record("asked")
            return
        }
        #expect((0..<60).contains(seconds))
        #expect(try ending("") == nil && ending(set + "users = !alice") == nil)
        #expect(try ending(set + "never = alice 4711") == nil && ending(set, mayLetIn: false) == nil)
        let files = try FileStore(at: fixture.store)
        try files.remove(try fixture.ids(files), of: alice, host: fixture.host)
        #expect(try ending(set) == nil, "no longer enrolled")
    }

    @Test func `follows a login that the server confirmed`() throws {
        let fixture = try LoginFixture()
        guard case .granted(let grant) = try fixture.login(LoginFixture.pin).outcome else {
            Issue.record("not let in")
            return
        }
        #expect(grant.isConfirmed)
    }

    @Test func `identifies the session of this process as the kernel does`() {
        // A session leader in another PID namespace has no number here.
        guard let session = callersSession() else { return }
        let words = String(decoding: session, as: UTF8.self).split(separator: " ")
        #expect(words.count == 3 && words[1] == "\(getsid(0))")
    }
}
