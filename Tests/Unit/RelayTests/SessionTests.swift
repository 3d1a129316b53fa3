// SPDX-License-Identifier: Apache-2.0
// A session for a second device ends with the login that opened it, however that login ended.
import Foundation
import MPinLogin
import MPinProof
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct SessionTests {
    let wid = String(repeating: "a0", count: 16)
    let ask = TaggedQuestion(question: octets("ask"), tag: [UInt8](repeating: 0x11, count: 32))

    private var opened: Reply {
        let tag = String(repeating: "0d", count: 32)
        return .json(
            200,
            #"{"ttlSeconds": 90, "qrUrl": "https://x/#\#(wid)", "webOTT": "", "#
                + #""accessNumber": "3232212", "sessionTag": "\#(tag)"}"#)
    }

    /// A backend that opens sessions and accepts every other request.
    private func server(codeStatus: Int = 200, authenticate: Int = 408) throws -> Server {
        try Server { [opened] request in
            switch request.route {
            case "/rps/clientSettings": settings()
            case "/rps/getQrUrl": opened
            case "/rps/codeStatus": .json(codeStatus, #"{"Status": "OK"}"#)
            default: .json(authenticate, "{}")
            }
        }
    }

    /// The aborts of the session that the server receives for these requests and the end of the relay.
    private func aborts(_ server: Server, _ questions: RelayRequest...) throws -> [[String: String]] {
        do {
            var relay = try start(try relayProgram.get(), hello([server.backend]))
            for question in questions { _ = try relay.exchange(question) }
            _ = consume relay
        }
        return server.received.filter { $0.route == "/rps/codeStatus" }.compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.body.utf8)) as? [String: String]
        }
    }

    private func approval(_ a: QuestionHash) -> RelayRequest {
        .authenticate(RelayAuthenticateRequest(authOTT: [], id: nil, a: a))
    }

    private func hash() throws -> QuestionHash {
        let server = try server()
        let told = try #require(try aborts(server, .session(ask)).first)
        let a = Octets.octets(fromHex: octets(told["A"] ?? ""))
        return try QuestionHash(exactly: #require(a))
    }

    @Test func `ends when the channel closes, and is named by its question's hash`() throws {
        let told = try aborts(try server(), .session(ask))
        #expect(told.count == 1)
        #expect(told.first?["status"] == "abort" && told.first?["wid"] == wid)
        // The output of: printf ask | sha256sum
        #expect(told.first?["A"] == "2f2fc7f2e9ce13b09b84f63d54d0b4a59f4dbd46aea41da67023817e2d0c5e59")
    }

    @Test func `is not ended twice`() throws {
        let server = try server()
        #expect(
            try aborts(server, .session(ask), .end(RelayEndRequest(wid: octets(wid), a: try hash()))).count
                == 1)
    }

    @Test func `that was granted is not aborted, and one that was not approved is`() throws {
        let a = try hash()
        #expect(try aborts(try server(authenticate: 200), .session(ask), approval(a)).isEmpty)
        #expect(try aborts(try server(authenticate: 408), .session(ask), approval(a)).count == 1)
    }

    @Test func `that was never opened is not aborted`() throws {
        #expect(try aborts(try server(), .settings).isEmpty)
    }

    @Test func `that cannot be aborted costs a bounded time`() throws {
        let server = try Server { [opened] request in
            switch request.route {
            case "/rps/clientSettings": settings()
            case "/rps/codeStatus": .hang
            default: opened
            }
        }
        let program = try Program("mpin-relay")
        do {
            var relay = try start(program, hello([server.backend]))
            #expect(try relay.exchange(.session(ask)).status == 200)
            _ = consume relay
        }
        while try !processes(of: program).isEmpty { usleep(10_000) }
        #expect(server.received.contains { $0.route == "/rps/codeStatus" })
    }
}
