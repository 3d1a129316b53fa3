// SPDX-License-Identifier: Apache-2.0
// The relay connects while the module stretches the PIN, and needs no clientSettings for a sealed question.
import Foundation
import MPinLogin
import MPinProof
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct ConnectTests {
    private let sealed = TaggedQuestion(question: octets("ask"), tag: filled(32, 0x11))

    private func pass(mpinID: Int = 90) -> RelayPassOneRequest {
        RelayPassOneRequest(mpinID: filled(mpinID, 0x7b), u: filled(65, 4), ut: [], sealed: sealed)
    }

    /// A server that answers the calls of a login.
    private func login(_ place: Server.Family = .unix) throws -> Server {
        try Server(place) { request in
            switch request.route {
            case "/rps/pass1":
                .json(
                    200,
                    #"{"y": "\#(hexText(filled(32, 1)))", "n": "\#(hexText(filled(32, 2)))", "pass": 1}"#)
            case "/rps/pass2": .json(200, #"{"authOTT": "0123", "pass": 2}"#)
            case "/rps/clientSettings": settings()
            default: .json(401, "{}")
            }
        }
    }

    @Test func `a sealed login needs one connection and three requests`() throws {
        let server = try login(.ipv4)
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        let first = try relay.exchange(.passOne(pass()))
        #expect(first.body == .passOne(RelayPassOneResponse(y: fixed(1), n: fixed(2))))
        let second = RelayPassTwoRequest(
            mpinID: [1], v: filled(65, 4), wid: octets("0"), wantsOTP: false, n: fixed(2))
        #expect(try relay.exchange(.passTwo(second)).status == 200)
        let verdict = RelayAuthenticateRequest(authOTT: octets("0123"), id: nil, a: fixed(3))
        #expect(try relay.exchange(.authenticate(verdict)).status == 401)
        #expect(server.received.map(\.route) == ["/rps/pass1", "/rps/pass2", "/mpinAuthenticate"])
        #expect(server.connections == 1)
    }

    @Test(arguments: [Server.Family.unix, .ipv4])
    func `the relay connects before pass 1 is there, and sends it over this connection`(
        place: Server.Family
    ) throws {
        let server = try login(place)
        let pass = pass()
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        relay.connect(octets: UInt16(pass.mpinID.count + pass.sealed.question.count))
        for _ in 0..<6000 where server.connections < 1 { usleep(10_000) }
        #expect(server.connections == 1 && server.received.isEmpty)
        #expect(try relay.exchange(.passOne(pass)).status == 200)
        #expect(server.connections == 1)
        let request = try #require(server.received.first)
        #expect(request.headers["content-length"] == "\(request.body.utf8.count)")
        let sent = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
        #expect(
            sent?["mpin_id"] as? String == hexText(pass.mpinID) && sent?["U"] as? String == hexText(pass.u))
        #expect(sent?["ask"] as? String == hexText(octets("ask")))
    }

    @Test func `the longest pass 1 fits, and one that is longer than announced is not sent`() throws {
        let server = try login()
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        let longest = RelayPassOneRequest(
            mpinID: filled(Bound.mpinID), u: filled(65, 4), ut: filled(65, 4),
            sealed: TaggedQuestion(question: filled(Bound.question), tag: filled(32)))
        relay.connect(octets: UInt16(Bound.mpinID + Bound.question))
        #expect(try relay.exchange(.passOne(longest)).status == 200)
        relay.connect(octets: 1)
        #expect(try relay.exchange(.passOne(longest)).status == RelayResponse.notUnderstood)
        #expect(server.received.count == 1)
        #expect(try relay.exchange(.passOne(longest)).status == 200)
    }

    @Test func `why there is no connection is the answer to the next request`() throws {
        let port = try ClosedPort()
        let server = try login()
        var relay = try start(
            try relayProgram.get(), hello(["http://127.0.0.1:\(port.number)"]))
        relay.connect(octets: 93)
        #expect(try relay.exchange(.passOne(pass())).status == RelayResponse.unreachable)
        #expect(try relay.exchange(.passOne(pass())).status == RelayResponse.unreachable)
        // The next backend is tried.
        var other = try start(
            try relayProgram.get(), hello(["http://127.0.0.1:\(port.number)", server.backend]))
        other.connect(octets: 93)
        #expect(try other.exchange(.passOne(pass())).status == 200)
    }

    @Test func `a connection for a pass 1 that does not come delays no other request`() throws {
        let server = try login()
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        relay.connect(octets: 93)
        #expect(try relay.exchange(.settings).status == 200)
        relay.connect(octets: 93)
        // Blocks: a task that sleeps goes on only when all other tests have begun.
        sleep(6)
        let before = server.connections
        #expect(try relay.exchange(.passOne(pass())).status == 200)
        #expect(server.connections == before + 1)
        #expect(server.received.map(\.route) == ["/rps/clientSettings", "/rps/pass1"])
    }

    @Test func `a refusal of pass 1 reaches the module`() throws {
        for status in [403, 408, 428, 500, 503] {
            let server = try Server { _ in .json(status, "{}", headers: ["Retry-After": "1"]) }
            var relay = try start(try relayProgram.get(), hello([server.backend]))
            relay.connect(octets: 93)
            #expect(try relay.exchange(.passOne(pass())).status == UInt16(status))
            #expect(server.received.count == 1)
        }
    }
}

private func filled(_ count: Int, _ octet: UInt8 = 7) -> [UInt8] { [UInt8](repeating: octet, count: count) }

private func fixed<let size: Int, Meaning>(_ octet: UInt8) -> FixedOctets<size, Meaning> {
    FixedOctets(repeating: octet)
}

private func hexText(_ octets: [UInt8]) -> String { HexOctets(octets).text }
