// SPDX-License-Identifier: Apache-2.0
// Invalid answers, and answers that are nearly right: nothing traps, and nothing changes that must not.
import Foundation
import MPinClient
import Synchronization
import TestSupport
import Testing

@Suite(.slow) struct `Random answers` {
    private static let garbage: [String] = [
        "", " ", "{", "[", "null", "true", "7", "\"text\"", "[]", "{}", "[{}]", "\u{0}", "é", "-1e999",
        "1e400",
        #"{"mpinId": "", "regOTT": ""}"#, #"{"mpinId": "7b7d", "regOTT": "a", "active": true}"#,
        #"{"mpinId": 7, "regOTT": []}"#, #"{"y": "", "authOTT": 1, "date": -1, "clientSecretShare": "zz"}"#,
        #"{"date": 4294967296, "timePermit": "04", "signature": "", "storageId": ""}"#,
        #"{"date": 0, "timePermit": "04", "signature": "", "storageId": ""}"#,
        #"{"clientSecretShare": "04", "params": "a b#c"}"#, #"{"y": "00", "n": "00"}"#, #"{"seen": "00"}"#,
        String(repeating: "[", count: 5000), String(repeating: "{\"a\":", count: 600),
    ]

    /// Makes every call once, and ignores failures.
    private func askAll(_ client: Client, _ user: User, _ answered: () -> Void) throws {
        let calls: [() throws -> Void] = [
            { _ = try client.startRegistration(client.makeUser("new@example.org")) },
            { try client.startAuthentication(user, accessCode: "1") },
            { _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin)) },
            { _ = try client.finishAuthenticationOTP(user, pin: PIN(Fixture.pin)) },
            { _ = try client.finishAuthenticationCode(user, pin: PIN(Fixture.pin)) },
            {
                _ = try client.finishAuthentication(
                    user, pin: PIN(Fixture.pin), accessNumber: "3232212")
            },
            { _ = try client.sessionDetails(accessCode: "1") },
            { _ = try client.accessCode(authorizeURL: "/a") },
            { _ = try client.serviceDetails(client.clientParameter("root") ?? "") },
            { _ = client.logout(user) },
        ]
        for call in calls {
            do { try call() } catch is ClientFailure {}
            answered()
        }
    }

    @Test func `that are garbage change nothing`() throws {
        let fixture = try Fixture.registered()
        let client = try fixture.client()
        let user = try client.onlyUser()
        try client.startAuthentication(user)
        let before = try fixture.texts()
        for body in Self.garbage {
            for http in [200, 201, 204, 302, 404, 500] {
                // A verdict is its status, so only its body may be empty.
                fixture.instead.clear()
                for route in ["/rps", "/dta2", "/service", "/a", "/logout"] {
                    fixture.instead.answer(route, http, body)
                }
                try askAll(client, user) {}
                #expect(try fixture.texts() == before, "\(http) \(body.prefix(80))")
                #expect(try status { try client.testBackend(fixture.server.backend) } != .ok)
            }
        }
        for octets in [
            "HTTP/1.1 999 x\r\n\r\n", "HTTP/0.9\r\n", "\u{0}\u{1}",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{",
        ] {
            fixture.instead.clear()
            fixture.instead.answer("/") { _ in .raw(octets) }
            try askAll(client, user) {}
            #expect(try fixture.texts() == before)
        }
    }

    @Test func `that are nearly right leave files that open`() throws {
        let fixture = try Fixture.recorded()
        var generator = SplitMix(seed: 5)
        let recorded = try ["01-register-forceactivate", "02-auth-good", "05-access-number"]
            .flatMap(Transcript.clientView)
        var changed = 0
        for _ in 0..<rounds(100) {
            try fixture.reset(registered: true)
            let client = try fixture.client()
            let user = try client.onlyUser()
            fixture.instead.clear()
            for exchange in recorded where Int.random(in: 0..<3, using: &generator) == 0 {
                let body = mutated(exchange.response.body, by: &generator)
                fixture.instead.answer(exchange.route, exchange.response.status, body)
            }
            let before = try fixture.texts()
            try askAll(client, user) { #expect(throws: Never.self) { try client.allUsers() } }
            fixture.instead.clear()
            #expect(throws: Never.self) { try fixture.client() }
            if try fixture.texts() != before { changed += 1 }
        }
        #expect(changed > 0)
    }

    private func mutated(_ text: String, by generator: inout SplitMix) -> String {
        var octets = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let index = Int.random(in: 0...octets.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0 where index < octets.count:
                octets[index] ^= 1 << UInt8.random(in: 0..<7, using: &generator)
            case 1 where index < octets.count: octets.remove(at: index)
            case 2: octets = Array(octets.prefix(index))
            default: octets.insert(.random(in: 0x20...0x7e, using: &generator), at: index)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }

    @Test func `in the files give users or an error, and never a trap`() throws {
        let fixture = try Fixture("01-register-forceactivate")
        try fixture.register()
        let texts = try [fixture.secure.read(), fixture.plain.read()].map {
            String(decoding: $0, as: UTF8.self)
        }
        var generator = SplitMix(seed: 6)
        var opened = 0
        for _ in 0..<rounds(300) {
            let spoiled = texts.map { mutated($0, by: &generator) }
            try fixture.secure.write(Array(spoiled[0].utf8))
            try fixture.plain.write(Array(spoiled[1].utf8))
            let given = try status { _ = try fixture.client(withBackend: false).allUsers() }
            #expect(given == .ok || given == .storageError)
            if given == .ok { opened += 1 }
            #expect(try fixture.texts() == spoiled)
        }
        #expect(opened > 0)
    }
}
