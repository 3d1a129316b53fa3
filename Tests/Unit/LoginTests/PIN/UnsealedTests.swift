// SPDX-License-Identifier: Apache-2.0
// A Milagro server, which seals nothing: its status decides, as protocol 0.3 and the settings allow.
import MPinLogin
import MPinProof
import MPinWire
import Octets
import TestSupport
import Testing

@Suite struct `Without seals` {
    @Test func `the right PIN is granted, and nothing is sealed`() throws {
        let fixture = try LoginFixture(sealed: false)
        let outcome = try fixture.login(LoginFixture.pin).outcome
        guard case .granted(let grant) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(grant.proven?.sealed == false)
        guard case .passOne(let pass)? = fixture.server.asked(.passOne).last,
            case .passTwo(let second)? = fixture.server.asked(.passTwo).last,
            case .authenticate(let last)? = fixture.server.asked(.authenticate).last
        else {
            Issue.record("passes missing")
            return
        }
        #expect(pass.sealed.isNone)
        #expect(second.n == nil && second.wid == Array("0".utf8))
        #expect(last.a == nil)
    }

    @Test func `three wrong PINs block`() throws {
        let fixture = try LoginFixture(sealed: false)
        #expect(try fixture.login("1470", "1471", "1472").outcome == .blocked(releaseAfter: nil))
    }

    @Test(arguments: [
        (UInt16(401), Outcome.refused(.wrongPIN(triesLeft: nil))), (403, .revoked),
        (406, .failed(.answer(.authenticate, status: 406))),
        (408, .refused(.expired)), (409, .secretExpired), (410, .blocked(releaseAfter: nil)),
        (412, .refused(.expired)),
        (404, .failed(.answer(.authenticate, status: 404))),
        (302, .failed(.answer(.authenticate, status: 302))),
        (201, .failed(.answer(.authenticate, status: 201))), (3, .failed(.answer(.authenticate, status: 3))),
        (500, .unavailable(Unavailable(status: 500))),
        (1, .unavailable(Unavailable(status: 1))),
    ])
    func `the status of the redemption decides`(_ status: UInt16, _ outcome: Outcome) throws {
        let fixture = try LoginFixture(sealed: false)
        fixture.server.spoil(.authenticate, status: status)
        let settings = try fixture.settings("tries = 1")
        #expect(
            fixture.login([LoginFixture.pin], settings: settings, context: fixture.context()).outcome
                == outcome)
    }

    @Test(arguments: [UInt16(401), 403, 410]) func `a refused permit is a revocation`(_ status: UInt16) throws
    {
        let fixture = try LoginFixture(sealed: false)
        fixture.server.spoil(.permits, status: status)
        #expect(try fixture.login(LoginFixture.pin).outcome == .revoked)
    }

    @Test func `a server that binds its challenge is an error`() throws {
        let fixture = try LoginFixture(sealed: false)
        fixture.server.spoil = { _, answer throws(TransportError) in
            guard case .passOne(let pass)? = answer.body else { return answer }
            let n = ServerNonce(repeating: 1)
            return RelayResponse(
                kind: .passOne, status: 200, body: .passOne(RelayPassOneResponse(y: pass.y, n: n)))
        }
        #expect(try fixture.login(LoginFixture.pin).outcome == .failed(.seal(.unexpected)))
    }

    @Test func `a verdict that came with a seal is an error`() throws {
        let fixture = try LoginFixture(sealed: false)
        fixture.server.spoil = { _, answer throws(TransportError) in
            guard answer.kind == .authenticate else { return answer }
            let seal = RelaySealedResponse(answer: [1], tag: [2])
            return RelayResponse(kind: .authenticate, status: 200, body: .authenticate(seal))
        }
        #expect(try fixture.login(LoginFixture.pin).outcome == .failed(.seal(.unexpected)))
    }

    @Test func `an answer to another request grants nothing`() throws {
        let fixture = try LoginFixture(sealed: false)
        fixture.server.spoil = { question, answer throws(TransportError) in
            question.kind == .authenticate ? RelayResponse(kind: .end, status: 200, body: .end) : answer
        }
        #expect(try fixture.login(LoginFixture.pin).outcome == .failed(.transport(.brokenFrame)))
    }

    @Test func `a server without permits gets a proof without one`() throws {
        let fixture = try LoginFixture(sealed: false)
        fixture.server.spoil = { question, answer throws(TransportError) in
            question == .settings
                ? RelayResponse(kind: .settings, status: 200, body: .settings(usesPermits: false)) : answer
        }
        let before = fixture.server.asked.count
        #expect(try fixture.login(LoginFixture.pin).outcome.isGranted)
        let asked = fixture.server.asked.dropFirst(before).map(\.kind)
        #expect(asked == [.settings, .passOne, .passTwo, .authenticate])
    }
}
