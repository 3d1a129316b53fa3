// SPDX-License-Identifier: Apache-2.0
// The connection to the server through an HTTP proxy: what is requested, and how a failure is reported.
import Foundation
import MPinLogin
import MPinProof
import MPinWire
import TestSupport
import Testing

private func hello(_ backends: [String], by proxy: String, connect: UInt32 = 3000) -> Hello {
    Hello(
        attempt: [1, 2, 3, 4, 5, 6, 7, 8], backends: backends.map(octets), alsoOrigins: [], caFile: [],
        proxy: octets(proxy), connectMilliseconds: connect, totalMilliseconds: 20_000)
}

@Suite(.slow) struct ProxyTests {
    @Test(arguments: [300, 400, 403, 407, 502, 503, 504])
    func `a proxy that refuses is reported by its status, after a request for the server's name`(
        _ status: Int
    ) throws {
        let proxy = try Server(.ipv4) { _ in .json(status, "{}") }
        let answer = try withExtendedLifetime(proxy) {
            try ask(.settings, hello(["https://login.example.invalid"], by: proxy.backend))
        }
        #expect(answer.status == RelayResponse.proxyRefused + UInt16(status))
        #expect(RelayResponse.proxysWord(answer.status) == UInt16(status))
        #expect(RelayResponse.isUnavailable(answer.status))
        #expect(proxy.received.map(\.method) == ["CONNECT"])
        #expect(proxy.received.map(\.path) == ["login.example.invalid:443"])
        #expect(proxy.received.first?.headers["proxy-authorization"] == nil)
        #expect(proxy.received.first?.headers["mpin-attempt"] == nil)
    }

    @Test func `the other end of a proxy must still be the server`() throws {
        // This proxy accepts the connection, but speaks no TLS after it.
        let proxy = try Server(.ipv4) { _ in .raw("HTTP/1.1 200 open\r\n\r\nno handshake at all") }
        let answer = try withExtendedLifetime(proxy) {
            try ask(.settings, hello(["https://login.example.invalid"], by: proxy.backend))
        }
        #expect(answer.status != 200 && answer.body == nil)
    }

    @Test func `without an answer from the proxy the server counts as unreachable, whatever its name`() throws
    {
        let port = try ClosedPort()
        let proxy = "http://127.0.0.1:\(port.number)"
        #expect(
            try ask(.settings, hello(["https://127.0.0.1"], by: proxy)).status == RelayResponse.unreachable)
        let silent = hello(["https://localhost"], by: "http://192.0.2.1:3128", connect: 200)
        #expect(try ask(.settings, silent).status == RelayResponse.unreachable)
        let nameless = hello(["https://localhost"], by: "http://proxy.invalid:3128", connect: 2000)
        #expect(try ask(.settings, nameless).status == RelayResponse.unreachable)
    }

    @Test func `a proxy that takes the connection and says nothing is not unreachable`() throws {
        let proxy = try Server(.ipv4) { _ in .hang }
        let both = hello(["https://login.example.invalid"], by: proxy.backend, connect: 500)
        let status = try withExtendedLifetime(proxy) { try ask(.settings, both).status }
        #expect(status == RelayResponse.timedOut)
    }

    @Test func `the next backend is tried if the proxy refuses one`() throws {
        let proxy = try Server(.ipv4) { _ in .json(403, "") }
        let good = try Server { _ in settings() }
        let both = hello(["https://login.example.invalid", good.backend], by: proxy.backend)
        let status = try withExtendedLifetime((proxy, good)) { try ask(.settings, both).status }
        #expect(status == 200)
    }

    @Test(arguments: [Server.Family.unix, .ipv4, .ipv6])
    func `no proxy is used for a server over plain http`(_ place: Server.Family) throws {
        let proxy = try Server(.ipv4) { _ in .json(403, "") }
        let server = try Server(place) { _ in settings() }
        let local = hello([server.backend], by: proxy.backend)
        let status = try withExtendedLifetime((proxy, server)) { try ask(.settings, local).status }
        #expect(status == 200)
        #expect(proxy.received.isEmpty && server.received.count == 1)
    }

    @Test(arguments: ["https://127.0.0.1:1", "proxy:3128", "http://a@b:1", "http://b:1/x", "socks5://b:1"])
    func `an invalid proxy ends the relay`(_ proxy: String) throws {
        let program = try relayProgram.get()
        #expect(throws: TransportError.closed) {
            _ = try start(program, hello(["https://127.0.0.1"], by: proxy))
        }
    }
}
