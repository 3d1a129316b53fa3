// SPDX-License-Identifier: Apache-2.0
// The facts that `mpin why` assumes for a login of which only account and service are given.
@testable import MPinAdmin
import MPinLogin
import MPinProof
import Testing

@Suite struct LoginQuestionTests {
    private static let alice = Account(uid: 1_234, gid: 1_234, name: Array("alice".utf8))

    private func seat(_ question: LoginQuestion, of account: Account? = alice) -> SeatRow {
        SeatRow(question.facts(of: account), account: account, remote: nil)
    }

    @Test(arguments: [
        ("sudo", SeatRow.setuid), ("su", .setuid), ("login", .console), ("sshd", .network),
        ("gdm-password", .unproved), ("cron", .unproved),
    ])
    func `a service has its usual caller`(service: String, row: SeatRow) {
        #expect(seat(LoginQuestion(of: "alice", by: service)) == row)
    }

    @Test func `given facts replace the usual ones`() {
        var question = LoginQuestion(of: "alice", by: "sudo")
        question.caller = .daemon
        #expect(seat(question) == .unproved)
        question = LoginQuestion(of: "alice", by: "login")
        question.tty = "pts/3"
        #expect(seat(question) == .unproved)
        question = LoginQuestion(of: "alice", by: "sudo")
        question.rhost = "192.0.2.7"
        #expect(seat(question).isRemote)
        question = LoginQuestion(of: "alice", by: "sudo")
        question.uid = 7
        #expect(seat(question) == .setuidService)
    }

    @Test func `a setuid program is started by the account itself, or by an ordinary user`() {
        let question = LoginQuestion(of: "root", by: "su")
        #expect(question.facts(of: Self.alice).process.realUID == 1_234)
        let root = Account(uid: 0, gid: 0, name: Array("root".utf8))
        #expect(seat(question, of: root) == .setuid)
        #expect(question.facts(of: nil).process.realUID == 1_000)
    }

    @Test func `sshd reports that it accepted a key`() {
        var question = LoginQuestion(of: "alice", by: "sshd")
        #expect(question.facts(of: Self.alice).authInfo.isEmpty)
        question.hasKey = true
        #expect(question.facts(of: Self.alice).authInfo == Array("publickey ".utf8))
    }

    @Test func `each method is reported with the reason that closes it`() throws {
        let host = try FolderHost()
        try host.giveKey()
        try host.write(
            "backend = unix:/nowhere/s\nmethod = pin phone\nremote-pin = no\n", to: "etc/mpin/mpin.conf")
        var question = LoginQuestion(of: "root", by: "login")
        question.config = Array(host.places.settings.utf8)
        question.store = host.places.store
        let report = try question.explain()
        #expect(report.lines.first == "root (uid 0) in login, at this host")
        for way in ["PIN", "second device"] {
            let row = try #require(report.lines.first { $0.hasPrefix("  \(way) ") })
            #expect(row.contains("closed: The account has no identity on this host."))
        }
        #expect(report.lines.contains { $0.hasSuffix("'unenrolled = deny': refused") })
        #expect(report.failures.map(\.kind) == [.notEnrolled] && report.exit == 1)
        question.stacks = host.places.stacks
        #expect(try question.explain().lines.contains { $0.contains("M-Pin is not asked") })
        try host.switchOn("login")
        #expect(try question.explain().lines.contains { $0.contains("M-Pin is asked at ") })
        question.tty = "pts/3"
        #expect(
            try question.explain().lines.first?.hasPrefix("root (uid 0) in login, over the network") == true)
    }

    @Test func `without mpin.conf nobody is let in`() {
        var question = LoginQuestion(of: "root", by: "login")
        question.config = Array("/nowhere/mpin.conf".utf8)
        let sentence = "There is no /nowhere/mpin.conf, and without it nobody can log in."
        #expect(throws: Failure(.settings, sentence)) { try question.explain() }
    }
}
