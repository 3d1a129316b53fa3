// SPDX-License-Identifier: Apache-2.0
// Facts about a server that the relay reports beside its answers: its clock, and the end of its certificate.
import Foundation
import MPinLogin
import MPinProof
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct InspectTests {
    private func inspected(_ headers: [String: String], status: Int = 200) throws -> RelayResponse {
        let server = try Server { _ in .json(status, "{}", headers: headers) }
        return try ask(.inspect, server)
    }

    @Test func `the clock is read from the server's header`() throws {
        let date = ["Date": "Sat, 21 Nov 2026 08:13:43 GMT"]
        let facts = RelayInspectResponse(time: 1_795_248_823, certificateEnd: 0)
        #expect(try inspected(date) == RelayResponse(kind: .inspect, status: 200, body: .inspect(facts)))
    }

    @Test(arguments: ["", "yesterday", "Sat, 99 Nov 2026 88:13:43 GMT", String(repeating: "9", count: 400)])
    func `an invalid header counts as missing`(_ date: String) throws {
        let nothing = RelayInspectResponse(time: 0, certificateEnd: 0)
        #expect(try inspected(["Date": date]).body == .inspect(nothing))
        #expect(try inspected([:]).body == .inspect(nothing))
    }

    @Test func `a server that refuses or is unreachable gives a status`() throws {
        #expect(try inspected([:], status: 503) == RelayResponse(kind: .inspect, status: 503))
        #expect(
            try ask(.inspect, hello(["unix:/nowhere/s"]))
                == RelayResponse(kind: .inspect, status: Distrust.socket.status)
        )
        #expect(try ask(.inspect, hello(["http://127.0.0.1:1"])).status == RelayResponse.unreachable)
    }

    @Test func `every inspection sends a new request`() throws {
        let server = try Server { _ in settings() }
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        for question in [RelayRequest.settings, .inspect, .inspect] {
            #expect(try relay.exchange(question).status == 200)
        }
        #expect(server.received.filter { $0.route == "/rps/clientSettings" }.count == 3)
    }
}
