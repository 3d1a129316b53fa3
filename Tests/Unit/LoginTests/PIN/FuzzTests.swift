// SPDX-License-Identifier: Apache-2.0
// Events in random order, with old, corrupted and true answers: the invariants that hold for every order.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

/// What was observed of one login.
private struct Witness {
    var proofs: [[UInt8]: Int] = [:]
    var u: [UInt8] = []
    /// The question that the next verdict answers, and the way of the proof.
    var asked: (a: QuestionHash?, way: AuthenticationMethod)?
    var own: [QuestionHash] = []
    var last: RelayResponse?

    mutating func see(_ question: RelayRequest) {
        switch question {
        case .passOne(let pass):
            u = pass.u
            own += SealedQuestion(decoding: pass.sealed.question).map { [$0.a] } ?? []
        case .session(let sealed): own += SealedQuestion(decoding: sealed.question).map { [$0.a] } ?? []
        case .otp(let password):
            own += SealedQuestion(decoding: password.sealed.question).map { [$0.a] } ?? []
        case .authenticate(let request):
            asked = (request.a, !request.authOTT.isEmpty ? .pin : request.id == nil ? .phone : .otp)
        case .passTwo: proofs[u, default: 0] += 1
        default: break
        }
    }

    /// Whether the last answer is a grant that this host's mpind sealed for the last question, which belongs
    /// to this login, and for the way that the login took.
    func mayGrant(_ key: borrowing HostKey, _ id: IdentityHash) -> AuthenticationMethod? {
        guard let asked, let a = asked.a, own.contains(a), case .authenticate(let sealed)? = last?.body,
            let verdict = try? key.open(answer: sealed.answer, tag: sealed.tag, to: a, by: asked.way)
        else { return nil }
        let granted = asked.way == .pin ? id : LoginFixture.device
        return verdict.verdict == .granted && verdict.id == granted ? asked.way : nil
    }
}

private enum Choice: CaseIterable {
    case begin, answer, told, broken, prepared, received, transport, late, spoiled, struck, notStruck
}

@Suite(.slow) struct `Events in any order` {
    private func event(
        _ choice: Choice, _ answers: [RelayResponse], _ random: inout SplitMix
    ) throws -> LoginEvent {
        switch choice {
        case .begin: return .begin
        case .answer: return .answered(try secret(random.next(2) == 0 ? LoginFixture.pin : "1470"))
        case .told: return .told
        case .broken: return .conversationBroken(random.next(2) == 0 ? .failed : .cancelled)
        case .prepared: return .prepared
        case .received: return .received(answers[random.next(answers.count)])
        case .transport:
            return .transportBroken([.cannotStart, .closed, .timedOut, .brokenFrame][random.next(4)])
        case .late: return .timedOut
        case .struck: return .struck(left: random.next(2) == 0 ? 7 : nil)
        case .notStruck: return .strikeFailed(StoreError(file: [], fault: .locked))
        case .spoiled: return .received(spoiled(answers[random.next(answers.count)], &random))
        }
    }

    /// The answer with one bit of its frame flipped, if the frame still decodes.
    private func spoiled(_ answer: RelayResponse, _ random: inout SplitMix) -> RelayResponse {
        guard var frame = try? answer.encoded() else { return answer }
        frame[random.next(frame.count)] ^= 1 << UInt8(random.next(8))
        return (try? RelayResponse(decoding: frame)) ?? answer
    }

    /// The event with which an honest driver answers the step; nil at the end.
    private func honest(
        _ step: LoginStep, _ server: FakeServer, _ random: inout SplitMix
    ) throws -> LoginEvent? {
        switch step {
        case .ask(.pin): return .answered(try secret(random.next(3) == 0 ? "1470" : LoginFixture.pin))
        case .ask(.phone):
            if random.next(2) == 0 { server.approval = LoginFixture.device }
            let code = try server.approvalCode()
            return .answered(
                try secret([code, code, "BBBBBB", "1470", LoginFixture.pin, ""][random.next(6)]))
        case .ask(.otp):
            server.passwords[LoginFixture.device] = ("123456", 0)
            return .answered(
                try secret(["123456", "123 456", "000000", LoginFixture.pin, ""][random.next(5)]))
        case .tell: return .told
        case .prepare: return .prepared
        case .exchange(let question): return .received(try server.exchange(question))
        case .ask(.backupCode), .strike, .forget, .finished: return nil
        }
    }

    @Test func `no U gets two V, and a login is granted only by a sealed grant`() throws {
        let fixture = try LoginFixture(rule: .number(modulus: 10_000))
        let key = try testHostKey()
        let id = try #require(try fixture.ids(FileStore(at: fixture.store)).first)
        try fixture.addDevice()
        let settings = try ["pin", "pin phone", "phone", "otp"].map {
            try fixture.settings("tries = 6\nmethod = \($0)")
        }
        var random = SplitMix(seed: 20_261_121)
        var grants: [AuthenticationMethod] = []
        for round in 0..<rounds(400) {
            fixture.server.triesLeft = 9
            let context = (round / 4).isMultiple(of: 2) ? fixture.context() : fixture.afar
            let machine = Login(
                settings: settings[round % 4], context: context,
                credentials: .find(settings[round % 4], context),
                nonce: freshNonce)
            var witness = Witness()
            var step = machine.resume(random.next(8) == 0 ? .told : .begin)
            var answers = Array(fixture.server.answered.suffix(40))
            for _ in 0..<40 {
                if case .exchange(let question) = step { witness.see(question) }
                var wild: LoginEvent?
                if random.next(12) == 0 {
                    wild = try event(Choice.allCases[random.next(Choice.allCases.count)], answers, &random)
                }
                guard let event = try wild ?? honest(step, fixture.server, &random) else { break }
                step = try resume(machine, event, &witness)
                answers = Array(fixture.server.answered.suffix(40))
                if case .finished(.granted) = step {
                    let way = witness.mayGrant(key, id)
                    grants.append(try #require(way))
                }
                if case .finished = step {
                    let after = machine.resume(.begin)
                    #expect(after == .finished(.failed(.outOfTurn)))
                    break
                }
            }
            #expect(witness.proofs.values.allSatisfy { $0 == 1 })
        }
        for way in AuthenticationMethod.allCases { #expect(grants.filter { $0 == way }.count > 10) }
    }

    private func resume(
        _ machine: Login, _ event: consuming LoginEvent, _ witness: inout Witness
    ) throws -> LoginStep {
        switch consume event {
        case .received(let answer):
            witness.last = answer
            return machine.resume(.received(answer))
        case let other:
            witness.last = nil
            return machine.resume(other)
        }
    }

    @Test func `a backup code that is not struck out grants no login`() throws {
        let fixture = try LoginFixture(rule: .number(modulus: 10_000))
        let code = try fixture.giveCodes(1)[0]
        try fixture.addDevice()
        let settings = try ["pin", "pin phone", "phone", "otp"].map {
            try fixture.settings("tries = 6\nmethod = \($0)\nbackup-codes = su")
        }
        var random = SplitMix(seed: 39)
        var grants = 0
        for round in 0..<rounds(100) {
            fixture.server.triesLeft = 9
            fixture.server.isRevoked = round.isMultiple(of: 7)
            fixture.server.spoil = { question, answer throws(TransportError) in
                if round.isMultiple(of: 5) { throw .closed }
                if question.kind == .standing, round % 5 == 1 {
                    return RelayResponse(kind: .standing, status: 0)
                }
                return answer
            }
            let settings = settings[round % 4]
            let context =
                (round / 4).isMultiple(of: 2) ? fixture.context() : fixture.context(rhost: "203.0.113.9")
            let machine = Login(
                settings: settings, context: context, credentials: .find(settings, context), nonce: freshNonce
            )
            var step = machine.resume(.begin)
            for _ in 0..<20 {
                var isStrike = false
                if case .strike = step { isStrike = true }
                let left = random.next(2) == 0 ? random.next(8) : nil
                let isStruck = random.next(isStrike ? 2 : 20) == 0
                switch step {
                case _ where isStruck: step = machine.resume(.struck(left: left))
                case .ask:
                    let typed = [code, code, wrongCode, "1470", ""][random.next(5)]
                    step = machine.resume(.answered(try secret(typed)))
                case .strike: step = machine.resume(.strikeFailed(StoreError(file: [], fault: .locked)))
                case .forget: step = machine.resume(.forgotten)
                case .exchange(let question):
                    do throws(TransportError) {
                        step = machine.resume(.received(try fixture.server.exchange(question)))
                    } catch { step = machine.resume(.transportBroken(error)) }
                case .tell: step = machine.resume(.told)
                case .prepare: step = machine.resume(.prepared)
                case .finished: break
                }
                if case .finished(let outcome) = step {
                    guard case .granted(let grant) = outcome else { break }
                    let told = try #require(left)
                    // A revoked user gets in only while the server is unreachable.
                    #expect(!fixture.server.isRevoked || round % 5 == 1)
                    #expect(isStrike && isStruck && grant.left == told)
                    grants += 1
                    break
                }
            }
        }
        #expect(grants > 5)
    }

    @Test func `an account's file of any octets is read or refused`() throws {
        let fixture = try LoginFixture()
        let text = Array(try fixture.folder.text("store/users/4711").utf8)
        let path = fixture.folder.path + "/store/users/4711"
        let files = try FileStore(at: fixture.store)
        var random = SplitMix(seed: 7)
        for _ in 0..<rounds(500) {
            var octets = text
            for _ in 0...random.next(4) { octets[random.next(octets.count)] = UInt8(random.next(256)) }
            if random.next(3) == 0 { octets.removeLast(random.next(octets.count)) }
            try Data(octets).write(to: URL(fileURLWithPath: path))
            do {
                if let file = try files.user(alice, host: fixture.host), let index = file.pinIndex {
                    let token = try file.token(at: index)
                    #expect(token.octets.count == 65)
                }
            } catch is StoreError {} catch is StoreError.Fault {}
        }
    }

    @Test func `settings of any octets are read or refused`() throws {
        let text = Array(
            """
            backend = https://[2001:db8::1]:1/x
            networks = !192.0.2.0/24 ::/0
            users = a* !b?
            screen = 80x24
            [su]
            tries = 2

            """
            .utf8)
        var random = SplitMix(seed: 11)
        var read = 0
        for _ in 0..<rounds(3_000) {
            var octets = text
            for _ in 0...random.next(3) { octets[random.next(octets.count)] = UInt8(random.next(128)) }
            do throws(SettingsError) {
                _ = try Settings(text: octets, file: [], service: [0x73, 0x75])
                read += 1
            } catch { #expect(error.line < 12) }
        }
        #expect(read > 0)
    }
}
