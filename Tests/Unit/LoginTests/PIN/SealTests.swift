// SPDX-License-Identifier: Apache-2.0
// A relay, a proxy or an impostor of mpind says "granted": the login is not granted.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Octets
import TestSupport
import Testing

@Suite struct `A verdict is not believed` {
    /// The outcome of a login with the right PIN and a spoiled answer.
    private func outcome(_ spoil: (FakeServer) -> Void) throws -> Outcome {
        let fixture = try LoginFixture()
        spoil(fixture.server)
        return try fixture.login(LoginFixture.pin).outcome
    }

    @Test func `without a tag`() throws {
        #expect(try outcome { $0.spoilSeal { _ in .none } } == .failed(.seal(.missing)))
    }

    @Test func `with a tag of zeros`() throws {
        let zeros = [UInt8](repeating: 0, count: 32)
        let outcome = try outcome { $0.spoilSeal { RelaySealedResponse(answer: $0.answer, tag: zeros) } }
        #expect(outcome == .failed(.seal(.wrongTag)))
    }

    @Test func `with any bit of answer or tag flipped`() throws {
        let fixture = try LoginFixture()
        for bit in stride(from: 0, to: 118 * 8, by: 53) {
            fixture.server.spoilSeal { sealed in
                var octets = sealed.answer + sealed.tag
                octets[bit / 8] ^= 1 << (bit % 8)
                return RelaySealedResponse(answer: Array(octets.prefix(86)), tag: Array(octets.suffix(32)))
            }
            #expect(try fixture.login(LoginFixture.pin).outcome == .failed(.seal(.wrongTag)), "bit \(bit)")
        }
    }

    @Test func `that was given for another attempt`() throws {
        let fixture = try LoginFixture()
        _ = try fixture.login(LoginFixture.pin)
        let old = try #require(fixture.server.answered.last)
        fixture.server.spoil = { question, answer throws(TransportError) in
            question.kind == .authenticate ? old : answer
        }
        #expect(try fixture.login(LoginFixture.pin).outcome == .failed(.seal(.otherQuestion)))
    }

    @Test func `that grants to another identity`() throws {
        let mallory = IdentityHash(repeating: 7)
        let outcome = try outcome { $0.spoilVerdict { SealedVerdict($0, id: mallory) } }
        #expect(outcome == .failed(.seal(.otherIdentity)))
    }

    @Test func `that grants to no identity`() throws {
        let outcome = try outcome { $0.spoilVerdict { SealedVerdict($0, id: .zero) } }
        #expect(outcome == .failed(.seal(.otherIdentity)))
    }

    @Test(arguments: [AuthenticationMethod.phone, .otp]) func `for another way`(_ way: AuthenticationMethod)
        throws
    {
        let outcome = try outcome { $0.spoilVerdict { SealedVerdict($0, way: way) } }
        #expect(outcome == .failed(.seal(.otherWay)))
    }

    @Test func `sealed under another host's key`() throws {
        let other = try testHostKey(name: "build-7")
        let stranger = try HostKey(
            name: other.name, epoch: 1, key: secret([UInt8](repeating: 9, count: 32)))
        let outcome = try outcome { server in
            server.spoilSeal { sealed in
                let verdict = SealedVerdict(decoding: sealed.answer)
                let tag = verdict.flatMap { try? stranger.tag(of: $0) } ?? []
                return RelaySealedResponse(answer: sealed.answer, tag: tag)
            }
        }
        #expect(outcome == .failed(.seal(.wrongTag)))
    }

    @Test func `that grants a wrong PIN by its status alone`() throws {
        let fixture = try LoginFixture()
        fixture.server.spoil = { _, answer throws(TransportError) in
            answer.kind == .authenticate
                ? RelayResponse(kind: answer.kind, status: 200, body: answer.body) : answer
        }
        #expect(try fixture.login("1470").outcome == .conversationFailed)
        #expect(fixture.server.answered.last?.status == 200)
    }
}

@Suite struct `A challenge is refused before V exists` {
    private func passTwos(_ change: @escaping (RelayPassOneResponse) -> RelayPassOneResponse) throws -> (
        Outcome, Int
    ) {
        let fixture = try LoginFixture()
        let before = fixture.server.asked(.passTwo).count
        fixture.server.spoil = { _, answer throws(TransportError) in
            guard case .passOne(let pass)? = answer.body else { return answer }
            return RelayResponse(kind: .passOne, status: 200, body: .passOne(change(pass)))
        }
        let outcome = try fixture.login(LoginFixture.pin).outcome
        return (outcome, fixture.server.asked(.passTwo).count - before)
    }

    @Test func `when y is not the hash of this purpose`() throws {
        let y = try Challenge(exactly: [UInt8](repeating: 0, count: 31) + [5])
        let (outcome, sent) = try passTwos { RelayPassOneResponse(y: y, n: $0.n) }
        #expect(outcome == .failed(.seal(.wrongChallenge)))
        #expect(sent == 0)
    }

    @Test func `when n is changed`() throws {
        let n = ServerNonce(repeating: 1)
        let (outcome, sent) = try passTwos { RelayPassOneResponse(y: $0.y, n: n) }
        #expect(outcome == .failed(.seal(.wrongChallenge)))
        #expect(sent == 0)
    }

    @Test func `when n is missing`() throws {
        let (outcome, sent) = try passTwos { RelayPassOneResponse(y: $0.y, n: nil) }
        #expect(outcome == .failed(.seal(.missing)))
        #expect(sent == 0)
    }

    @Test func `when the relay uses this proof for another question of this host`() throws {
        // The relay does pass 1 for a question of its choice, and returns the y of that question.
        let fixture = try LoginFixture()
        let other = try #require(
            SealedQuestion(
                host: Array("prod-db1".utf8), nonce: QuestionNonce(repeating: 0x33),
                service: Array("sshd".utf8), account: Array("root".utf8),
                source: Array("203.0.113.9".utf8), tty: Array("ssh".utf8), flags: 0, life: 90, ids: []))
        fixture.server.spoil = { question, answer throws(TransportError) in
            guard case .passOne(let pass) = question, case .passOne(let honest)? = answer.body,
                let n = honest.n,
                let y = try? challenge(
                    n: n, id: identityHash(pass.mpinID), u: pass.u, ut: pass.ut,
                    purpose: PurposeHash(other.a))
            else { return answer }
            return RelayResponse(
                kind: .passOne, status: 200, body: .passOne(RelayPassOneResponse(y: y, n: n)))
        }
        let before = fixture.server.asked(.passTwo).count
        #expect(try fixture.login(LoginFixture.pin).outcome == .failed(.seal(.wrongChallenge)))
        #expect(fixture.server.asked(.passTwo).count == before)
    }
}
