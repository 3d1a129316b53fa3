// SPDX-License-Identifier: Apache-2.0
// Backup codes by what the host last learned: what is kept of the server's answers, and when it decides.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import TestSupport
import Testing

extension LoginFixture {
    /// Keeps a sealed answer of the server about the account, as if this host had asked `age` seconds ago.
    /// - Parameters:
    ///   - ids: the identities that the question lists; nil: those of the account.
    ///   - key: the host key, which is `testHostKey` by default.
    func keep(
        age: Int = 60, isRevoked: Bool = false, ids: [IdentityHash]? = nil, of account: String = "alice",
        at name: String? = nil, service: [UInt8] = SealedQuestion.standingService,
        key: [UInt8] = Array(0..<32)
    ) throws {
        let files = try FileStore(at: store)
        let time = UInt64(Int(Date().timeIntervalSince1970) - age)
        let nonce = try #require(SealedQuestion.nonce(at: time, random: Array(repeating: 7, count: 24)))
        let known = try self.ids(files)
        let question = try #require(
            SealedQuestion(
                host: name.map { Array($0.utf8) } ?? host, nonce: nonce, service: service,
                account: Array(account.utf8), source: Array("local:4711".utf8), tty: [], flags: 0, life: 90,
                ids: ids ?? known))
        let standing = SealedStanding(a: question.a, isRevoked: isRevoked)
        let tag = try HostKey(name: host, epoch: 1, key: secret(key)).tag(of: standing)
        try files.keep(
            KeptStanding(question: question.octets, answer: standing.octets, tag: tag), uid: alice.uid)
    }

    /// A login with a right code while the server gives no answer about the account.
    func loginUnanswered(_ code: String, _ lines: String = "", status: UInt16 = 0) throws -> Shown {
        server.spoil(.standing, status: status)
        return try loginWithCodes([code], "method = pin\n\(lines)")
    }
}

@Suite(.slow) struct `A backup code without the server's word` {
    private let away = Outcome.unavailable(Unavailable(status: 0))

    /// By a full neighbour table, a full accept queue, an address that is local by route only, and whatever
    /// else somebody here or on the network can bring about: no status is evidence of anything.
    @Test(arguments: [UInt16(0), 1, 2, 3, 4, 5, 8, 11, 400, 403, 404, 408, 429, 500, 502, 503, 504, 1_403])
    func `of a revoked account is refused, whichever failure a local account brings about`(
        _ status: UInt16
    ) throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        #expect(
            try fixture.loginUnanswered(codes[0], status: status).outcome
                == .unavailable(Unavailable(status: status)))
        try fixture.keep(isRevoked: true)
        #expect(try fixture.loginUnanswered(codes[0], status: status).outcome == .revoked)
        #expect(try fixture.codesLeft == 3)
        try fixture.keep(age: 60)
        let shown = try fixture.loginUnanswered(codes[0], status: status)
        guard case .kept(let age)? = shown.standing else {
            Issue.record("\(shown.outcome)")
            return
        }
        #expect((60..<120).contains(age) && shown.left == 2)
    }

    @Test(arguments: [TransportError.cannotStart, .closed, .timedOut, .brokenFrame])
    func `goes by what is kept if the relay fails, too`(_ error: TransportError) throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        fixture.server.spoil = { _, _ throws(TransportError) in throw error }
        switch try fixture.loginWithCodes([codes[0], codes[1]]).outcome {
        case .failed(.transport(error)): #expect(error != .timedOut)
        case .unavailable: #expect(error == .timedOut)
        case let outcome: Issue.record("\(outcome)")
        }
        try fixture.keep(isRevoked: true)
        #expect(try fixture.loginWithCodes([codes[0]]).outcome == .revoked)
        #expect(try fixture.codesLeft == 3)
        try fixture.keep()
        #expect(try fixture.loginWithCodes([codes[0]]).left == 2)
    }

    @Test func `is refused by the server's word, whatever is kept`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        try fixture.keep()
        fixture.server.isRevoked = true
        #expect(try fixture.loginWithCodes([codes[0]]).outcome == .revoked)
        // Nor does cutting the network after that help.
        #expect(try FileStore(at: fixture.store).keptStanding(uid: alice.uid) == nil)
        try fixture.keep(isRevoked: true)
        fixture.server.isRevoked = false
        let shown = try fixture.loginWithCodes([codes[0]])
        #expect(shown.left == 2 && shown.standing == .confirmed)
    }

    @Test func `is good for as many days as backup-code-offline says`() throws {
        let day = 86_400
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes(16)
        var left = codes[...]
        for (lines, age, isGood) in [
            ("", 7 * day - 60, true), ("", 7 * day + 1, false),
            ("backup-code-offline = 90", 90 * day - 60, true),
            ("backup-code-offline = 90", 90 * day + 1, false), ("backup-code-offline = 1", day + 1, false),
            ("backup-code-offline = 0", 0, false),
            // A clock that was set back.
            ("", -500, true), ("", -700, false), ("", -10 * day, false),
        ] {
            try fixture.keep(age: age)
            let shown = try fixture.loginUnanswered(try #require(left.first), lines)
            #expect((shown.left != nil) == isGood, "\(lines) \(age)")
            if isGood { left.removeFirst() } else { #expect(shown.outcome == away) }
        }
    }

    @Test func `is not good by an answer about others, under another key, or to another question`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        let own = try fixture.ids(try FileStore(at: fixture.store))
        let other = IdentityHash(repeating: 9)
        let kept: [(String, () throws -> Void)] = [
            ("another account", { try fixture.keep(of: "bob") }),
            ("another host", { try fixture.keep(at: "other") }),
            ("a login", { try fixture.keep(service: Array("su".utf8)) }),
            ("no identity", { try fixture.keep(ids: []) }),
            ("an identity that the account had", { try fixture.keep(ids: own + [other]) }),
            ("another identity", { try fixture.keep(ids: [other]) }),
            ("another key", { try fixture.keep(key: Array(1..<33)) }),
        ]
        for (what, keep) in kept {
            try keep()
            #expect(try fixture.loginUnanswered(codes[0]).outcome == away, "\(what)")
        }
        #expect(try fixture.codesLeft == 3)
        // An identity that was added since does not end what was said about the others.
        try fixture.addDevice()
        try fixture.keep(ids: own)
        #expect(try fixture.loginUnanswered(codes[0]).left == 2)
    }

    @Test func `is not good by a file that is damaged, forged or open to others`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        try fixture.keep()
        let name = "store/codes/4711.standing"
        let text = try fixture.folder.text(name)
        let forged = text.replacing("standing-tag = ", with: "standing-tag = 00")
        for (text, mode) in [
            (forged, 0o600), (text.replacing("ask = ", with: "ask = 00"), 0o600), ("", 0o600),
            (text + "more = 1\n", 0o600), (String(text.dropLast(2)) + "\n", 0o600), (text, 0o644),
        ] {
            try fixture.folder.write(text, to: name, mode: mode)
            #expect(try fixture.loginUnanswered(codes[0]).outcome == away, "\(text)")
        }
        try fixture.folder.write(text, to: name)
        #expect(try fixture.loginUnanswered(codes[0]).left == 2)
    }

    @Test func `ends with the set of codes`() throws {
        let fixture = try LoginFixture()
        try fixture.giveCodes()
        try fixture.keep()
        let files = try FileStore(at: fixture.store)
        #expect(try files.keptStanding(uid: alice.uid) != nil)
        try files.removeCodes(uid: alice.uid)
        #expect(try files.keptStanding(uid: alice.uid) == nil)
    }

    @Test func `can be kept for an account with as many identities as a question lists`() throws {
        let fixture = try LoginFixture()
        try fixture.giveCodes()
        try fixture.keep(ids: (0..<64).map { IdentityHash(repeating: UInt8($0)) })
        let kept = try #require(try FileStore(at: fixture.store).keptStanding(uid: alice.uid))
        #expect(SealedQuestion(decoding: kept.question)?.ids.count == 64)
    }
}
