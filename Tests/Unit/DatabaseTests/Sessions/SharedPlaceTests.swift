// SPDX-License-Identifier: Apache-2.0
// When all places are taken, who gives way: always the network with the most.
@testable import MPinDatabase
@testable import MPinServer
import Octets
import TestSupport
import Testing

/// The places that strangers share, and how a row of each is opened, looked at and found.
enum PlaceKind: CaseIterable {
    case consoles, browsers, applications, registrations

    var inAll: Int {
        switch self {
        case .consoles: Int(Limits.sessionsPerHost)
        case .browsers: Int(Limits.browsersInAll)
        case .applications: Int(Limits.sessionsPerApplication)
        case .registrations: Int(Limits.registrationsInAll)
        }
    }

    static let scannable = [consoles, browsers, applications]
}

extension ServerDatabase {
    /// Whether a source finds a place; `network` is an IPv4 /24 or an IPv6 /48.
    fileprivate func take(
        _ kind: PlaceKind, _ label: String, from source: String, in network: String
    ) async throws -> Bool {
        let who = requester(source, network: network)
        switch kind {
        case .consoles:
            return try await openSession(
                SessionOpening(
                    wid: label, number: "number " + label, host: "h", hostEpoch: 1,
                    requester: requester("h/" + source, network: "h/" + network), a: octets("A" + label),
                    question: [1], life: Limits.sessionLife)) != .full
        case .browsers:
            return try await openBrowser(
                BrowserOpening(
                    wid: label, number: nil, account: "", requester: who, webOTTHash: octets("w" + label),
                    authOTTHash: octets("a" + label), life: Limits.minute)) != .full
        case .applications:
            return try await openApplicationSession(
                ApplicationSession(wid: label, clientID: "c", redirectURI: "x:/", requester: who))
        case .registrations:
            let asked = request(label, of: label, from: source, network: network)
            return try await register(asked, by: .confirmation) == .waiting
        }
    }

    fileprivate func scan(_ kind: PlaceKind, _ label: String) async throws {
        if kind == .browsers {
            try await advanceBrowser(wid: label, to: .scanned)
        } else {
            try await noteScan(wid: label)
        }
    }

    fileprivate func has(_ kind: PlaceKind, _ label: String) async throws -> Bool {
        switch kind {
        case .consoles: try await session(.wid(label)) != nil
        case .browsers: try await browser(.session(.wid(label)))?.isLive == true
        case .applications: try await applicationSession(label) != nil
        case .registrations:
            try await registration(id: octets(label), regOTTHash: octets("ott " + label)) != nil
        }
    }

    /// Takes every place, with one source for each; the networks take turns.
    fileprivate func fill(
        _ kind: PlaceKind, scanned: Bool = false, network: (Int) -> String
    ) async throws {
        _ = try await addApplication(
            ApplicationRecord(clientID: "c", name: "Payroll", redirectURIs: ["x:/"]))
        for number in 0..<kind.inAll {
            let label = "f\(number)"
            #expect(try await take(kind, label, from: "attacker \(number)", in: network(number)))
            if scanned { try await scan(kind, label) }
        }
    }
}

@Suite(.slow) struct SharedPlaceTests {
    @Test(arguments: Engine.allCases, PlaceKind.allCases)
    func `two networks that have taken every place keep nobody else out`(
        _ engine: Engine, _ kind: PlaceKind
    ) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.fill(kind) { "2001:db8:\($0 % 2)::/48" }
            for number in 0..<20 {
                #expect(
                    try await storage.take(kind, "v\(number)", from: "s", in: "192.0.\(number).0/24"))
            }
            // The flood displaces only itself.
            for number in 0..<20 {
                let network = "2001:db8:\(number % 2)::/48"
                _ = try await storage.take(kind, "m\(number)", from: "more \(number)", in: network)
            }
            for number in 0..<20 { #expect(try await storage.has(kind, "v\(number)")) }
            var left = 0
            for number in 0..<kind.inAll where try await storage.has(kind, "f\(number)") { left += 1 }
            #expect(left <= kind.inAll - 20)
        }
    }

    /// Anybody can get a /32, and use each /48 in it once.
    @Test(arguments: [PlaceKind.browsers, .consoles], [32, 40])
    func `a flood that spreads over the networks of one provider gives way to others`(
        _ kind: PlaceKind, _ bits: Int
    ) async throws {
        try await withStorage(.memory) { storage, _ in
            try await storage.fill(kind) { number in
                let low = String(number % 256, radix: 16)
                let high = bits == 32 ? String(number / 256 + 1, radix: 16) : "1"
                let network = bits == 32 ? number % 2 : number / 256
                return "2001:db\(network):\(high)\(low.count == 1 ? "0" : "")\(low)::/48"
            }
            for number in 0..<20 {
                #expect(try await storage.take(kind, "v\(number)", from: "s", in: "198.51.\(number).0/24"))
            }
            // In the same /32 too, but in a /48 that has none, under a /40 that has none.
            #expect(try await storage.take(kind, "same", from: "s", in: "2001:db0:ff00::/48"))
        }
    }

    @Test(arguments: PlaceKind.scannable)
    func `an attacker who scans all their own sessions gives way all the same`(
        _ kind: PlaceKind
    ) async throws {
        try await withStorage(.memory) { storage, _ in
            try await storage.fill(kind, scanned: true) { "2001:db8:\($0 % 2)::/48" }
            #expect(try await storage.take(kind, "v", from: "s", in: "192.0.2.0/24"))
            #expect(try await storage.has(kind, "f0") == false)
        }
    }

    @Test(arguments: Engine.allCases, PlaceKind.scannable)
    func `a flood from very many networks displaces no session that somebody has scanned`(
        _ engine: Engine, _ kind: PlaceKind
    ) async throws {
        try await withStorage(engine) { storage, _ in
            // The victim's network has more than any of the attacker's.
            _ = try await storage.addApplication(
                ApplicationRecord(clientID: "c", name: "Payroll", redirectURIs: ["x:/"]))
            for number in 0..<5 {
                #expect(try await storage.take(kind, "v\(number)", from: "s", in: "192.0.2.0/24"))
                if number < 3 { try await storage.scan(kind, "v\(number)") }
            }
            for number in 0..<kind.inAll + 50 {
                let network = "10.\(number / 256).\(number % 256).0/24"
                _ = try await storage.take(kind, "f\(number)", from: "attacker \(number)", in: network)
            }
            for number in 0..<3 { #expect(try await storage.has(kind, "v\(number)")) }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a session that was approved is displaced by nobody`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("alice's")
            #expect(try await storage.take(.browsers, "b", from: "s", in: "2001:db8:1::/48"))
            #expect(try await storage.approveBrowser(as: "alice's"))
            try await storage.fill(.browsers) { _ in "2001:db8:1::/48" }
            for number in 0..<20 {
                #expect(
                    try await storage.take(.browsers, "n\(number)", from: "s", in: "192.0.\(number).0/24"))
            }
            #expect(try await storage.browser(.session(.wid("b")))?.state == .approved)
        }
    }

    /// A search passes over all places, in the one transaction that writes.
    @Test func `a flood searches all places twenty times a second, and not at each of its requests`()
        async throws
    {
        try await withStorage(.memory) { storage, clock in
            try await storage.fill(.browsers) { "2001:db8:\($0 % 2)::/48" }
            func enters(_ label: String, _ network: String) async throws -> Bool {
                try await storage.take(.browsers, label, from: "s", in: network)
            }
            #expect(try await enters("a", "2001:db8:ff00::/48"))
            #expect(try await enters("b", "2001:db8:fe00::/48") == false)
            #expect(try await enters("c", "192.0.2.0/24"))
            clock.pass(50)
            #expect(try await enters("b", "2001:db8:fe00::/48"))
        }
    }

    @Test(arguments: Engine.allCases)
    func `newcomers displace nobody who has no more than they`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.fill(.consoles) { "10.0.\($0).0/24" }
            #expect(try await storage.take(.consoles, "late", from: "s", in: "192.0.2.0/24") == false)
            for number in [0, 7, 199] { #expect(try await storage.has(.consoles, "f\(number)")) }
        }
    }
}
