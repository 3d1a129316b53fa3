// SPDX-License-Identifier: Apache-2.0
// Backup codes at a host's own services: what they let in, how often, and that nobody is asked about them.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinStore
import MPinWire
import Secrets
import Testing

extension LoginFixture {
    /// Codes of an account, in letters.
    @discardableResult
    func giveCodes(_ count: Int = 3, to account: Account = alice) throws -> [String] {
        let drawn = try BackupCodes.draw(count)
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
            "backup-codes = \(services)\n\(more)", service: remote ? "sshd" : "su", remote: remote)
    }

    /// A login in su, which takes backup codes.
    func loginWithCodes(_ answers: [String], _ more: String = "method = pin") throws -> Shown {
        login(answers, settings: try settings(naming: "su", more), context: context())
    }
}

extension LoginFixture.Shown {
    /// How many codes are left after one let in; nil if none did.
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

@Suite struct `A backup code` {
    @Test func `lets in once, is struck out before, and nobody is asked but whether it is revoked`() throws {
        let stage = try LoginFixture()
        try stage.addDevice()
        let codes = try stage.giveCodes()
        let ids = try stage.ids(FileStore(at: stage.store))
        let before = stage.bank.asked.count
        let shown = try stage.loginWithCodes([codes[1]])
        #expect(shown.left == 2 && shown.standing == .confirmed)
        #expect(stage.bank.asked.dropFirst(before).map(\.kind) == [.standing])
        guard case .standing(let sealed)? = stage.bank.asked.last,
            let ask = SealedQuestion(decoding: sealed.ask)
        else {
            Issue.record("no question")
            return
        }
        #expect(ask.service == Array("standing".utf8) && ask.account == alice.name)
        #expect(ask.ids == ids && ids.count == 2)
        #expect(shown.attempt != Array(ask.a.prefix(8)), "the login is named by its own question")
        let (asked, connections) = (stage.bank.asked.count, stage.bank.connections)
        let file = try stage.folder.text("store/codes/4711")
        #expect(file.matches(of: #/code = [0-9a-f]{64}\n/#).count == 3)
        #expect(try stage.unused.count == 2)
        #expect(try stage.codesLeft == 2)
        let again = try stage.loginWithCodes([codes[1], codes[1], codes[1]])
        #expect(again.outcome == .refused(.wrongBackupCode))
        #expect(again.notices == [.wrongBackupCode, .wrongBackupCode])
        #expect(try stage.folder.text("store/codes/4711") == file)
        #expect((stage.bank.asked.count, stage.bank.connections) == (asked, connections))
    }

    @Test func `may be typed in either case, with blanks and hyphens or without`() throws {
        let stage = try LoginFixture()
        let codes = try stage.giveCodes(4)
        let spellings = [
            codes[0].lowercased(), codes[1].replacingOccurrences(of: "-", with: ""),
            " " + codes[2].replacingOccurrences(of: "-", with: " ") + "\t",
            codes[3].map { String($0) }.joined(separator: "-"),
        ]
        for (index, typed) in spellings.enumerated() {
            #expect(try stage.loginWithCodes([typed]).left == 3 - index, "\(typed)")
        }
        #expect(try stage.codesLeft == 0)
        #expect(try stage.loginWithCodes([codes[0]]).outcome == .conversationFailed)
    }

    @Test(arguments: ["", "backup-codes = none", "backup-codes = sudo login", "backup-codes = s"])
    func `is no answer where the service is not named`(_ setting: String) throws {
        let stage = try LoginFixture()
        let codes = try stage.giveCodes()
        let settings = try stage.settings(setting + "\nmethod = pin")
        let shown = stage.login(codes, settings: settings, context: stage.context())
        #expect(shown.outcome == .refused(.noPIN))
        #expect(try stage.codesLeft == 3)
    }

    @Test func `of somebody else is wrong, and stays his`() throws {
        let stage = try LoginFixture()
        try stage.giveCodes()
        let bob = Account(uid: 4_712, gid: 4_712, name: Array("bob".utf8))
        let codes = try stage.giveCodes(to: bob)
        #expect(try stage.loginWithCodes(codes).outcome == .refused(.wrongBackupCode))
        #expect(try FileStore(at: stage.store).codesLeft(uid: bob.uid) == 3)
    }

    @Test func `is nobody's who is not enrolled, or whom a rule leaves out`() throws {
        let stranger = try LoginFixture(enrolled: false)
        let stage = try LoginFixture()
        for (stage, more) in [(stranger, ""), (stage, "users = !alice"), (stage, "never = 4711")] {
            let codes = try stage.giveCodes()
            let shown = try stage.loginWithCodes(codes, more)
            guard case .notEnrolled = shown.outcome else {
                Issue.record("\(shown.outcome)")
                return
            }
            #expect(shown.prompts.isEmpty)
            #expect(try stage.codesLeft == 3)
        }
    }

    @Test(arguments: [
        ("alice", "alyce", StoreError.Fault.otherName), ("prod-db1", "prod-db2", .otherHost),
        ("uid = 4711", "uid = 4712", .otherUID),
    ])
    func `in a file of another account or host is an error, and the PIN is not`(
        _ old: String, _ new: String, _ fault: StoreError.Fault
    ) throws {
        let stage = try LoginFixture()
        let codes = try stage.giveCodes()
        let text = try stage.folder.text("store/codes/4711")
        try stage.folder.write(text.replacingOccurrences(of: old, with: new), to: "store/codes/4711")
        let file = stage.store + Array("/codes/4711".utf8)
        let shown = try stage.loginWithCodes(codes)
        #expect(shown.outcome == .failed(.store(StoreError(file: file, fault: fault))))
        #expect(shown.prompts.count == 1)
        #expect(try stage.loginWithCodes([LoginFixture.pin]).outcome.isGranted)
    }

    @Test func `costs a try like a PIN if it is wrong`() throws {
        let stage = try LoginFixture()
        let codes = try stage.giveCodes()
        let shown = try stage.loginWithCodes([wrongCode, "1470", wrongCode, codes[0]])
        #expect(shown.outcome == .refused(.wrongBackupCode))
        #expect(shown.notices == [.wrongBackupCode, .wrongPIN(triesLeft: 2)])
        let sudo = try stage.settings("backup-codes = sudo\nmethod = pin", service: "sudo")
        let one = stage.login([wrongCode, codes[0]], settings: sudo, context: stage.context(service: "sudo"))
        #expect(one.outcome == .refused(.wrongBackupCode) && one.prompts.count == 1)
        #expect(try stage.codesLeft == 3)
    }

    @Test func `changes no screen while the server is there`() throws {
        let stage = try LoginFixture()
        try stage.addDevice()
        try stage.giveCodes()
        let typed: [Typed] = [.text("1470"), .wrongLetters, .text("")]
        let without = try stage.console(typed, "tries = 3")
        stage.bank.triesLeft = 3
        let with = try stage.console(typed, "tries = 3\nbackup-codes = su")
        #expect(with.prompts.map { $0.offers } == without.prompts.map { $0.offers })
        #expect(with.notices == without.notices && with.outcome == without.outcome)
    }

    @Test func `takes the place of the letters at their prompt`() throws {
        let stage = try LoginFixture(enrolled: false)
        try stage.addDevice()
        let codes = try stage.giveCodes()
        let shown = try stage.console([.wrongLetters, .text(codes[0])], "backup-codes = su")
        #expect(shown.left == 2 && shown.prompts.count == 2)
        #expect(stage.bank.asked(.authenticate).isEmpty)
    }

    @Test func `is asked for alone where an account has nothing else`() throws {
        let stage = try LoginFixture()
        let codes = try stage.giveCodes()
        let shown = try stage.loginWithCodes(["2580", wrongCode, codes[0]], "method = phone")
        #expect(shown.left == 2)
        #expect(shown.prompts == [.backupCode, .backupCode, .backupCode])
        #expect(shown.notices == [.noBackupCode, .wrongBackupCode])
        #expect(stage.bank.asked(.session).isEmpty)
    }

    @Test func `of a revoked account is refused, and stays`() throws {
        let stage = try LoginFixture()
        let codes = try stage.giveCodes()
        stage.bank.isRevoked = true
        #expect(try stage.loginWithCodes([codes[0], codes[1]]).outcome == .revoked)
        let afar = stage.login(
            [codes[0], codes[1], codes[2]],
            settings: try stage.settings("backup-codes = sshd\nmethod = pin", service: "sshd", remote: true),
            context: stage.afar)
        #expect(afar.outcome == .revoked && afar.prompts.count == 3 && afar.notices == [.refused, .refused])
        #expect(stage.bank.asked(.standing).count == 2)
        #expect(try stage.codesLeft == 3)
    }

    @Test func `is no way past a verdict of the server in the same login`() throws {
        let stage = try LoginFixture()
        let codes = try stage.giveCodes()
        stage.bank.isRevoked = true
        #expect(try stage.loginWithCodes([LoginFixture.pin, codes[0]]).outcome == .revoked)
        #expect(try stage.codesLeft == 3)
    }
}
