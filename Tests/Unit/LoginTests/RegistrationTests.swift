// SPDX-License-Identifier: Apache-2.0
// Transcripts of an enrolment: register, client secret, token, and the login that proves it.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinStore
import MPinWire
import Secrets
import Testing

@Suite struct `An enrolment` {
    @Test(arguments: [true, false]) func `registers, stores the token and proves it by a login`(
        _ sealed: Bool
    ) throws {
        let stage = try LoginFixture(sealed: sealed, enrolled: false)
        let outcome = try stage.enrol(pin: LoginFixture.pin)
        guard case .enrolled(let identity) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(identity.label == Array("alice@example.org".utf8))
        #expect(
            stage.bank.asked.map(\.kind)
                == [.register, .clientSecret, .settings, .permits, .passOne, .passTwo, .authenticate])
        #expect(!stage.exists("4711.pending"))
        #expect(try stage.login(LoginFixture.pin).outcome.isGranted)
    }

    @Test func `seals its question for enrolment and gives the code to nobody else`() throws {
        let stage = try LoginFixture()
        guard case .register(let new)? = stage.bank.asked.first else {
            Issue.record("no registration")
            return
        }
        let ask = try #require(SealedQuestion(decoding: new.sealed.ask))
        #expect(ask.service == SealedQuestion.enrollService && ask.ids == [])
        for question in stage.bank.asked.dropFirst() {
            #expect(!(try question.encoded().contains(new.activationCode)))
        }
    }

    @Test func `of shares that came plain under a host key is refused`() throws {
        let stage = try LoginFixture(enrolled: false)
        stage.bank.spoilShares { shares in
            let plain = Array(shares.share1.prefix(65))
            return ClientSecretShares(share1: plain, share2: shares.share2)
        }
        #expect(try stage.enrol(pin: LoginFixture.pin) == .failed(.seal(.missing)))
        #expect(!stage.exists("4711"))
    }

    @Test func `of a share that the host's key does not open is refused`() throws {
        let stage = try LoginFixture(enrolled: false)
        stage.bank.spoilShares { ClientSecretShares(share1: $0.share2, share2: $0.share1) }
        #expect(try stage.enrol(pin: LoginFixture.pin) == .failed(.seal(.wrongShare)))
    }

    @Test func `that was not verified waits, and goes on with the same mpinId`() throws {
        let stage = try LoginFixture(enrolled: false)
        stage.bank.activates = false
        #expect(try stage.enrol(pin: LoginFixture.pin, code: "") == .notVerified)
        #expect(stage.exists("4711.pending"))
        // Somebody confirms it: to register once more would throw that away.
        stage.bank.activates = true
        let before = stage.bank.asked.count
        let outcome = try stage.enrol(pin: LoginFixture.pin, code: "")
        guard case .enrolled(let identity) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(
            stage.bank.asked.dropFirst(before).map(\.kind)
                == [.clientSecret, .settings, .permits, .passOne, .passTwo, .authenticate])
        guard case .clientSecret(let ask)? = stage.bank.asked(.clientSecret).last else { return }
        #expect(identityHash(ask.mpinID) == identity.id)
        #expect(!stage.exists("4711.pending"))
    }

    @Test func `that is begun again before anybody verified it registers once more, as the same one`() throws
    {
        let stage = try LoginFixture(enrolled: false)
        stage.bank.activates = false
        for kinds in [[Kind.register, .clientSecret], [.clientSecret, .register, .clientSecret]] {
            let before = stage.bank.asked.count
            #expect(try stage.enrol(pin: LoginFixture.pin, code: "") == .notVerified)
            #expect(stage.bank.asked.dropFirst(before).map(\.kind) == kinds)
        }
        let ids = stage.bank.asked(.clientSecret).compactMap { question in
            if case .clientSecret(let ask) = question { ask.mpinID } else { nil }
        }
        #expect(ids.count == 3 && Set(ids).count == 1)
        // Who has been given a code meanwhile registers by it.
        let before = stage.bank.asked.count
        #expect(try stage.enrol(pin: LoginFixture.pin) == .notVerified)
        #expect(stage.bank.asked.dropFirst(before).map(\.kind) == [.register, .clientSecret])
    }

    @Test(arguments: [
        (Kind.register, UInt16(403), RegistrationOutcome.notAuthorized),
        (.register, 429, .full(seconds: 0)), (.clientSecret, 400, .notVerified),
        (.clientSecret, 401, .notVerified),
        (.clientSecret, 408, .expired),
        (.register, 500, .unavailable(Unavailable(status: 500, ignored: false))),
        (.register, 0, .unavailable(Unavailable(status: 0, ignored: false))),
        (.register, 418, .failed(.answer(.register, status: 418))),
        (.clientSecret, 3, .failed(.answer(.clientSecret, status: 3))),
    ])
    func `ends as the status says, and writes no token`(
        _ kind: Kind, _ status: UInt16, _ outcome: RegistrationOutcome
    ) throws {
        let stage = try LoginFixture(enrolled: false)
        stage.bank.spoil(kind, status: status)
        #expect(try stage.enrol(pin: LoginFixture.pin) == outcome)
        #expect(!stage.exists("4711"))
    }

    @Test func `replaces the older PIN only after a login with the new one`() throws {
        let stage = try LoginFixture()
        let old = try stage.folder.text("store/users/4711")
        var during = ""
        try stage.enrol(pin: "86421", enrolled: "2026-11-22T12:00:00Z") { step in
            if case .settle = step { during = (try? stage.folder.text("store/users/4711")) ?? "" }
        }
        #expect(during.hasPrefix(old))
        let new = try stage.folder.text("store/users/4711")
        #expect(!new.contains(old.dropFirst(100)))
        #expect(try stage.login("86421").outcome.isGranted)
    }

    @Test func `that no login proves leaves the older PIN as it was`() throws {
        let stage = try LoginFixture()
        let old = try stage.folder.text("store/users/4711")
        stage.bank.spoilVerdict { SealedVerdict($0, verdict: .revoked) }
        #expect(try stage.enrol(pin: "86421", enrolled: "2026-11-22T12:00:00Z") == .withdrawn(.revoked))
        #expect(try stage.folder.text("store/users/4711") == old)
    }

    @Test func `that could not be proved keeps both`() throws {
        let stage = try LoginFixture()
        stage.bank.spoil(.settings, status: 0)
        let outcome = try stage.enrol(pin: "86421", enrolled: "2026-11-22T12:00:00Z")
        guard case .unproved(_, .unavailable) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        stage.bank.spoil = { _, answer throws(TransportError) in answer }
        #expect(try stage.login("86421").outcome.isGranted)
        #expect(try stage.ids(FileStore(at: stage.store)).count == 2)
    }

    @Test func `under an mpinId that has a token here is refused before its secret is asked`() throws {
        let stage = try LoginFixture()
        let known = try stage.ids(FileStore(at: stage.store))
        var old: [UInt8] = []
        if case .passOne(let pass)? = stage.bank.asked(.passOne).last { old = pass.mpinID }
        #expect(known == [identityHash(old)])
        stage.bank.spoil = { _, answer throws(TransportError) in
            guard case .register(let new)? = answer.body else { return answer }
            let again = RelayRegisterResponse(mpinID: old, regOTT: new.regOTT, active: true)
            return RelayResponse(kind: .register, status: 200, body: .register(again))
        }
        let asked = stage.bank.asked(.clientSecret).count
        #expect(try stage.enrol(pin: "86421") == .failed(.store(StoreError(file: [], fault: .secondToken))))
        #expect(stage.bank.asked(.clientSecret).count == asked)
    }

    /// A killed enrolment can leave both.
    @Test func `that has its token leaves nothing to go on with`() throws {
        for removed in [false, true] {
            let stage = try LoginFixture()
            let files = try FileStore(at: stage.store)
            guard case .register(let new)? = stage.bank.asked.first,
                case .passOne(let pass)? = stage.bank.asked(.passOne).last
            else {
                Issue.record("nothing asked")
                return
            }
            let left = PendingRegistration(
                userID: new.userID, mpinID: pass.mpinID, regOTT: Array("ott".utf8), a: [], backend: [])
            try files.save(left, of: alice, host: stage.host)
            #expect(stage.exists("4711.pending"))
            if removed { try files.remove([identityHash(pass.mpinID)], of: alice, host: stage.host) }
            #expect(try files.pending(alice, host: stage.host) == nil)
            #expect(!stage.exists("4711.pending"))
            try stage.enrol(pin: "86421", enrolled: "2026-11-22T12:00:00Z")
            #expect(try stage.login("86421").outcome.isGranted)
        }
    }

    @Test func `that waits outlives the removal of another identity`() throws {
        let stage = try LoginFixture()
        let files = try FileStore(at: stage.store)
        let waiting = PendingRegistration(
            userID: Array("bob".utf8), mpinID: [1, 2, 3], regOTT: Array("ott".utf8), a: [], backend: [])
        try files.save(waiting, of: alice, host: stage.host)
        try files.remove(try stage.ids(files), of: alice, host: stage.host)
        #expect(try files.pending(alice, host: stage.host) == waiting)
    }

    @Test func `with a PIN that is refused asks nothing`() throws {
        let stage = try LoginFixture(enrolled: false)
        #expect(throws: RegistrationError.pin(.counted)) { try stage.enrol(pin: "1234") }
        #expect(stage.bank.asked == [])
    }

    @Test func `never asks in plain text`() throws {
        let stage = try LoginFixture()
        for question in stage.bank.asked {
            #expect(!(try question.encoded().contains(Array(LoginFixture.pin.utf8))), "\(question.kind)")
        }
    }
}

@Suite struct `An enrolment killed at any step` {
    /// Runs to the given step and drops everything; what the step asks for is not done.
    private func kill(_ stage: LoginFixture, at step: Int) throws {
        let files = try FileStore(at: stage.store)
        let request = stage.request(known: try stage.ids(files), enrolled: "2026-11-22T12:00:00Z")
        var machine = try stage.registration(request, pin: "86421")
        var count = 0
        var line = stage.bank.connect()
        var next = machine.resume(.begin)
        while count < step {
            count += 1
            switch next {
            case .exchange(let question): next = machine.resume(.received(try line.exchange(question)))
            case .save(let pending):
                try files.save(pending, of: alice, host: stage.host)
                next = machine.resume(.done)
            case .store(let identity):
                try machine.withToken { token, key in
                    Result {
                        try files.add(identity, token: token, deviceKey: key, of: alice, host: stage.host)
                    }
                }?.get()
                next = machine.resume(.done)
            case .settle(let identity):
                let others = try stage.ids(files).filter { $0 != identity.id }
                try files.remove(others, of: alice, host: stage.host)
                next = machine.resume(.done)
            case .withdraw, .finished: return
            }
        }
    }

    @Test(arguments: 0...10) func `leaves the old PIN or the new one`(_ step: Int) throws {
        let stage = try LoginFixture()
        stage.bank.triesLeft = 9
        try kill(stage, at: step)
        let old = try stage.login(LoginFixture.pin).outcome.isGranted
        let new = try stage.login("86421").outcome.isGranted
        #expect(old != new)
        #expect(new == (step >= 4))
    }
}

extension LoginFixture {
    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.path + "/store/users/" + name)
    }
}

extension FakeServer {
    func spoilShares(_ change: @escaping (ClientSecretShares) -> ClientSecretShares) {
        spoil = { _, answer throws(TransportError) in
            guard case .clientSecret(let shares)? = answer.body else { return answer }
            return RelayResponse(kind: .clientSecret, status: 200, body: .clientSecret(change(shares)))
        }
    }
}
