// SPDX-License-Identifier: Apache-2.0
// The backend is unreachable, slow or confused: which failures are an outage, and which are an error.
import MPinLogin
import MPinProof
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct `An unavailable backend` {
    private func outcome(_ kind: Kind, status: UInt16) throws -> Outcome {
        let fixture = try LoginFixture()
        fixture.server.usesPermits = kind == .permits
        fixture.server.spoil(kind, status: status)
        return try fixture.login(LoginFixture.pin).outcome
    }

    @Test(
        arguments: [
            RelayResponse.unreachable, RelayResponse.timedOut, RelayResponse.machineFailed, 500, 502, 503,
            599,
        ]
            + Distrust.allCases.map(\.status))
    func `ends the login without a verdict`(_ status: UInt16) throws {
        for kind in [Kind.permits, .passOne, .passTwo, .authenticate] {
            #expect(try outcome(kind, status: status) == .unavailable(Unavailable(status: status)), "\(kind)")
        }
    }

    @Test(arguments: [UInt16(3), 204, 302, 400, 403, 404, 406, 418])
    func `that answers with another status is an error`(_ status: UInt16) throws {
        for kind in [Kind.permits, .passOne, .passTwo] {
            // The server has forgotten pass 1: it counts as unavailable.
            let isForgotten = kind == .passTwo && status == 403
            let expected =
                isForgotten
                ? Outcome.unavailable(Unavailable(status: status))
                : .failed(.answer(kind, status: status))
            #expect(try outcome(kind, status: status) == expected, "\(kind)")
        }
        #expect(try outcome(.authenticate, status: status) == .failed(.seal(.missing)))
    }

    @Test(arguments: [TransportError.cannotStart, .closed, .brokenFrame])
    func `behind a failing relay is an error`(_ error: TransportError) throws {
        for kind in [Kind.permits, .passOne, .passTwo, .authenticate] {
            let fixture = try LoginFixture()
            fixture.server.usesPermits = kind == .permits
            fixture.server.spoil = { question, answer throws(TransportError) in
                if question.kind == kind { throw error }
                return answer
            }
            let shown = try fixture.login(LoginFixture.pin, LoginFixture.pin)
            #expect(shown.outcome == .failed(.transport(error)))
            #expect(shown.prompts.count == 1)
        }
    }

    @Test func `past the deadline is denied`() throws {
        let fixture = try LoginFixture()
        fixture.server.spoil = { _, _ throws(TransportError) in throw .timedOut }
        #expect(try fixture.login(LoginFixture.pin).outcome == .unavailable(Unavailable(status: nil)))
    }

    @Test func `that answers a different request is an error`() throws {
        let fixture = try LoginFixture()
        fixture.server.spoil = { _, _ throws(TransportError) in
            RelayResponse(kind: .settings, status: 200, body: .settings(usesPermits: false))
        }
        #expect(try fixture.login(LoginFixture.pin).outcome == .failed(.transport(.brokenFrame)))
    }
}
