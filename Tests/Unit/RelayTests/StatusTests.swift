// SPDX-License-Identifier: Apache-2.0
// What the module receives when a backend refuses, hangs or lies: through the real relay.
import Foundation
import MPinCurl
import MPinLogin
import MPinProof
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct StatusTests {
    private func status(_ reply: Reply, total: UInt32 = 20_000) throws -> UInt16 {
        let server = try Server { _ in reply }
        return try ask(.settings, server, total: total).status
    }

    @Test(arguments: ["{", "", "[]", #"{"usePermits": "perhaps"}"#, #"{"appID": 1}"#])
    func `a malformed body is not understood`(body: String) throws {
        #expect(try status(.json(200, body)) == RelayResponse.notUnderstood)
    }

    @Test func `endless nesting is not understood`() throws {
        #expect(try status(.json(200, String(repeating: "[", count: 200_000))) == RelayResponse.notUnderstood)
    }

    @Test(arguments: [(0, 200), (1 << 19, 200), (1 << 20, 3), (10 << 20, 3)])
    func `the size of a body is limited, with and without Content-Length`(count: Int, expected: UInt16) throws
    {
        let body = "{" + String(repeating: " ", count: count) + "}"
        #expect(try status(.json(200, body)) == expected)
        #expect(try status(.raw("HTTP/1.1 200 x\r\n\r\n" + body)) == expected)
    }

    @Test(arguments: [201, 204, 302, 400, 401, 403, 404, 408, 410, 412, 500, 503, 599])
    func `a status is passed on unchanged`(code: Int) throws {
        #expect(try status(.json(code, "{}", headers: ["Location": "/rps/user"])) == UInt16(code))
    }

    @Test(arguments: [
        ("rubbish", RelayResponse.notUnderstood), ("HTTP/1.1 002 x\r\n\r\n", RelayResponse.notUnderstood),
        ("HTTP/1.1 000 x\r\n\r\n", RelayResponse.notUnderstood),
        ("HTTP/1.1 999 x\r\n\r\n", RelayResponse.notUnderstood),
        ("", RelayResponse.timedOut),
        ("HTTP/1.1 200 x\r\nContent-Length: 500\r\n\r\n{", RelayResponse.timedOut),
        ("HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{", RelayResponse.timedOut),
    ])
    func `an incomplete or invalid HTTP answer has its own status`(text: String, expected: UInt16) throws {
        #expect(try status(.raw(text)) == expected)
    }

    @Test func `a server that sends nothing times out`() throws {
        #expect(try status(.hang, total: 3000) == RelayResponse.timedOut)
    }

    @Test func `an address without a listener is unreachable`() throws {
        let port = try ClosedPort()
        #expect(
            try ask(.settings, hello(["http://127.0.0.1:\(port.number)"])).status == RelayResponse.unreachable
        )
        #expect(
            try ask(.settings, hello(["https://127.0.0.1:\(port.number)"])).status
                == RelayResponse.unreachable)
        #expect(
            try ask(.settings, hello(["https://192.0.2.1"], connect: 200)).status == RelayResponse.unreachable
        )
        let folder = try TemporaryFolder()
        #expect(try ask(.settings, hello(["unix:\(folder.path)/none"])).status == RelayResponse.unreachable)
    }

    @Test(arguments: [Server.Family.unix, .ipv4, .ipv6])
    func `a backend may be a socket or a loopback address`(place: Server.Family) throws {
        let server = try Server(place) { _ in settings() }
        #expect(try ask(.settings, server).body == .settings(usesPermits: true))
    }

    @Test(arguments: [
        ("https://evil.example/x", "https://evil.example:443"),
        ("http://127.0.0.1:1/x", "http://127.0.0.1:1"),
        ("https://login.example.org:444/x", "https://login.example.org:444"),
        ("https://login.example.org.evil.example/", "https://login.example.org.evil.example:443"),
    ])
    func `settings that lead to another origin are refused, and the origin is named`(
        url: String, origin: String
    ) throws {
        for key in ["authenticateURL", "certivoxURL", "registerURL", "codeStatusURL"] {
            let server = try Server { _ in settings([key: url]) }
            var line = CurlTransport(caller: geteuid())
            _ = try line.exchange(.hello(hello([server.backend], also: ["https://login.example.org"])))
            let answer = try line.exchange(.settings)
            #expect(answer.status == RelayResponse.foreignOrigin)
            #expect(answer.origin == [UInt8](origin.utf8))
        }
    }

    @Test(arguments: [
        "//", "ftp://x/", "javascript:x", "https://", "https://login.example.org@evil.example/", "rps/user",
        "/a b", "/a#b", "/a\\\\b", "https://LOGIN.example.org\\\\@evil.example/", "https://[::1", "/\\u00e9",
    ])
    func `settings with invalid URLs are not understood`(url: String) throws {
        for key in ["authenticateURL", "certivoxURL", "registerURL", "codeStatusURL"] where url != "//" {
            let server = try Server { _ in settings([key: url]) }
            #expect(
                try ask(.settings, server, also: ["https://login.example.org"]).status
                    == RelayResponse.notUnderstood
            )
        }
    }

    @Test(arguments: [
        "https://login.example.org/x", "https://LOGIN.EXAMPLE.ORG:443/", "/x?y=%20", "//evil.example/",
    ])
    func `settings may name paths and the origins that were allowed`(url: String) throws {
        let server = try Server { _ in settings(["authenticateURL": url]) }
        #expect(
            try ask(.settings, server, also: ["https://login.example.org"]).status == 200)
    }

    @Test(arguments: [
        "http://localhost:80", "http://10.0.0.1", "ftp://127.0.0.1", "unix:relative", "unix:", "https://a@b",
        "https://", "https://a/?b", "http://127.0.0.1.evil.example", "http://[::1]:0", "https://a:b",
        "http://2130706433", "unix:/" + String(repeating: "x", count: 108),
    ])
    func `a backend that is not permitted ends the relay`(backend: String) throws {
        let program = try relayProgram.get()
        #expect(throws: TransportError.closed) { _ = try start(program, hello(["unix:/x", backend])) }
    }

    @Test func `a second hello ends the relay`() throws {
        let server = try Server { _ in settings() }
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        #expect(throws: TransportError.closed) { try relay.exchange(.hello(hello([server.backend]))) }
    }

    @Test func `after an error the relay continues to answer`() throws {
        let server = try Server { $0.route == "/rps/clientSettings" ? settings() : .raw("") }
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        #expect(try relay.exchange(.permits(mpinID: [1])).status == RelayResponse.timedOut)
        #expect(try relay.exchange(.settings).status == 200)
    }
}
