// SPDX-License-Identifier: Apache-2.0
// A changed PIN: a new registration, authorised by a proof with the old PIN; if interrupted, one PIN is
// valid.
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Secrets
import TestSupport
import Testing

extension LoginFixture {
    static let newPIN = "86421"

    /// The account's credential: the last of its PINs.
    func credential() throws -> Credential {
        guard let file = try FileStore(at: store).user(alice, host: host), let index = file.pinIndex,
            let credential = Credential(
                identity: file.identities[index], token: try file.token(at: index), ids: file.pinIDs,
                hostKey: try testHostKey())
        else { throw StageError.notEnrolled(.expired) }
        return credential
    }

    func change(from old: String = LoginFixture.pin, to new: String = LoginFixture.newPIN) throws
        -> Registration
    {
        try Registration(
            request(known: try ids(FileStore(at: store)), enrolled: "2026-11-22T12:00:00Z"),
            pin: try secret(new), hostKey: try testHostKey(), replacing: try credential(),
            oldPIN: try secret(old), nonce: freshNonce)
    }

    func finish(_ pin: String = LoginFixture.newPIN) throws -> Registration {
        try Registration(
            request(known: []), finishing: try credential(), pin: try secret(pin), nonce: freshNonce)
    }

    func run(
        _ machine: consuming Registration, stop: (RegistrationStep) -> Void = { _ in }
    ) throws -> RegistrationOutcome {
        var machine = machine
        return drive(&machine, of: alice, host: host, in: try FileStore(at: store), progress: stop) {
            server.connect()
        }
    }

    /// The number of PINs in the account's file.
    func pins() throws -> Int { try ids(FileStore(at: store)).count }
}

@Suite(.slow) struct `A changed PIN` {
    @Test func `is registered after a proof with the old one, whose ticket is not redeemed`() throws {
        let fixture = try LoginFixture(rule: .stretched)
        let old = try #require(fixture.ids(FileStore(at: fixture.store)).first)
        let before = fixture.server.asked.count
        let outcome = try fixture.run(try fixture.change())
        guard case .enrolled(let identity) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let asked = Array(fixture.server.asked.dropFirst(before))
        #expect(
            asked.map(\.kind) == [
                .passOne, .passTwo, .register, .clientSecret, .passOne, .passTwo, .authenticate,
            ])
        guard case .passOne(let pass) = asked[0], case .register(let new) = asked[2] else {
            Issue.record("no such questions")
            return
        }
        let question = try #require(SealedQuestion(decoding: pass.sealed.question))
        #expect(question.service == SealedQuestion.changePINService && question.ids == [old])
        #expect(new.activationCode.isEmpty && !new.authOTT.isEmpty && new.mpinID.isEmpty)
        #expect(SealedQuestion(decoding: new.sealed.question)?.service == SealedQuestion.enrollService)
        #expect(identity.id != old && fixture.server.ended.map { identityHash($0) } == [old])
        #expect(try fixture.ids(FileStore(at: fixture.store)) == [identity.id])
        #expect(try fixture.login(LoginFixture.newPIN).outcome.isGranted)
        #expect(!fixture.exists("4711.pending"))
    }

    @Test func `has another salt and another mpinId`() throws {
        let fixture = try LoginFixture(rule: .stretched)
        let old = try fixture.credential().identity
        try #expect(fixture.run(try fixture.change()) != .notVerified)
        let new = try fixture.credential().identity
        #expect(old.pin?.mpinID != new.pin?.mpinID && old.label == new.label)
    }

    @Test func `does not exist after a wrong old PIN, which counts as a try`() throws {
        let fixture = try LoginFixture()
        let file = try fixture.folder.text("store/users/4711")
        #expect(try fixture.run(try fixture.change(from: "1470")) == .notVerified)
        #expect(fixture.server.triesLeft == 2)
        #expect(try fixture.folder.text("store/users/4711") == file)
        #expect(try fixture.login(LoginFixture.pin).outcome.isGranted)
    }

    @Test func `must satisfy the rules of enrolment`() throws {
        let fixture = try LoginFixture()
        #expect(throws: RegistrationError.pin(.counted)) { _ = try fixture.change(to: "1234") }
    }

    @Test func `makes the old file useless, even if it is restored`() throws {
        let fixture = try LoginFixture()
        let file = try fixture.folder.text("store/users/4711")
        _ = try fixture.run(try fixture.change())
        try fixture.folder.write(file, to: "store/users/4711")
        #expect(try fixture.login(LoginFixture.pin).outcome == .revoked)
    }

    @Test func `interrupted at any moment leaves one of the two, and a second run finishes it`() throws {
        var moments = 0
        for moment in 0..<40 {
            let fixture = try LoginFixture()
            var machine = try fixture.change()
            let isOver = try fixture.interrupted(&machine, after: moment)
            let (old, new) = (try fixture.login(LoginFixture.pin), try fixture.login(LoginFixture.newPIN))
            #expect(old.outcome.isGranted != new.outcome.isGranted, "\(moment): \(old) \(new)")
            fixture.server.triesLeft = 3
            if isOver { break }
            moments += 1
            let again = try fixture.pins() > 1 ? fixture.run(fixture.finish()) : fixture.run(fixture.change())
            if case .enrolled = again {} else { Issue.record("\(moment): \(again)") }
            #expect(
                try fixture.pins() == 1 && fixture.login(LoginFixture.newPIN).outcome.isGranted, "\(moment)")
        }
        #expect(moments > 12)
    }

    @Test func `keeps both if a captured relay spoils the last verdict`() throws {
        let fixture = try LoginFixture()
        fixture.server.spoilSeal {
            RelaySealedResponse(answer: $0.answer, tag: [UInt8](repeating: 0, count: 32))
        }
        let outcome = try fixture.run(try fixture.change())
        guard case .unproved(_, .failed(.seal(.wrongTag))) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        fixture.server.spoil = { _, answer throws(TransportError) in answer }
        #expect(try fixture.pins() == 2)
        #expect(try fixture.login(LoginFixture.newPIN).outcome.isGranted)
    }

    @Test func `that was interrupted is not lost by a wrong PIN`() throws {
        let fixture = try LoginFixture()
        fixture.server.spoil(.authenticate, status: 0)
        _ = try fixture.run(try fixture.change())
        fixture.server.spoil = { _, answer throws(TransportError) in answer }
        #expect(try fixture.run(try fixture.finish("1470")) == .withdrawn(.refused(.wrongPIN(triesLeft: 2))))
        #expect(try fixture.pins() == 2)
        if case .enrolled = try fixture.run(try fixture.finish()) {} else { Issue.record("not finished") }
        #expect(try fixture.pins() == 1)
    }
}

extension LoginFixture {
    /// Runs a change until the line breaks, each exchange counting two steps; true if the change finished.
    fileprivate func interrupted(_ machine: inout Registration, after steps: Int) throws -> Bool {
        var left = steps
        var isOver = false
        let files = try FileStore(at: store)
        let outcome = drive(&machine, of: alice, host: host, in: files, progress: { _ in }) {
            () throws(TransportError) in
            BrokenLine(server: server) {
                left -= 1
                return left >= 0
            }
        }
        if case .enrolled = outcome { isOver = true }
        return isOver
    }
}

/// A line that breaks, either before a request reaches the server or before its answer returns.
private struct BrokenLine: ~Copyable, Transport {
    let server: FakeServer
    let goesOn: () -> Bool

    mutating func exchange(_ question: RelayRequest) throws(TransportError) -> RelayResponse {
        guard goesOn() else { throw .closed }
        let answer = try server.exchange(question)
        guard goesOn() else { throw .closed }
        return answer
    }
}
