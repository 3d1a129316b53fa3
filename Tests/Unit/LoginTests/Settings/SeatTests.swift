// SPDX-License-Identifier: Apache-2.0
// The table that decides whether a user is at this host: every row, and the order of the rows.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Testing

@Suite struct `A seat` {
    private static let person = ProcessFacts(isSecure: true, realUID: 1_001, effectiveUID: 0)
    private static let daemon = ProcessFacts(isSecure: false, realUID: 0, effectiveUID: 0)

    private static func atTerminal(_ major: UInt32, uid: UInt32 = 0) -> ProcessFacts {
        ProcessFacts(isSecure: false, realUID: uid, effectiveUID: uid, terminalMajor: major)
    }

    private func context(
        _ process: ProcessFacts, rhost: String = "", tty: String = "", remote: Bool? = nil,
        account: Account? = alice
    ) -> LoginContext {
        let call = CallFacts(rhost: Array(rhost.utf8), tty: Array(tty.utf8), process: process)
        return LoginContext(
            service: Array("su".utf8), account: account, call: call,
            seat: SeatRow(call, account: account, remote: remote))
    }

    @Test(
        arguments: [
            (person, "", "", true, SeatRow.setting(remote: true), "unknown"),
            (person, "", "", false, .setting(remote: false), "local:1001"),
            (daemon, "", "", false, .setting(remote: false), "local:0:su"),
            (daemon, "192.0.2.7", "ssh", false, .setting(remote: false), "local:0:su"),
            (atTerminal(4), "192.0.2.7", "tty1", true, .setting(remote: true), "192.0.2.7"),
        ] as [(ProcessFacts, String, String, Bool, SeatRow, String)])
    func `follows the setting of the service`(
        _ process: ProcessFacts, _ rhost: String, _ tty: String, _ remote: Bool, _ row: SeatRow,
        _ source: String
    ) {
        let context = context(process, rhost: rhost, tty: tty, remote: remote)
        #expect(context.seat == row && context.isRemote == remote)
        #expect(context.source == Array(source.utf8))
        // A local source has no network address.
        #expect((context.address == nil) == !(remote && !rhost.isEmpty))
    }

    @Test(arguments: [
        (person, "192.0.2.7", "pts/1", "192.0.2.7"), (person, "", "ssh", "unknown"),
        (person, "sandbox", "pts/1", "unknown"), (daemon, "sandbox", "", "unknown"),
        (atTerminal(4), "192.0.2.7", "tty1", "192.0.2.7"), (atTerminal(4), "sandbox", "tty1", "unknown"),
    ])
    func `is remote if PAM names a host or sshd`(
        _ process: ProcessFacts, _ rhost: String, _ tty: String, _ source: String
    ) {
        let context = context(process, rhost: rhost, tty: tty)
        #expect(context.seat == .network && context.isRemote && context.source == Array(source.utf8))
    }

    @Test func `is local although sudo names this very host`() {
        func seat(_ rhost: String, secure: Bool = true, uid: UInt32 = 1_001) -> SeatRow {
            let process = ProcessFacts(
                isSecure: secure, realUID: uid, effectiveUID: 0, hostName: Array("sandbox".utf8))
            return context(process, rhost: rhost, tty: "pts/1").seat
        }
        #expect(seat("sandbox") == .setuid)
        #expect(seat("sandbox.example.org") == .network)
        #expect(seat("sandbox", secure: false) == .network)
        #expect(seat("sandbox", uid: 33) == .network)
    }

    @Test(
        arguments: [
            (1_001, 0, SeatRow.setuid), (1_000, 0, .setuid), (60_513, 0, .setuid), (65_536, 0, .setuid),
            (999, 0, .setuidService),
            (33, 0, .setuidService), (60_514, 0, .setuidService), (65_534, 0, .setuidService),
            (0, 0, .setuidService), (1_001, 1_001, .unproved),
            (33, 33, .setuidService),
        ] as [(UInt32, UInt32, SeatRow)])
    func `is local for a user who started a setuid program`(
        _ real: UInt32, _ effective: UInt32, _ row: SeatRow
    ) {
        let process = ProcessFacts(isSecure: true, realUID: real, effectiveUID: effective)
        for tty in ["", "/dev/pts/7", "tty1", ":0"] {
            let context = context(process, tty: tty)
            #expect(context.seat == row)
            #expect(context.source == Array((row == .setuid ? "local:\(real)" : "unknown").utf8))
        }
    }

    @Test(
        arguments: [
            ("", 999, false), ("", 1_000, true), ("UID_MIN 500\n", 500, true), ("UID_MIN\t500", 499, false),
            ("UID_MAX 65535", 60_514, true), ("UID_MAX 65535", 65_533, true),
            ("UID_MAX 65535", 65_534, false),
            ("UID_MAX 65535", 65_535, false), ("UID_MAX 60000", 60_513, true),
            ("UID_MAX 60000", 61_184, false),
            ("UID_MIN 70000\nUID_MAX 80000", 65_536, false), ("#UID_MIN 500", 500, false),
            ("UID_MIN 500\nUID_MIN 900", 500, false), ("SYS_UID_MIN 100", 100, false),
            ("UID_MIN 0", 0, false),
            ("UID_MIN -1", 999, false), ("UID_MIN 5\nUID_MAX 4", 5, false),
            ("UID_MIN 99999999999999", 1_000, true),
        ] as [(String, UInt32, Bool)])
    func `is a person's by login.defs`(_ text: String, _ uid: UInt32, _ isPerson: Bool) {
        #expect(PersonalUIDs(loginDefs: Array(text.utf8)).contains(uid) == isPerson)
    }

    @Test func `is local for a service account that logs in as itself`() {
        let web = Account(uid: 33, gid: 33, name: Array("www-data".utf8))
        let process = ProcessFacts(isSecure: true, realUID: 33, effectiveUID: 0)
        #expect(context(process, account: web).seat == .setuid)
        #expect(context(process, account: nil).seat == .setuidService)
    }

    @Test(
        arguments: [
            ("tty1", 4, "local:0:tty1"), ("/dev/ttyS0", 4, "local:0:ttyS0"),
            ("/dev/hvc0", 229, "local:0:hvc0"),
        ] as [(String, UInt32, String)])
    func `is local for root's process at a real terminal`(_ tty: String, _ major: UInt32, _ source: String) {
        let context = context(Self.atTerminal(major), tty: tty)
        #expect(context.seat == .console && !context.isRemote && context.source == Array(source.utf8))
    }

    @Test(arguments: [
        (daemon, ""), (daemon, "tty1"), (daemon, ":0"), (daemon, "cron"),
        (atTerminal(136), "/dev/pts/3"), (atTerminal(143), "tty1"), (atTerminal(128), "tty1"),
        (atTerminal(2), "ptyp0"), (atTerminal(3), "ttyp0"), (atTerminal(4, uid: 1_001), "tty1"),
        (ProcessFacts(isSecure: false, realUID: 1_001, effectiveUID: 1_001), ""),
    ])
    func `is unproved for a daemon, a container's console or a web terminal`(
        _ process: ProcessFacts, _ tty: String
    ) throws {
        let context = context(process, tty: tty)
        #expect(context.seat == .unproved && context.isRemote && context.source == Array("unknown".utf8))
        let root = Account(uid: 0, gid: 0, name: Array("root".utf8))
        let settings = try Settings(
            text: Array("backend = unix:/run/mpind.sock".utf8), file: [], service: Array("su".utf8))
        let roots = self.context(process, tty: tty, account: root)
        #expect(try settings.exclusion(of: root, in: roots) == .never)
    }

    @Test func `of a question that mpin sends is the account's own`() {
        #expect(
            LoginContext(service: Array("mpin".utf8), askedFor: alice, realUID: 0).source
                == Array("local:\(alice.uid)".utf8))
    }
}
