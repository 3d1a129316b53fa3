// SPDX-License-Identifier: Apache-2.0
// The backend is unreachable, slow or confused: which failures the settings may ignore, and which never.
import MPinLogin
import MPinProof
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct `An unavailable backend` {
    private func outcome(_ policy: String, _ kind: Kind, status: UInt16) throws -> Outcome {
        let fixture = try LoginFixture()
        fixture.server.usesPermits = kind == .permits
        fixture.server.spoil(kind, status: status)
        let settings = try fixture.settings("unavailable = \(policy)")
        return fixture.login([LoginFixture.pin], settings: settings, context: fixture.context()).outcome
    }

    @Test(arguments: [RelayResponse.unreachable] + Distrust.allCases.filter(\.isOfCertificate).map(\.status))
    func `is ignored only if the sole answer is that it is unreachable`(
        _ status: UInt16
    ) throws {
        let ignored = Outcome.unavailable(Unavailable(status: status, ignored: true))
        let denied = Outcome.unavailable(Unavailable(status: status, ignored: false))
        #expect(try outcome("ignore", .passOne, status: status) == ignored)
        #expect(try outcome("deny", .passOne, status: status) == denied)
        for kind in [Kind.permits, .passTwo, .authenticate] {
            #expect(try outcome("ignore", kind, status: status) == denied, "\(kind)")
        }
    }

    @Test(
        arguments: [RelayResponse.timedOut, RelayResponse.machineFailed, 500, 502, 503, 599]
            + Distrust.allCases.map(\.nearStatus))
    func `that was reached, or could not be called because of this machine, is never ignored`(
        _ status: UInt16
    )
        throws
    {
        for kind in [Kind.permits, .passOne, .passTwo, .authenticate] {
            let denied = Outcome.unavailable(Unavailable(status: status, ignored: false))
            #expect(try outcome("ignore", kind, status: status) == denied, "\(kind)")
        }
    }

    @Test(arguments: [UInt16(3), 204, 302, 400, 403, 404, 406, 418])
    func `that answers with another status is an error`(_ status: UInt16) throws {
        for kind in [Kind.permits, .passOne, .passTwo] {
            // The server has forgotten pass 1: it counts as unavailable, and is never ignored.
            let isForgotten = kind == .passTwo && status == 403
            let expected =
                isForgotten
                ? Outcome.unavailable(Unavailable(status: status, ignored: false))
                : .failed(.answer(kind, status: status))
            #expect(try outcome("ignore", kind, status: status) == expected, "\(kind)")
        }
        #expect(try outcome("ignore", .authenticate, status: status) == .failed(.seal(.missing)))
    }

    @Test(arguments: [TransportError.cannotStart, .closed, .brokenFrame])
    func `behind a failing relay is an error under every policy`(_ error: TransportError) throws {
        for kind in [Kind.permits, .passOne, .passTwo, .authenticate] {
            let fixture = try LoginFixture()
            fixture.server.usesPermits = kind == .permits
            fixture.server.spoil = { question, answer throws(TransportError) in
                if question.kind == kind { throw error }
                return answer
            }
            let settings = try fixture.settings("unavailable = ignore")
            let shown = fixture.login(
                [LoginFixture.pin, LoginFixture.pin], settings: settings, context: fixture.context())
            #expect(shown.outcome == .failed(.transport(error)))
            #expect(shown.prompts.count == 1)
        }
    }

    @Test func `past the deadline is denied`() throws {
        let fixture = try LoginFixture()
        fixture.server.spoil = { _, _ throws(TransportError) in throw .timedOut }
        let settings = try fixture.settings("unavailable = ignore")
        let shown = fixture.login([LoginFixture.pin], settings: settings, context: fixture.context())
        #expect(shown.outcome == .unavailable(Unavailable(status: nil, ignored: false)))
    }

    @Test func `that answers a different request is an error`() throws {
        let fixture = try LoginFixture()
        fixture.server.spoil = { _, _ throws(TransportError) in
            RelayResponse(kind: .settings, status: 200, body: .settings(usesPermits: false))
        }
        #expect(try fixture.login(LoginFixture.pin).outcome == .failed(.transport(.brokenFrame)))
    }
}
