// SPDX-License-Identifier: Apache-2.0
// Backup codes in local services: what they grant, how often, and what the server is asked about them.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets
import Synchronization
import TestSupport
import Testing

/// Sets of codes, by their size and how many sets a fixture had before. Each code is stretched, which takes
/// time, so fixtures share them.
private let sets = Mutex<[[Int]: (set: BackupCodes, shown: [[UInt8]])]>([:])

extension LoginFixture {
    /// Gives an account codes that this fixture has not given before, and returns them as the user sees them.
    @discardableResult
    func giveCodes(_ count: Int = 3, to account: Account = alice) throws -> [String] {
        let key = [count, setsGiven]
        setsGiven += 1
        let drawn = try sets.withLock { sets in
            let drawn = try sets[key] ?? BackupCodes.draw(count)
            sets[key] = drawn
            return drawn
        }
        try FileStore(at: store).replaceCodes(
            of: account, host: host, made: Array("2026-11-21T12:00:00Z".utf8), by: drawn.set)
        return drawn.shown.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names of the files of unused codes.
    var unused: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/store/codes/4711.unused")
        }
    }

    var codesLeft: Int? { get throws { try FileStore(at: store).codesLeft(uid: alice.uid) } }

    func settings(naming services: String, _ more: String = "", remote: Bool = false) throws -> Settings {
        try settings(
            "backup-codes = \(services)\n\(more)", service: remote ? "sshd" : "su")
    }

    /// A login in su, which takes backup codes.
    func loginWithCodes(_ answers: [String], _ more: String = "method = pin") throws -> Shown {
        login(answers, settings: try settings(naming: "su", more), context: context())
    }
}

extension LoginFixture.Shown {
    /// How many codes are left after a login with one; nil if no code granted the login.
    var left: Int? {
        guard case .granted(let grant) = outcome else { return nil }
        return grant.left
    }

    var standing: CodeStanding? {
        guard case .granted(let grant) = outcome, case .backupCode(_, let standing) = grant.proof else {
            return nil
        }
        return standing
    }
}

extension Grant {
    var left: Int? {
        guard case .backupCode(let left, _) = proof else { return nil }
        return left
    }
}

let wrongCode = "BCDF-GHJK-LMNP-QRST"

@Suite(.slow) struct `A backup code` {
    @Test func `is good once, is struck out first, and the server is asked only for revocation`() throws {
        let fixture = try LoginFixture()
        try fixture.addDevice()
        let codes = try fixture.giveCodes()
        let ids = try fixture.ids(FileStore(at: fixture.store))
        let before = fixture.server.asked.count
        let shown = try fixture.loginWithCodes([codes[1]])
        #expect(shown.left == 2 && shown.standing == .confirmed)
        #expect(fixture.server.asked.dropFirst(before).map(\.kind) == [.standing])
        guard case .standing(let sealed)? = fixture.server.asked.last,
            let question = SealedQuestion(decoding: sealed.question)
        else {
            Issue.record("no question")
            return
        }
        #expect(question.service == Array("standing".utf8) && question.account == alice.name)
        #expect(question.ids == ids && ids.count == 2)
        #expect(shown.attempt != Array(question.a.octets.prefix(8)), "the login is named by its own question")
        let (asked, connections) = (fixture.server.asked.count, fixture.server.connections)
        let file = try fixture.folder.text("store/codes/4711")
        #expect(file.matches(of: #/code = [0-9a-f]{64}\n/#).count == 3)
        #expect(try fixture.unused.count == 2)
        #expect(try fixture.codesLeft == 2)
        let again = try fixture.loginWithCodes([codes[1], codes[1], codes[1]])
        #expect(again.outcome == .refused(.wrongBackupCode))
        #expect(again.notices == [.wrongBackupCode, .wrongBackupCode])
        #expect(try fixture.folder.text("store/codes/4711") == file)
        #expect((fixture.server.asked.count, fixture.server.connections) == (asked, connections))
    }

    @Test func `may be typed in either case, with blanks and hyphens or without`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes(4)
        let spellings = [
            codes[0].lowercased(), codes[1].replacingOccurrences(of: "-", with: ""),
            " " + codes[2].replacingOccurrences(of: "-", with: " ") + "\t",
            codes[3].map { String($0) }.joined(separator: "-"),
        ]
        for (index, typed) in spellings.enumerated() {
            #expect(try fixture.loginWithCodes([typed]).left == 3 - index, "\(typed)")
        }
        #expect(try fixture.codesLeft == 0)
        #expect(try fixture.loginWithCodes([codes[0]]).outcome == .conversationFailed)
    }

    @Test(arguments: ["", "backup-codes = none", "backup-codes = sudo login", "backup-codes = s"])
    func `is rejected where the service is not named`(_ setting: String) throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        let settings = try fixture.settings(setting + "\nmethod = pin")
        let shown = fixture.login(codes, settings: settings, context: fixture.context())
        #expect(shown.outcome == .refused(.noPIN))
        #expect(try fixture.codesLeft == 3)
    }

    @Test func `of another account is wrong, and stays valid there`() throws {
        let fixture = try LoginFixture()
        try fixture.giveCodes()
        let bob = Account(uid: 4_712, gid: 4_712, name: Array("bob".utf8))
        let codes = try fixture.giveCodes(to: bob)
        #expect(try fixture.loginWithCodes(codes).outcome == .refused(.wrongBackupCode))
        #expect(try FileStore(at: fixture.store).codesLeft(uid: bob.uid) == 3)
    }

    @Test func `is rejected for an account that is not enrolled or is excluded`() throws {
        let stranger = try LoginFixture(enrolled: false)
        let fixture = try LoginFixture()
        for (fixture, more) in [(stranger, ""), (fixture, "users = !alice"), (fixture, "never = 4711")] {
            let codes = try fixture.giveCodes()
            let shown = try fixture.loginWithCodes(codes, more)
            guard case .notEnrolled = shown.outcome else {
                Issue.record("\(shown.outcome)")
                return
            }
            #expect(shown.prompts.isEmpty)
            #expect(try fixture.codesLeft == 3)
        }
    }

    @Test(arguments: [
        ("alice", "alyce", StoreError.Fault.otherName), ("prod-db1", "prod-db2", .otherHost),
        ("uid = 4711", "uid = 4712", .otherUID),
    ])
    func `in a file of another account or host is an error, while the PIN still works`(
        _ old: String, _ new: String, _ fault: StoreError.Fault
    ) throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        let text = try fixture.folder.text("store/codes/4711")
        try fixture.folder.write(text.replacingOccurrences(of: old, with: new), to: "store/codes/4711")
        let file = fixture.store + Array("/codes/4711".utf8)
        let shown = try fixture.loginWithCodes(codes)
        #expect(shown.outcome == .failed(.store(StoreError(file: file, fault: fault))))
        #expect(shown.prompts.count == 1)
        #expect(try fixture.loginWithCodes([LoginFixture.pin]).outcome.isGranted)
    }

    @Test func `costs a try like a PIN if it is wrong`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        let shown = try fixture.loginWithCodes([wrongCode, "1470", wrongCode, codes[0]])
        #expect(shown.outcome == .refused(.wrongBackupCode))
        #expect(shown.notices == [.wrongBackupCode, .wrongPIN(triesLeft: 2)])
        let sudo = try fixture.settings("backup-codes = sudo\nmethod = pin", service: "sudo")
        let one = fixture.login(
            [wrongCode, codes[0]], settings: sudo, context: fixture.context(service: "sudo"))
        #expect(one.outcome == .refused(.wrongBackupCode) && one.prompts.count == 1)
        #expect(try fixture.codesLeft == 3)
    }

    @Test func `changes no screen while the server is available`() throws {
        let fixture = try LoginFixture()
        try fixture.addDevice()
        try fixture.giveCodes()
        let typed: [Typed] = [.text("1470"), .wrongCode, .text("")]
        let without = try fixture.console(typed, "tries = 3")
        fixture.server.triesLeft = 3
        let with = try fixture.console(typed, "tries = 3\nbackup-codes = su")
        #expect(with.prompts.map { $0.offers } == without.prompts.map { $0.offers })
        #expect(with.notices == without.notices && with.outcome == without.outcome)
    }

    @Test func `is accepted instead of the approval code at its prompt`() throws {
        let fixture = try LoginFixture(enrolled: false)
        try fixture.addDevice()
        let codes = try fixture.giveCodes()
        let shown = try fixture.console([.wrongCode, .text(codes[0])], "backup-codes = su")
        #expect(shown.left == 2 && shown.prompts.count == 2)
        #expect(fixture.server.asked(.authenticate).isEmpty)
    }

    @Test func `is requested alone where an account has nothing else`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        let shown = try fixture.loginWithCodes(["2580", wrongCode, codes[0]], "method = phone")
        #expect(shown.left == 2)
        #expect(shown.prompts == [.backupCode, .backupCode, .backupCode])
        #expect(shown.notices == [.noBackupCode, .wrongBackupCode])
        #expect(fixture.server.asked(.session).isEmpty)
    }

    @Test func `of a revoked account is refused, and is not struck out`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        fixture.server.isRevoked = true
        #expect(try fixture.loginWithCodes([codes[0], codes[1]]).outcome == .revoked)
        let afar = fixture.login(
            [codes[0], codes[1], codes[2]],
            settings: try fixture.settings(
                "backup-codes = sshd\nmethod = pin", service: "sshd"),
            context: fixture.afar)
        #expect(afar.outcome == .revoked && afar.prompts.count == 3 && afar.notices == [.refused, .refused])
        #expect(fixture.server.asked(.standing).count == 2)
        #expect(try fixture.codesLeft == 3)
    }

    @Test func `does not override a verdict of the server in the same login`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        (fixture.server.isRevoked, fixture.server.usesPermits) = (true, true)
        #expect(try fixture.loginWithCodes([LoginFixture.pin, codes[0]]).outcome == .revoked)
        #expect(try fixture.codesLeft == 3)
    }
}
