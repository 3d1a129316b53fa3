// SPDX-License-Identifier: Apache-2.0
// Transcripts of an enrolment: register, client secret, token, and the login that proves it.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Secrets
import Testing

@Suite struct `An enrolment` {
    @Test(arguments: [true, false]) func `registers, stores the token and proves it by a login`(
        _ sealed: Bool
    ) throws {
        let fixture = try LoginFixture(sealed: sealed, enrolled: false, rule: .stretched)
        let outcome = try fixture.enrol(pin: LoginFixture.pin)
        guard case .enrolled(let identity) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(identity.label == Array("alice@example.org".utf8))
        #expect(
            fixture.server.asked.map(\.kind)
                == [.register, .clientSecret] + (sealed ? [] : [.settings, .permits])
                + [.passOne, .passTwo, .authenticate])
        #expect(!fixture.exists("4711.pending"))
        #expect(try fixture.login(LoginFixture.pin).outcome.isGranted)
    }

    @Test func `seals its question for enrolment and sends the code in no other request`() throws {
        let fixture = try LoginFixture()
        guard case .register(let new)? = fixture.server.asked.first else {
            Issue.record("no registration")
            return
        }
        let question = try #require(SealedQuestion(decoding: new.sealed.question))
        #expect(question.service == SealedQuestion.enrollService && question.ids == [])
        for question in fixture.server.asked.dropFirst() {
            #expect(!(try question.encoded().contains(new.activationCode)))
        }
    }

    @Test func `with unsealed shares under a host key is refused`() throws {
        let fixture = try LoginFixture(enrolled: false)
        fixture.server.spoilShares { shares in
            let plain = Array(shares.share1.prefix(65))
            return ClientSecretShares(share1: plain, share2: shares.share2)
        }
        #expect(try fixture.enrol(pin: LoginFixture.pin) == .failed(.seal(.missing)))
        #expect(!fixture.exists("4711"))
    }

    @Test func `with a share that the host's key does not open is refused`() throws {
        let fixture = try LoginFixture(enrolled: false)
        fixture.server.spoilShares { ClientSecretShares(share1: $0.share2, share2: $0.share1) }
        #expect(try fixture.enrol(pin: LoginFixture.pin) == .failed(.seal(.wrongShare)))
    }

    @Test func `that is not confirmed waits, and continues with the same mpinId`() throws {
        let fixture = try LoginFixture(enrolled: false)
        fixture.server.activates = false
        #expect(try fixture.enrol(pin: LoginFixture.pin, code: "") == .notVerified)
        #expect(fixture.exists("4711.pending"))
        // The registration is confirmed now: a second registration would discard that.
        fixture.server.activates = true
        let before = fixture.server.asked.count
        let outcome = try fixture.enrol(pin: LoginFixture.pin, code: "")
        guard case .enrolled(let identity) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(
            fixture.server.asked.dropFirst(before).map(\.kind)
                == [.clientSecret, .passOne, .passTwo, .authenticate])
        guard case .clientSecret(let request)? = fixture.server.asked(.clientSecret).last else { return }
        #expect(identityHash(request.mpinID) == identity.id)
        #expect(!fixture.exists("4711.pending"))
    }

    @Test func `repeated before its confirmation registers again under the same mpinId`() throws {
        let fixture = try LoginFixture(enrolled: false)
        fixture.server.activates = false
        for kinds in [[Kind.register, .clientSecret], [.clientSecret, .register, .clientSecret]] {
            let before = fixture.server.asked.count
            #expect(try fixture.enrol(pin: LoginFixture.pin, code: "") == .notVerified)
            #expect(fixture.server.asked.dropFirst(before).map(\.kind) == kinds)
        }
        let ids = fixture.server.asked(.clientSecret).compactMap { question in
            if case .clientSecret(let request) = question { request.mpinID } else { nil }
        }
        #expect(ids.count == 3 && Set(ids).count == 1)
        // A user who has received a code meanwhile registers with it.
        let before = fixture.server.asked.count
        #expect(try fixture.enrol(pin: LoginFixture.pin) == .notVerified)
        #expect(fixture.server.asked.dropFirst(before).map(\.kind) == [.register, .clientSecret])
    }

    @Test func `that waits at a Milagro server begins anew only if the server has forgotten it`() throws {
        let fixture = try LoginFixture(sealed: false, enrolled: false)
        fixture.server.activates = false
        var before = 0
        for kinds in [[Kind.register, .clientSecret], [.clientSecret], [.clientSecret]] {
            #expect(try fixture.enrol(pin: LoginFixture.pin, code: "") == .notVerified)
            #expect(fixture.server.asked.dropFirst(before).map(\.kind) == kinds)
            before = fixture.server.asked.count
        }
        fixture.server.spoil(.clientSecret, status: 400)
        #expect(try fixture.enrol(pin: LoginFixture.pin, code: "") == .notVerified)
        let kinds = [Kind.clientSecret, .register, .clientSecret]
        #expect(fixture.server.asked.dropFirst(before).map(\.kind) == kinds)
    }

    @Test(arguments: [
        (Kind.register, UInt16(403), RegistrationOutcome.notAuthorized),
        (.register, 429, .full(seconds: 0)), (.clientSecret, 400, .notVerified),
        (.clientSecret, 401, .notVerified),
        (.clientSecret, 408, .expired),
        (.register, 500, .unavailable(Unavailable(status: 500))),
        (.register, 0, .unavailable(Unavailable(status: 0))),
        (.register, 418, .failed(.answer(.register, status: 418))),
        (.clientSecret, 3, .failed(.answer(.clientSecret, status: 3))),
    ])
    func `ends as the status demands, and writes no token`(
        _ kind: Kind, _ status: UInt16, _ outcome: RegistrationOutcome
    ) throws {
        let fixture = try LoginFixture(enrolled: false)
        fixture.server.spoil(kind, status: status)
        #expect(try fixture.enrol(pin: LoginFixture.pin) == outcome)
        #expect(!fixture.exists("4711"))
    }

    @Test func `replaces the older PIN only after a login with the new one`() throws {
        let fixture = try LoginFixture()
        let old = try fixture.folder.text("store/users/4711")
        var during = ""
        try fixture.enrol(pin: "86421", enrolled: "2026-11-22T12:00:00Z") { step in
            if case .settle = step { during = (try? fixture.folder.text("store/users/4711")) ?? "" }
        }
        #expect(during.hasPrefix(old))
        let new = try fixture.folder.text("store/users/4711")
        #expect(!new.contains(old.dropFirst(100)))
        #expect(try fixture.login("86421").outcome.isGranted)
    }

    @Test func `that no login proves leaves the older PIN unchanged`() throws {
        let fixture = try LoginFixture()
        let old = try fixture.folder.text("store/users/4711")
        fixture.server.spoilVerdict { SealedVerdict($0, verdict: .revoked) }
        #expect(try fixture.enrol(pin: "86421", enrolled: "2026-11-22T12:00:00Z") == .withdrawn(.revoked))
        #expect(try fixture.folder.text("store/users/4711") == old)
    }

    @Test func `that could not be proved keeps both PINs`() throws {
        let fixture = try LoginFixture()
        fixture.server.spoilFirst(status: 0)
        let outcome = try fixture.enrol(pin: "86421", enrolled: "2026-11-22T12:00:00Z")
        guard case .unproved(_, .unavailable) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        fixture.server.spoil = { _, answer throws(TransportError) in answer }
        #expect(try fixture.login("86421").outcome.isGranted)
        #expect(try fixture.ids(FileStore(at: fixture.store)).count == 2)
    }

    @Test func `under an mpinId with a token here is refused before the request for its secret`() throws {
        let fixture = try LoginFixture()
        let known = try fixture.ids(FileStore(at: fixture.store))
        var old: [UInt8] = []
        if case .passOne(let pass)? = fixture.server.asked(.passOne).last { old = pass.mpinID }
        #expect(known == [identityHash(old)])
        fixture.server.spoil = { _, answer throws(TransportError) in
            guard case .register(let new)? = answer.body else { return answer }
            let again = RelayRegisterResponse(mpinID: old, regOTT: new.regOTT, active: true)
            return RelayResponse(kind: .register, status: 200, body: .register(again))
        }
        let asked = fixture.server.asked(.clientSecret).count
        #expect(try fixture.enrol(pin: "86421") == .failed(.store(StoreError(file: [], fault: .secondToken))))
        #expect(fixture.server.asked(.clientSecret).count == asked)
    }

    /// A killed enrolment can leave both a token and a pending registration.
    @Test func `that has its token leaves no pending registration`() throws {
        for removed in [false, true] {
            let fixture = try LoginFixture()
            let files = try FileStore(at: fixture.store)
            guard case .register(let new)? = fixture.server.asked.first,
                case .passOne(let pass)? = fixture.server.asked(.passOne).last
            else {
                Issue.record("nothing asked")
                return
            }
            let left = PendingRegistration(
                userID: new.userID, mpinID: pass.mpinID, regOTT: Array("ott".utf8), a: nil, backend: [])
            try files.save(left, of: alice, host: fixture.host)
            #expect(fixture.exists("4711.pending"))
            if removed { try files.remove([identityHash(pass.mpinID)], of: alice, host: fixture.host) }
            #expect(try files.pending(alice, host: fixture.host) == nil)
            #expect(!fixture.exists("4711.pending"))
            try fixture.enrol(pin: "86421", enrolled: "2026-11-22T12:00:00Z")
            #expect(try fixture.login("86421").outcome.isGranted)
        }
    }

    @Test func `that is pending survives the removal of another identity`() throws {
        let fixture = try LoginFixture()
        let files = try FileStore(at: fixture.store)
        let waiting = PendingRegistration(
            userID: Array("bob".utf8), mpinID: [1, 2, 3], regOTT: Array("ott".utf8), a: nil, backend: [])
        try files.save(waiting, of: alice, host: fixture.host)
        try files.remove(try fixture.ids(files), of: alice, host: fixture.host)
        #expect(try files.pending(alice, host: fixture.host) == waiting)
    }

    @Test func `that is pending has no section in its file`() throws {
        let fixture = try LoginFixture()
        let files = try FileStore(at: fixture.store)
        let waiting = PendingRegistration(
            userID: Array("bob".utf8), mpinID: [1, 2, 3], regOTT: Array("ott".utf8), a: nil, backend: [])
        try files.save(waiting, of: alice, host: fixture.host)
        let name = "store/users/4711.pending"
        try fixture.folder.write(fixture.folder.text(name) + "[more]\nuid = 4711\n", to: name)
        #expect(throws: StoreError.self) { try files.pending(alice, host: fixture.host) }
    }

    @Test func `with a refused PIN sends nothing`() throws {
        let fixture = try LoginFixture(enrolled: false)
        #expect(throws: RegistrationError.pin(.counted)) { try fixture.enrol(pin: "1234") }
        #expect(fixture.server.asked == [])
    }

    @Test func `never sends the PIN in plain text`() throws {
        let fixture = try LoginFixture()
        for question in fixture.server.asked {
            #expect(!(try question.encoded().contains(Array(LoginFixture.pin.utf8))), "\(question.kind)")
        }
    }
}

@Suite struct `An enrolment killed at any step` {
    /// Runs to the given step and drops everything; the action of that step is not done.
    private func kill(_ fixture: LoginFixture, at step: Int) throws {
        let files = try FileStore(at: fixture.store)
        let request = fixture.request(known: try fixture.ids(files), enrolled: "2026-11-22T12:00:00Z")
        var machine = try fixture.registration(request, pin: "86421")
        var count = 0
        var line = fixture.server.connect()
        var next = machine.resume(.begin)
        while count < step {
            count += 1
            switch next {
            case .exchange(let question): next = machine.resume(.received(try line.exchange(question)))
            case .save(let pending):
                try files.save(pending, of: alice, host: fixture.host)
                next = machine.resume(.done)
            case .store(let identity):
                try machine.withToken { token, key in
                    Result {
                        try files.add(identity, token: token, deviceKey: key, of: alice, host: fixture.host)
                    }
                }?.get()
                next = machine.resume(.done)
            case .settle(let identity):
                let others = try fixture.ids(files).filter { $0 != identity.id }
                try files.remove(others, of: alice, host: fixture.host)
                next = machine.resume(.done)
            case .withdraw, .finished: return
            }
        }
    }

    @Test(arguments: 0...10) func `leaves the old PIN or the new one`(_ step: Int) throws {
        let fixture = try LoginFixture()
        fixture.server.triesLeft = 9
        try kill(fixture, at: step)
        let old = try fixture.login(LoginFixture.pin).outcome.isGranted
        let new = try fixture.login("86421").outcome.isGranted
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
