// SPDX-License-Identifier: Apache-2.0
// Host and port of a URL, and what is not one.
import MPinWire
import Octets
import Testing

@Suite struct URLAuthorityTests {
    private func read(_ text: String) -> String? {
        URLAuthority(prefixOf: Array(text.utf8)).map {
            [
                String(decoding: $0.host, as: UTF8.self), $0.port.map(String.init) ?? "",
                String(decoding: $0.rest, as: UTF8.self),
            ].joined(separator: "|")
        }
    }

    @Test(arguments: [
        ("login.example.org", "login.example.org||"), ("h:8443", "h|8443|"),
        ("Login.Example/a?b", "Login.Example||/a?b"),
        ("192.0.2.1:1/", "192.0.2.1|1|/"), ("[2001:db8::1]:443/p", "[2001:db8::1]|443|/p"),
        ("h.:80", "h.|80|"),
        ("3com", "3com||"), ("1.example", "1.example||"),
    ])
    func `host, port and rest are read as written`(_ text: String, _ wanted: String) {
        #expect(read(text) == wanted)
    }

    @Test(arguments: [
        "", "/", ":80", "h:", "h:0", "h:65536", "h:99999999999999999999", "h:80a", "h:+80", "user@h", "h_1",
        "h%61",
        "2001:db8::1", "[::1", "[::1]x", "[::1]:", "[]", "[1]", "[192.0.2.1]", "[fe80::1%eth0]",
        "[::ffff:192.0.2.1]",
        "127.1", "1", "2130706433", "0x7f.0.0.1", "0X7F000001", "0.0.0.256", "127.0.0.01", "127.0.0.1.",
        "h?q", "h#f",
        "h\\p", String(repeating: "a", count: 256),
    ])
    func `everything else is refused`(_ text: String) { #expect(read(text) == nil) }

    @Test func `a numeric host has an address, and a name has none`() throws {
        let numeric = try #require(URLAuthority(prefixOf: Array("[::1]:3128".utf8)))
        #expect(numeric.address?.isLoopback == true)
        let name = try #require(URLAuthority(prefixOf: Array("proxy.LocalHost.:3128".utf8)))
        #expect(name.address == nil)
    }
}
