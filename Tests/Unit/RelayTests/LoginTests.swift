// SPDX-License-Identifier: Apache-2.0
// The requests of a login: against the recorded Milagro server, and with mpind's own JSON keys.
import Foundation
import MPinLogin
import MPinProof
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct LoginTests {
    let a = QuestionHash(repeating: 0xaa)
    let sealed = TaggedQuestion(question: octets("ask"), tag: [UInt8](repeating: 0x11, count: 32))

    @Test func `the recorded login of a Milagro client succeeds`() throws {
        let recorded = try Transcript.clientView("02-auth-good")
        let server = try Server { [replay = Replay(recorded)] in replay.reply(to: $0) }
        func body(_ route: String) throws -> [String: Any] {
            let exchange = try #require(recorded.first { $0.route == route })
            let object = try JSONSerialization.jsonObject(with: Data(exchange.request.body.utf8))
            return try #require(object as? [String: Any])
        }
        func hexOctets(_ value: Any?) throws -> [UInt8] {
            let found = Octets.octets(fromHex: octets(value as? String ?? "-"))
            return try #require(found)
        }
        let (one, two) = (try body("/rps/pass1"), try body("/rps/pass2"))
        let mpinID = try hexOctets(one["mpin_id"])
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        #expect(try relay.exchange(.settings).body == .settings(usesPermits: true))
        guard case .permits(let permits) = try relay.exchange(.permits(mpinID: mpinID)).body else {
            Issue.record("no permits")
            return
        }
        #expect(permits.date == 20777 && permits.share1.count == 65 && permits.share2.count == 65)
        let pass = RelayPassOneRequest(
            mpinID: mpinID, u: try hexOctets(one["U"]), ut: try hexOctets(one["UT"]), sealed: .none)
        guard case .passOne(let challenge) = try relay.exchange(.passOne(pass)).body else {
            Issue.record("no challenge")
            return
        }
        #expect(challenge.y.octets.prefix(4) == [0x05, 0x41, 0xe3, 0x2e] && challenge.n == nil)
        let proof = RelayPassTwoRequest(
            mpinID: mpinID, v: try hexOctets(two["V"]), wid: octets("0"), wantsOTP: false, n: nil)
        let ticket = octets("099e8790654336887d2e0b5c7ad84223")
        #expect(
            try relay.exchange(.passTwo(proof)).body
                == .passTwo(RelayPassTwoResponse(authOTT: ticket, otp: [])))
        let last = try relay.exchange(
            .authenticate(RelayAuthenticateRequest(authOTT: ticket, id: nil, a: nil)))
        #expect(last == RelayResponse(kind: .authenticate, status: 200))
        let sent = Dictionary(server.received.map { ($0.route, $0.body) }) { $1 }
        for route in ["/rps/pass1", "/rps/pass2"] {
            let ours = try JSONSerialization.jsonObject(with: Data(try #require(sent[route]).utf8))
            let theirs = try body(route) as NSDictionary
            #expect(ours as? NSDictionary == theirs)
        }
    }

    @Test(arguments: [401, 403, 406, 408, 409, 410, 412, 500])
    func `each status of the recorded RPA reaches the module`(status: Int) throws {
        let recorded = try Transcript.clientView("10-rpa-status-\(status)").filter {
            $0.route == "/mpinAuthenticate"
        }
        let server = try Server { [replay = Replay(recorded)] request in
            request.route == "/rps/clientSettings" ? settings() : replay.reply(to: request)
        }
        let question = RelayRequest.authenticate(
            RelayAuthenticateRequest(authOTT: octets("x"), id: nil, a: nil))
        let answer = try ask(question, server)
        #expect(answer == RelayResponse(kind: .authenticate, status: UInt16(status)))
    }

    @Test(arguments: [200, 401, 403, 408, 409, 410])
    func `the sealed verdict is passed on at every status`(status: Int) throws {
        let (verdict, tag) = (String(repeating: "0b", count: 86), String(repeating: "0c", count: 32))
        let server = try Server { request in
            request.route == "/rps/clientSettings"
                ? settings() : .json(status, #"{"answer": "\#(verdict)", "answerTag": "\#(tag)"}"#)
        }
        let answer = try ask(
            .authenticate(RelayAuthenticateRequest(authOTT: octets("ott"), id: nil, a: a)),
            hello([server.backend])
        )
        let expected = RelaySealedResponse(
            answer: [UInt8](repeating: 11, count: 86), tag: [UInt8](repeating: 12, count: 32))
        #expect(
            answer
                == RelayResponse(kind: .authenticate, status: UInt16(status), body: .authenticate(expected)))
    }

    @Test(arguments: [
        (#"{"answer": "0b", "answerTag": "0c"}"#, 200, RelayResponse.notUnderstood),
        ("rubbish", 200, RelayResponse.notUnderstood),
        ("", 200, RelayResponse.notUnderstood), ("{}", 200, 200), ("rubbish", 401, 401), ("", 401, 401),
        (#"{"answer": "zz"}"#, 401, 401),
        (#"{"answer": "0b", "answerTag": "0c"}"#, 401, RelayResponse.notUnderstood),
    ])
    func `an invalid verdict is never passed on`(body: String, status: Int, expected: UInt16) throws {
        let server = try Server { $0.route == "/rps/clientSettings" ? settings() : .json(status, body) }
        let answer = try ask(
            .authenticate(RelayAuthenticateRequest(authOTT: octets("ott"), id: nil, a: a)),
            hello([server.backend])
        )
        #expect(answer == RelayResponse(kind: .authenticate, status: expected))
    }

    @Test func `sessions and one-time passwords use mpind's JSON keys`() throws {
        let wid = String(repeating: "a0", count: 16)
        let (tag, number) = (String(repeating: "0d", count: 32), "3232212")
        let server = try Server { request in
            switch request.route {
            case "/rps/clientSettings": settings()
            case "/rps/otp": .json(200, #"{"otpTags": "\#(tag + tag)"}"#)
            case "/rps/codeStatus": .json(200, #"{"Status": "OK"}"#)
            default:
                .json(
                    200,
                    #"{"ttlSeconds": 90, "qrUrl": "https://x/#\#(wid)", "webOTT": "", "#
                        + #""accessNumber": "\#(number)", "sessionTag": "\#(tag)"}"#)
            }
        }
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        let octets13 = [UInt8](repeating: 13, count: 32)
        let expected = RelaySessionResponse(wid: octets(wid), number: octets(number), life: 90, tag: octets13)
        #expect(try relay.exchange(.session(sealed)).body == .session(expected))
        let typed = RelayOTPRequest(sealed, tags: octets13)
        #expect(try relay.exchange(.otp(typed)).body == .otp(tags: octets13 + octets13))
        #expect(try relay.exchange(.end(RelayEndRequest(wid: octets(wid), a: a))).body == .end)
        let bodies = server.received.map {
            try? JSONSerialization.jsonObject(with: Data($0.body.utf8))
        }
        let ask = ["ask": "61736b", "askTag": String(repeating: "11", count: 32)]
        let end = ["status": "abort", "wid": wid, "A": String(repeating: "aa", count: 32)]
        var password = ask
        password["otpTags"] = String(repeating: "0d", count: 32)
        #expect(bodies as? [[String: String]] == [ask, password, end])
    }
}
