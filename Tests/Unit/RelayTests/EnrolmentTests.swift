// SPDX-License-Identifier: Apache-2.0
// Which connections may carry secrets, and how texts are escaped in URLs.
import Foundation
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct EnrolmentTests {
    static let register = RelayRequest.register(
        RelayRegisterRequest(
            userID: octets("alice"), activationCode: octets("BCDF"), deviceName: octets("prod-db1"),
            sealed: .none))
    static let secret = RelayRequest.clientSecret(
        RelayClientSecretRequest(mpinID: [1, 2], regOTT: octets("a b&c=#é"), a: nil))
    static let join = RelayRequest.join(
        RelayJoinRequest(host: octets("prod-db1"), joinID: [UInt8](repeating: 7, count: 16)))

    @Test(arguments: [register, secret, join])
    func `no request of an enrolment is sent over plain http`(question: RelayRequest) throws {
        let server = try Server(.ipv4) { _ in settings() }
        #expect(try ask(question, server).status == Distrust.tls.status)
        #expect(server.received.allSatisfy { $0.route == "/rps/clientSettings" })
    }

    @Test func `nor is the request for the second share, if only the first is secure`() throws {
        let authority = try Server(.ipv4) { _ in .json(200, "{}") }
        let server = try Server { _ in settings(["certivoxURL": authority.backend + "/"]) }
        #expect(
            try ask(EnrolmentTests.secret, server, also: [authority.backend]).status == Distrust.tls.status)
        #expect(server.received.map(\.route) == ["/rps/clientSettings"] && authority.received.isEmpty)
    }

    @Test func `values of a query are escaped`() throws {
        let share = #"{"clientSecretShare": "00", "params": "x=1&y=%20"}"#
        let server = try Server { request in
            request.route == "/rps/clientSettings" ? settings() : .json(200, share)
        }
        #expect(try ask(EnrolmentTests.secret, server).status == RelayResponse.notUnderstood)
        let paths = server.received.map(\.path)
        #expect(paths[1] == "/rps/signature/0102?regOTT=a%20b%26c%3D%23%C3%A9")
        #expect(paths[2] == "/dta2/clientSecret?x=1&y=%20")
    }

    @Test(arguments: ["a b", "a#b", "a\\r\\nHost: x", "\\u00e9"])
    func `an invalid query from the server is not sent on`(params: String) throws {
        let share = #"{"clientSecretShare": "00", "params": "\#(params)"}"#
        let server = try Server { request in
            request.route == "/rps/clientSettings" ? settings() : .json(200, share)
        }
        #expect(try ask(EnrolmentTests.secret, server).status == RelayResponse.notUnderstood)
        #expect(server.received.count == 2)
    }

    @Test func `sealed shares are passed on unopened`() throws {
        let sealed = String(repeating: "ab", count: 81)
        let server = try Server { request in
            switch request.route {
            case "/rps/clientSettings": settings()
            case "/dta2/clientSecret": .json(200, #"{"sealedShare": "\#(sealed)"}"#)
            default: .json(200, #"{"sealedShare": "\#(sealed)", "params": "A=1"}"#)
            }
        }
        let ask = RelayClientSecretRequest(
            mpinID: [1], regOTT: octets("x"), a: QuestionHash(repeating: 0xcd))
        let answer = try RelayTests.ask(.clientSecret(ask), server)
        let share = [UInt8](repeating: 0xab, count: 81)
        #expect(answer.body == .clientSecret(ClientSecretShares(share1: share, share2: share)))
        #expect(server.received[1].path.hasSuffix("&A=" + String(repeating: "cd", count: 32)))
    }

    @Test func `a host joins without clientSettings`() throws {
        let server = try Server { _ in
            .json(200, #"{"epoch": 3, "sealedKey": "\#(String(repeating: "0a", count: 48))"}"#)
        }
        let answer = try ask(EnrolmentTests.join, server)
        #expect(
            answer.body == .join(RelayJoinResponse(epoch: 3, sealedKey: [UInt8](repeating: 10, count: 48))))
        #expect(server.received.map(\.path) == ["/rps/host"])
    }
}
