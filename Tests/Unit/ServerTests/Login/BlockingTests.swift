// SPDX-License-Identifier: Apache-2.0
// Milagro's rule for its own clients under profile = compat: three wrong PINs in a row give 410 until unlock.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import Synchronization
import TestSupport
import Testing

@Suite(.slow) struct BlockingTests {
    private func unlock(_ server: Server, _ userID: String) async throws {
        let answer = try await server.administer(
            "POST", AdminRoute.unlockUser, UserRequest(userId: userID))
        #expect(answer.status == 200)
    }

    @Test func `the third wrong PIN in a row from any source blocks, even after a restart, until the unlock`()
        async throws
    {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        for (source, status) in [("192.0.2.1", 401), ("203.0.113.5", 401), ("2001:db8::1", 410)] {
            #expect(try await alice.login(server, pin: "4321", peer: .address(source)) == status)
        }
        #expect(try await alice.login(server, pin: "4321") == 410)
        #expect(try await alice.login(server, pin: "1234") == 410)
        #expect(try await alice.login(server, pin: "1234", peer: .address("198.51.100.1")) == 410)
        let listed = try read(
            UserList.self, await server.administer("GET", AdminRoute.users, HostRequest?.none))
        #expect(listed.users.first?.identities.first?.blocked == Int(server.clock.now.seconds))
        server.clock.advance(seconds: 90_000)
        await server.context.purge()
        let later = try await server.restarted()
        #expect(try await alice.login(later, pin: "1234") == 410)
        try await unlock(later, "alice")
        #expect(try await alice.login(later, pin: "1234") == 200)
        withExtendedLifetime(server) {}
    }

    @Test func `a granted login resets the count`() async throws {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        for (pin, status) in [
            ("4321", 401), ("4321", 401), ("1234", 200), ("4321", 401), ("4321", 401), ("1234", 200),
        ] {
            #expect(try await alice.login(server, pin: pin) == status)
        }
    }

    @Test func `the administrator sets the number of tries`() async throws {
        var compatibility = Compatibility()
        compatibility.maxInvalidLogins = 5
        let server = try Server.compatible(compatibility)
        let alice = try await server.milagroDevice("alice")
        for status in [401, 401, 401, 401, 410] {
            #expect(try await alice.login(server, pin: "4321") == status)
        }
    }

    @Test func `proofs that are never redeemed are counted too`() async throws {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        for _ in 0..<3 { _ = try await alice.prove(server, pin: "4321") }
        #expect(try await alice.login(server, pin: "1234") == 410)
    }

    @Test func `of fifty wrong proofs at one time no more than three are verified`() async throws {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        let permit = try await alice.permit(server)
        let peers = Mutex((1...50).map { Peer.address("203.0.113.\($0)") })
        let proofs = await together(50) {
            let peer = peers.withLock { $0.removeLast() }
            return try? await alice.prove(server, pin: "4321", permit: permit, peer: peer)
        }
        var told: [Int] = []
        for proof in proofs.compactMap(\.self) {
            told.append(
                try await server.send(
                    "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof)
                ).status)
        }
        #expect(told == [Int](repeating: 410, count: 50))
        #expect(try await alice.login(server, pin: "1234") == 410)
        // The audit trail has only the proofs that were verified.
        #expect(try await server.audited().filter { $0 == "login blocked" }.count == 3)
    }

    @Test func `our own clients keep the locks that end by themselves`() async throws {
        let server = try Server.compatible()
        let bound = try await House.device(server, "bob")
        let host = try await server.join("prod-db1")
        let rooted = try await host.enrol(server, "root", code: server.add("root"), pin: "1234")
        for status in [401, 401, 403, 403] {
            #expect(try await bound.login(server, pin: "4321") == status)
            #expect(try await host.login(server, rooted, pin: "4321").status == status)
        }
        server.clock.advance(seconds: 61)
        #expect(try await bound.login(server, pin: "1234") == 200)
        #expect(try await host.login(server, rooted, pin: "1234").status == 200)
    }

    @Test func `a blocked device approves no browser and does not block other identities`() async throws {
        let server = try Server.compatible()
        let (alice, bob) = (try await server.milagroDevice("alice"), try await server.milagroDevice("bob"))
        let page = try await Page.open(server)
        for status in [401, 401, 410, 410] {
            #expect(try await alice.approve(server, page.wid, pin: "4321").status == status)
        }
        #expect(try await alice.approve(server, page.wid).status == 410)
        async let waiting = bob.approve(server, page.wid)
        #expect(try await page.logIn(server) == ("bob", 200))
        #expect(try await waiting.status == 200)
    }

    @Test func `each identity keeps the rule of the profile that it registered under`() async throws {
        let server = try Server()
        let alice = try await server.milagroDevice("alice")
        let compatible = try await server.restarted(as: Compatibility())
        let bob = try await compatible.milagroDevice("bob")
        for status in [401, 401, 403, 403] {
            #expect(try await alice.login(compatible, pin: "4321") == status)
        }
        for _ in 0..<3 { _ = try await bob.login(compatible, pin: "4321") }
        let plain = try await compatible.restarted(as: nil)
        plain.clock.advance(seconds: 61)
        #expect(try await alice.login(plain, pin: "1234") == 200)
        #expect(try await bob.login(plain, pin: "1234") == 410)
        try await unlock(plain, "bob")
        #expect(try await bob.login(plain, pin: "1234") == 200)
        for status in [401, 401, 410] { #expect(try await bob.login(plain, pin: "4321") == status) }
        withExtendedLifetime((server, compatible)) {}
    }
}
