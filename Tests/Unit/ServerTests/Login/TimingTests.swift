// SPDX-License-Identifier: Apache-2.0
// The time of pass 2 does not show whether a PIN was right or an identity known (T 7), by a rank test.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

/// Whose proof is timed.
private enum Kind: CaseIterable {
    case right, wrong, locked, unknown, ofSession
    /// A second device with a right tag, and a thief who has its token without its key.
    case device, untagged
    /// V is not a point, so nothing is verified: this shows what a server that skips work would look like.
    case unread
}

/// Rounds of every kind; `make test-long` makes more than 2,000 in all.
private let roundsOfEachKind = min(rounds(40), 400)

@Suite(.slow) struct TimingTests {
    @Test func `pass 2 always takes the same time, and the test detects it when it does not`() async {
        // In a process of its own, so that the processor time measured is that of this test alone.
        await #expect(processExitsWith: .success) {
            let fixture = try await TimingFixture()
            var times: [Kind: [Int]] = [:]
            // In random order, so that the load of the machine does not fall on one kind.
            var random = SplitMix(seed: 31)
            for kind in (0..<roundsOfEachKind).flatMap({ _ in Kind.allCases }).shuffled(using: &random) {
                times[kind, default: []].append(try await fixture.passTwo(kind))
            }
            let right = try #require(times[.right])
            for (kind, others) in times where kind != .right {
                #expect(canTell(others, right) == (kind == .unread), "\(kind)")
            }
        }
    }
}

/// Two identities that are enrolled on a host, one of them locked, a second device, and an identity that the
/// server does not know.
private struct TimingFixture {
    let server: Server
    let host: TestHost
    let alice: Enrolled
    let locked: Enrolled
    let unknown: Enrolled
    let device: Enrolled
    let stolen: Enrolled
    /// One permit serves all identities of the host: its signature does not affect the time.
    let permit: (date: UInt32, octets: [UInt8])
    let devicePermit: (date: UInt32, octets: [UInt8])

    init() async throws {
        server = try Server()
        // In the first hour of a day pass 2 takes less time for a client that was given a permit, which an
        // unknown identity is refused.
        if server.clock.now.hour == 0 { server.clock.advance(seconds: 3600) }
        host = try await server.join("prod-db1")
        alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        locked = try await host.enrol(server, "bob", code: server.add("bob"), pin: "1234")
        device = try await House.device(server, "carol")
        stolen = try device.stolen
        let foreign = try secret(revealed(alice.token.octets))
        unknown = try Enrolled(mpinID: [UInt8]("{}".utf8), clientSecret: foreign, pin: "1234")
        permit = try await alice.permit(server)
        devicePermit = try await device.permit(server)
        for _ in 0..<3 { _ = try await host.login(server, locked, pin: "4321") }
    }

    /// The processor time of the answer to one pass 2 of this kind, in nanoseconds.
    func passTwo(_ kind: Kind) async throws -> Int {
        let who =
            switch kind {
            case .right, .wrong, .ofSession, .unread: alice
            case .locked: locked
            case .unknown: unknown
            case .device: device
            case .untagged: stolen
            }
        let isDevice = who.id == device.id
        let proof = try who.passOne(
            pin: kind == .wrong ? "4321" : "1234", permit: isDevice ? devicePermit : permit)
        var first = PassOneRequest(mpinID: who.mpinID, u: proof.u, ut: proof.ut)
        if !isDevice {
            let question = try host.question(server, ids: [who.id])
            first.ask = HexOctets(question.octets)
            first.askTag = HexOctets(try host.tag(question))
        }
        try who.tag(&first)
        let begun = try read(PassOneResponse.self, await server.send("POST", Route.passOne, first))
        let v = try proof.answer(y: begun.y)
        var second = PassTwoRequest(
            mpinID: who.mpinID, v: kind == .unread ? [UInt8](repeating: 4, count: v.count) : v,
            wid: kind == .ofSession ? String(repeating: "a", count: 32) : "0", otp: false, n: begun.n)
        try who.tag(&second, to: begun)
        let start = spentTime()
        let ended = try await server.send("POST", Route.passTwo, second)
        let spent = spentTime() - start
        #expect(ended.status == 200)
        // Earlier tries must not add up to a lock.
        if who.id == alice.id {
            let alice = UserRequest(userId: "alice")
            _ = try await server.administer("POST", AdminRoute.unlockUser, alice)
        }
        return spent
    }
}
