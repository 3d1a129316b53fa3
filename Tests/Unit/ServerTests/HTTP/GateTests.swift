// SPDX-License-Identifier: Apache-2.0
// What a request must have, for the sake of browsers: Host, Origin, Content-Type, length (T 19).
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct GateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let host: String?
        var origin: String?
        var type: String? = "application/json"
        var body = "{"
        var peer = Server.address
        let status: Int

        var testDescription: String { "\(host ?? "-") \(origin ?? "-") \(type ?? "-") \(status)" }
    }

    static let rows = [
        // Pass 1 itself refuses a request that gets through: 403 for a body that is not JSON.
        Row(host: Server.name, status: 403),
        Row(host: "LOGIN.example.org", status: 403),
        Row(host: Server.name, type: "application/json; charset=UTF-8", status: 403),
        Row(host: Server.name, type: "Application/JSON ;charset=utf-8", status: 403),
        Row(host: "localhost", peer: .local(user: 1000, process: 1), status: 403),
        Row(host: nil, status: 400),
        Row(host: "evil.example", status: 421),
        Row(host: Server.name + ":8011", status: 421),
        Row(host: "localhost", status: 421),
        Row(host: "evil.example", peer: .local(user: 1000, process: 1), status: 421),
        Row(host: Server.name, type: nil, status: 415),
        Row(host: Server.name, type: "text/plain", status: 415),
        Row(host: Server.name, type: "application/x-www-form-urlencoded", status: 415),
        Row(host: Server.name, type: "multipart/form-data; boundary=x", status: 415),
        Row(host: Server.name, type: "application/jsonp", status: 415),
        Row(host: Server.name, body: String(repeating: " ", count: 65_537), status: 413),
    ]

    @Test(arguments: rows) func `a request must name this server and bring JSON`(_ row: Row) async throws {
        #expect(try await answer(row).status == row.status)
    }

    @Test(
        arguments: [
            ([], nil), ([""], nil), (["a.example"], "a.example"), (["a.example:8011"], "a.example:8011"),
            (["[::1]:8011"], "[::1]:8011"), (["LOCALHOST"], "LOCALHOST"), (["a.example", "a.example"], nil),
            (["a.example", "evil.example"], nil), (["a.example, evil.example"], nil), (["a.example/"], nil),
            (["x@a.example"], nil), (["a.example:"], nil), (["a.example:99999"], nil), ([" a.example"], nil),
        ] as [([String], String?)])
    func `a request with more than one host, or with none, has no host`(
        _ values: [String], _ host: String?
    ) {
        #expect(RequestPolicy.host(values) == host)
    }

    @Test(arguments: [
        "https://evil.example", "null", "http://login.example.org", "https://login.example.org.evil.example",
    ])
    func `a foreign origin is refused before the body is read`(_ origin: String) async throws {
        let server = try Server()
        let head = Request(
            method: "POST", target: Route.passOne, host: Server.name, origin: origin, peer: Server.address)
        #expect(server.router.refusal(ofHead: head)?.status == 403)
        #expect(
            await server.router.respond(to: head).headers.allSatisfy {
                $0.name != "Access-Control-Allow-Origin"
            })
    }

    @Test func `the listed origin is named in the answer, never a star, and without credentials`()
        async throws
    {
        let server = try Server()
        let preflight = Request(
            method: "OPTIONS", target: Route.user, host: Server.name, origin: "https://" + Server.name,
            peer: Server.address)
        let response = await server.router.respond(to: preflight)
        #expect(response.status == 200)
        #expect(response.headers.contains { $0 == ("Access-Control-Allow-Origin", "https://" + Server.name) })
        #expect(
            response.headers.allSatisfy {
                $0.name != "Access-Control-Allow-Credentials" && $0.name != "Set-Cookie"
            })
    }

    @Test(arguments: [
        "/authenticate", "/user/7b7d", "/loginResult", "/v1/users", "/v1/hosts", "/rps/../v1/users",
        "/rps/%2e%2e/v1/users",
        "//v1/users", "/rps%2fpass1", "/rps/pass1/", "/rps/pass1/00", "/rps/signature",
        "/rps/getAccessNumber",
        "/rps/access", "/v1/apps", "/metrics", "/live", "/ready", "/manage/getStackInfo", "/dynamicOptions",
        "/", "",
    ]) func `other paths are not on the public listener`(_ path: String) async throws {
        let server = try Server()
        for method in ["GET", "PUT", "POST", "DELETE"] {
            #expect(await server.send(method, path, [UInt8]("{}".utf8)).status == 404)
        }
    }

    @Test func `a source is an IPv4 address, an IPv6 network or a local user`() {
        #expect(Peer.address("192.0.2.1").source == "192.0.2.1")
        #expect(Peer.address("2001:db8:1:2:3:4:5:6").source == "2001:db8:1:2::/64")
        #expect(Peer.address("2001:DB8::1").source == Peer.address("2001:db8::ffff:1").source)
        #expect(Peer.address("::ffff:192.0.2.1").source == "192.0.2.1")
        #expect(Peer.address("::1").source == "0:0:0:0::/64")
        #expect(Peer.address("fe80::1%eth0").source == "fe80:0:0:0::/64")
        #expect(Peer.local(user: 1000, process: 7).source == "local:1000")
    }

    @Test func `sources that are close to each other share a network`() {
        for (address, network) in [
            ("192.0.2.1", "192.0.2.0/24"), ("::ffff:192.0.2.1", "192.0.2.0/24"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"), ("2001:db8::1", "2001:db8:0::/48"),
            ("127.0.0.1", "loopback"), ("::ffff:127.1.2.3", "loopback"), ("::1", "loopback"),
        ] {
            #expect(Peer.address(address).network == network)
        }
        for (user, network): (UInt32, String) in [(0, "local:0"), (999, "local:999"), (165_536, "local")] {
            #expect(Peer.local(user: user, process: 7).network == network)
        }
    }

    @Test func `wrong PINs are counted by the 56 bits of an IPv6 address, and by the network of an IPv4 one`()
    {
        for (address, network, source) in [
            ("2001:db8:1:2ff::1", "2001:db8:1:200::/56", "2001:db8:1:200::/56"),
            ("2001:DB8:1:23:4:5:6:7", "2001:db8:1:0::/56", "2001:db8:1:0::/56"),
            ("fe80::a:b%eth0", "fe80:0:0:0::/56", "fe80:0:0:0::/56"), ("::1", "0:0:0:0::/56", "0:0:0:0::/56"),
            ("192.0.2.1", "192.0.2.0/24", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.0/24", "192.0.2.1"),
            ("::ffff:c000:201", "192.0.2.0/24", "192.0.2.1"), ("127.1.2.3", "loopback", "127.1.2.3"),
            ("local:1000", "local:1000", "local:1000"), ("a.example.org", "a.example.org", "a.example.org"),
        ] {
            #expect(Peer.address(address).origin.text == network)
            #expect(countedSource(address, for: .tryAddress) == source)
        }
        #expect(countedSource("2001:db8:1:200::/56", for: .network) == "2001:db8:1::/48")
        #expect(countedSource("0:0:0:0::/56", for: .network) == "loopback")
    }

    @Test func `any text as an address has a source`() {
        var random = SplitMix(seed: 36)
        for _ in 0..<rounds(1000) {
            let characters = (0..<random.next(21)).compactMap { _ in
                "::%.f0[]".randomElement(using: &random)
            }
            let text = String(characters)
            #expect(!Peer.address(text + "0").source.isEmpty, "\(text)")
        }
    }

    private func answer(_ row: Row) async throws -> Response {
        let server = try Server()
        return await server.router.respond(
            to: Request(
                method: "POST", target: Route.passOne, host: row.host, origin: row.origin,
                contentType: row.type,
                peer: row.peer, body: [UInt8](row.body.utf8)))
    }
}
