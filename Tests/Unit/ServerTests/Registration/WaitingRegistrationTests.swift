// SPDX-License-Identifier: Apache-2.0
// Registrations that wait for an administrator: the answer to one too many.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct WaitingRegistrationTests {
    @Test func `the eleventh waiting registration gets 429 and a waiting time, whatever its name`()
        async throws
    {
        let server = try Server(registration: .confirm)
        _ = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        for index in 0..<10 {
            let asked = RegisterRequest(userId: "user\(index)")
            #expect(try await server.send("PUT", Route.user, asked).status == 200)
        }
        server.clock.advance(seconds: 600)
        var bodies: Set<[UInt8]> = []
        for name in ["alice", "user0", "nobody"] {
            let answer = try await server.send("PUT", Route.user, RegisterRequest(userId: name))
            #expect(answer.status == 429)
            #expect(answer.headers.first { $0.name == "Retry-After" }?.value == "3000")
            #expect(answer.notes.contains(LogField("refused", "full")))
            bodies.insert(answer.body)
        }
        #expect(bodies.count == 1)
        // A client with a code needs no place, and another source has places of its own.
        var asked = RegisterRequest(userId: "bob")
        asked.activateCode = try await server.add("bob")
        #expect(try await server.send("PUT", Route.user, asked).status == 200)
        let other = Peer.address("192.0.2.2")
        #expect(
            try await server.send("PUT", Route.user, RegisterRequest(userId: "x"), peer: other).status == 200)
        server.clock.advance(seconds: 3001)
        #expect(try await server.send("PUT", Route.user, RegisterRequest(userId: "x")).status == 200)
    }
}
