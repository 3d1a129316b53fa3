// SPDX-License-Identifier: Apache-2.0
// The client's address behind a proxy: what a client itself writes into X-Forwarded-For is ignored.
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct ForwardingTests {
    private static let proxy = Peer.address("10.0.0.5")

    private func client(
        _ lines: [String], trusted: [String] = ["10.0.0.0/8", "2001:db8::/32"], by peer: Peer = proxy
    ) throws -> String? {
        let ranges = try trusted.map { try #require(IPNetwork(exactly: Array($0.utf8))) }
        let headers =
            [("Host", "a")] + lines.map { ("x-forwarded-For", $0) } + [("Forwarded", "for=192.0.2.9")]
        return TrustedProxies(ranges).client(headers, by: peer)?.text
    }

    @Test(arguments: [
        (["203.0.113.7"], "203.0.113.7"), ([" 203.0.113.7 "], "203.0.113.7"),
        (["192.0.2.1, 203.0.113.7"], "203.0.113.7"), (["192.0.2.1", "203.0.113.7"], "203.0.113.7"),
        (["nonsense, 203.0.113.7"], "203.0.113.7"), (["203.0.113.7, 10.1.2.3"], "203.0.113.7"),
        (["203.0.113.7,10.1.2.3", "10.9.9.9"], "203.0.113.7"), (["10.1.2.3,\t10.1.2.4"], "10.1.2.3"),
        (["2001:DB9::0:1"], "2001:db9::1"), (["203.0.113.7, 2001:db8::5"], "203.0.113.7"),
        (["::ffff:203.0.113.7"], "203.0.113.7"), (["198.51.100.1, ::ffff:10.0.0.7"], "198.51.100.1"),
    ])
    func `the client is the rightmost address that is not a trusted proxy`(
        _ lines: [String], _ address: String
    ) throws {
        #expect(try client(lines) == address)
        #expect(try client(lines, by: .local(user: 33, process: 1)) == address)
    }

    @Test(arguments: [
        [], [""], [","], ["203.0.113.7,"], ["203.0.113.7, unknown"], ["203.0.113.7:80"], ["[2001:db9::1]"],
        ["203.0.113"], ["203.0.113.7.1"], ["0203.0.113.7"], ["fe80::1%eth0"], ["203.0.113.7, 10.1.2.3, x"],
        ["203.0.113.7 198.51.100.1x, "], ["203.0.113.7", " "],
        ["192.0.2.1 203.0.113.7"], ["203.0.113.7 x"], ["\u{7f}203.0.113.7"],
    ])
    func `a request with a missing or malformed header is not served`(_ lines: [String]) throws {
        #expect(try client(lines) == nil)
    }

    @Test func `a peer that is not a proxy is not served`() throws {
        for peer in ["203.0.113.7", "11.0.0.5", "2001:db9::1", "unknown"] {
            #expect(try client(["198.51.100.1"], by: .address(peer)) == nil)
        }
        #expect(try client(["198.51.100.1"], by: .address("::ffff:10.0.0.5")) == "198.51.100.1")
        #expect(try client(["198.51.100.1"], trusted: [], by: Self.proxy) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.4", false), ("0.0.0.0/0", "255.1.1.1", true),
        ("192.0.2.128/25", "192.0.2.129", true), ("192.0.2.128/25", "192.0.2.127", false),
        ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
        ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "192.0.2.1", false),
    ])
    func `a range contains the addresses with its prefix`(_ range: String, _ address: String, _ holds: Bool)
        throws
    {
        #expect(
            try #require(IPNetwork(exactly: Array(range.utf8))).contains(
                #require(IPAddress(Array(address.utf8)))) == holds)
    }

    @Test(arguments: [
        "", "/", "10.0.0.0/", "10.0.0.0/+8", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0/8", "10.1.2.3/8",
        "2001:db8::1/64", "a", "::1/1/1",
    ])
    func `any other text is not a range`(_ text: String) {
        #expect(IPNetwork(exactly: Array(text.utf8)) == nil)
    }
}
