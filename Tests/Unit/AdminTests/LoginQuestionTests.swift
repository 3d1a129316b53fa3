// SPDX-License-Identifier: Apache-2.0
// What `mpin why` takes for the facts of a login of which only account and service are said.
import MPinAdmin
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
    func `a service is asked by what usually asks there`(service: String, row: SeatRow) {
        #expect(seat(LoginQuestion(of: "alice", by: service)) == row)
    }

    @Test func `what is said takes the place of what is usual`() {
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

    @Test func `a setuid program is started by the account itself, or by some person`() {
        let question = LoginQuestion(of: "root", by: "su")
        #expect(question.facts(of: Self.alice).process.realUID == 1_234)
        let root = Account(uid: 0, gid: 0, name: Array("root".utf8))
        #expect(seat(question, of: root) == .setuid)
        #expect(question.facts(of: nil).process.realUID == 1_000)
    }

    @Test func `sshd says that it took a key`() {
        var question = LoginQuestion(of: "alice", by: "sshd")
        #expect(question.facts(of: Self.alice).authInfo.isEmpty)
        question.hasKey = true
        #expect(question.facts(of: Self.alice).authInfo == Array("publickey ".utf8))
    }
}
