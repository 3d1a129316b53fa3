// SPDX-License-Identifier: Apache-2.0
// `networks`, `users` and `groups` of mpin.conf as they are evaluated: every edge case of a list.
import MPinLogin
import MPinProof
import MPinHostStore
import Testing

@Suite struct `A list of networks` {
    private let account = Account(uid: 4_711, gid: 4_711, name: Array("alice".utf8))

    /// Whether the list admits a login from that host; nil stands for a local login.
    private func admits(_ list: String, _ rhost: String?) throws -> Bool {
        let service = Array((rhost == nil ? "su" : "sshd").utf8)
        let text = "backend = unix:/run/mpind.sock\nnetworks = \(list)\n"
        let settings = try Settings(text: Array(text.utf8), file: [], service: service)
        let context = LoginContext(
            service: service, account: account, rhost: rhost.map { Array($0.utf8) }, tty: nil, authInfo: nil,
            realUID: rhost == nil ? 1_001 : 0)
        return try settings.exclusion(of: account, in: context) == nil
    }

    @Test(arguments: [
        ("192.0.2.0/24", ["192.0.2.0", "192.0.2.255"], ["192.0.1.255", "192.0.3.0", "2001:db8::1"]),
        ("192.0.2.0/25", ["192.0.2.0", "192.0.2.127"], ["192.0.1.255", "192.0.2.128", "192.0.2.255"]),
        ("192.0.2.128/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127", "192.0.2.0", "192.0.3.128"]),
        ("10.1.16.0/20", ["10.1.16.0", "10.1.31.255"], ["10.1.15.255", "10.1.32.0", "10.1.0.0"]),
        ("192.0.2.7/32", ["192.0.2.7"], ["192.0.2.6", "192.0.2.8"]),
        ("192.0.2.6/31", ["192.0.2.6", "192.0.2.7"], ["192.0.2.5", "192.0.2.8"]),
        ("128.0.0.0/1", ["128.0.0.0", "255.255.255.255"], ["127.255.255.255", "0.0.0.0"]),
        ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "2001:db8::1"]),
        ("2001:db8:0:8000::/49", ["2001:db8:0:8000::1"], ["2001:db8:0:7fff::1", "2001:db8:1:8000::1"]),
    ]) func `admits the addresses inside it, up to both edges, and no other`(
        _ list: String, _ inside: [String], _ outside: [String]
    ) throws {
        for address in inside {
            #expect(try admits(list, address), "\(address)")
            #expect(try !admits("!" + list, address), "not \(address)")
        }
        for address in outside {
            #expect(try !admits(list, address), "\(address)")
            #expect(try admits("!" + list, address), "not \(address)")
        }
    }

    @Test func `recognises an IPv4 address in its IPv6 notation`() throws {
        #expect(try admits("192.0.2.0/24", "::ffff:192.0.2.7"))
        #expect(try !admits("!192.0.2.7", "::ffff:192.0.2.7"))
        #expect(try !admits("192.0.3.0/24", "::ffff:192.0.2.7"))
    }

    @Test func `finds no IPv4 address in an IPv6 network`() throws {
        // The octets of this address are 20 01 0d b8.
        for list in ["2001:db8::/32", "::/0", "::/1"] { #expect(try !admits(list, "32.1.13.184")) }
        #expect(try admits("!::/0", "32.1.13.184"))
    }

    @Test(arguments: ["gateway.example.org", "", "UNKNOWN", "192.0.2.7 ", "192.0.2"])
    func `admits no remote login without a numeric address`(_ rhost: String) throws {
        #expect(try !admits("192.0.2.0/24", rhost))
        #expect(try !admits("!198.51.100.0/24", rhost))
    }

    @Test func `does not apply to local logins`() throws {
        #expect(try admits("192.0.2.0/24", nil))
    }
}

@Suite struct `A pattern` {
    @Test(arguments: [
        ("alice", ["alice"], ["alic", "alicea", "", "Alice", "balice"]),
        ("alice-admin", ["alice-admin"], ["alice", "alice-", "alice-admi"]),
        ("a*b", ["ab", "axb", "a*b", "abab", "axxbxb"], ["a", "b", "abx", "xab", "axbc"]),
        ("alic?", ["alice", "alic?"], ["alic", "alicee"]),
        ("?", ["a"], ["", "ab"]),
        ("*", ["", "alice"], []),
        ("a*", ["a", "alice"], ["", "bob"]),
        ("*a", ["a", "anna"], ["", "ab"]),
        ("a**b?", ["abc", "axxbc"], ["ab", "abcd", "b"]),
    ]) func `matches only whole names`(
        _ text: String, _ hits: [String], _ misses: [String]
    ) throws {
        let pattern = try #require(Pattern(Array(text.utf8)))
        for name in hits { #expect(pattern.matches(Array(name.utf8)), "\(name)") }
        for name in misses { #expect(!pattern.matches(Array(name.utf8)), "\(name)") }
    }

    @Test func `that is longer than the name does not match`() throws {
        let account = Account(uid: 4_711, gid: 4_711, name: Array("alice".utf8))
        for (list, admitted) in [("alice-admin", false), ("alice", true), ("!alice-admin", true)] {
            let text = "backend = unix:/run/mpind.sock\nusers = \(list)\n"
            let settings = try Settings(
                text: Array(text.utf8), file: [], service: Array("su".utf8))
            let context = LoginContext(
                service: settings.service, account: account, rhost: nil, tty: nil, authInfo: nil,
                realUID: 1_001)
            #expect((try settings.exclusion(of: account, in: context) == nil) == admitted, "\(list)")
        }
    }
}
