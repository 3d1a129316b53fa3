// SPDX-License-Identifier: Apache-2.0
// `mpind user add --block-after N`: Milagro's blocking rule for one registration, under any profile.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct BlockAfterTests {
    private func add(_ server: Server, _ userID: String, blockAfter: Int64) async throws -> String {
        let answer = try await server.administer(
            "POST", AdminRoute.users, AddUserRequest(userId: userID, replace: false, blockAfter: blockAfter))
        return try read(AddUserResponse.self, answer).activationCode
    }

    private func device(_ server: Server, blockAfter: Int64, bound: Bool = true) async throws -> Enrolled {
        try await Enrolled.onDevice(
            server, "alice", code: add(server, "alice", blockAfter: blockAfter), pin: "1234", bound: bound)
    }

    @Test(arguments: [true, false])
    func `the third wrong PIN in a row blocks a device until the unlock`(_ isBound: Bool) async throws {
        let server = try Server()
        let alice = try await device(server, blockAfter: 3, bound: isBound)
        for (pin, status) in [
            ("4321", 401), ("4321", 401), ("1234", 200), ("4321", 401), ("4321", 401), ("4321", 410),
            ("1234", 410),
        ] {
            #expect(try await alice.login(server, pin: pin) == status)
        }
        server.clock.advance(seconds: 90_000)
        #expect(try await alice.login(server, pin: "1234") == 410)
        _ = try await server.administer("POST", AdminRoute.unlockUser, UserRequest(userId: "alice"))
        #expect(try await alice.login(server, pin: "1234") == 200)
    }

    @Test func `a Milagro client whose block comes later is locked like any other`() async throws {
        let server = try Server()
        let alice = try await device(server, blockAfter: 50, bound: false)
        #expect(try await alice.login(server, pin: "1234") == 200)
        for status in [401, 401, 403, 403] { #expect(try await alice.login(server, pin: "4321") == status) }
        for number in 0..<60 {
            _ = try await alice.login(server, pin: "4321", peer: .address("203.0.\(number).1"))
        }
        server.clock.advance(seconds: 61)
        #expect(try await alice.login(server, pin: "1234") == 200)
        #expect(try await server.storage.identity(id: alice.id)?.blockedAt == nil)
    }

    @Test func `under profile = compat the lower number counts`() async throws {
        let server = try Server(compatibility: Compatibility())
        let alice = try await device(server, blockAfter: 100, bound: false)
        for status in [401, 401, 410] { #expect(try await alice.login(server, pin: "4321") == status) }
        let bob = try await Enrolled.onDevice(
            server, "bob", code: add(server, "bob", blockAfter: 2), pin: "1234")
        for status in [401, 410] { #expect(try await bob.login(server, pin: "4321") == status) }
    }

    @Test(arguments: [true, false])
    func `wrong PINs that count towards a block are not forgotten after a day`(_ isDevice: Bool) async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let code = try await add(server, "alice", blockAfter: 3)
        let alice =
            isDevice
            ? try await Enrolled.onDevice(server, "alice", code: code, pin: "1234", bound: true)
            : try await host.enrol(server, "alice", code: code, pin: "1234")
        func login(_ pin: String) async throws -> Int {
            isDevice
                ? try await alice.login(server, pin: pin)
                : try await host.login(server, alice, pin: pin).status
        }
        #expect(try await login("1234") == 200)
        for wanted in [401, 401, isDevice ? 410 : 403] {
            #expect(try await login("4321") == wanted)
            server.clock.advance(seconds: 90_000)
            await server.context.purge()
        }
        #expect(try await login("1234") == (isDevice ? 410 : 403))
    }

    @Test func `a device with a later block is locked for a while before it`() async throws {
        let server = try Server()
        let alice = try await device(server, blockAfter: 5)
        for status in [401, 401, 403] { #expect(try await alice.login(server, pin: "4321") == status) }
        #expect(try await alice.login(server, pin: "4321") == 403)
        server.clock.advance(seconds: 61)
        #expect(try await alice.login(server, pin: "4321") == 403)
        server.clock.advance(seconds: 121)
        #expect(try await alice.login(server, pin: "4321") == 410)
        server.clock.advance(seconds: 90_000)
        #expect(try await alice.login(server, pin: "1234") == 410)
    }

    @Test func `a right PIN at the last try is granted, and nothing is blocked`() async throws {
        let server = try Server()
        let alice = try await device(server, blockAfter: 2)
        for (pin, status) in [("4321", 401), ("1234", 200), ("4321", 401), ("4321", 410)] {
            #expect(try await alice.login(server, pin: pin) == status)
        }
    }

    @Test func `wrong PINs without the device key do not block the device`() async throws {
        let server = try Server()
        let alice = try await device(server, blockAfter: 1)
        for _ in 0..<5 { #expect(try await alice.stolen.login(server, pin: "4321") == 401) }
        #expect(try await alice.login(server, pin: "1234") == 200)
    }

    @Test func `a PIN on a host is blocked where its owner logs in, and nowhere else`()
        async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let code = try await add(server, "alice", blockAfter: 3)
        let alice = try await host.enrol(server, "alice", code: code, pin: "1234")
        #expect(try await host.login(server, alice, pin: "1234").status == 200)
        for number in 0..<8 {
            let source = "203.0.113.\(number)"
            #expect(try await host.login(server, alice, pin: "4321", source: source).status == 401)
        }
        #expect(try await host.login(server, alice, pin: "1234").status == 200)
        for (left, status) in [(2, 401), (1, 401), (0, 403)] {
            let (came, verdict) = try await host.login(server, alice, pin: "4321")
            #expect(came == status)
            #expect(verdict.triesLeft == UInt16(left))
            #expect(verdict.secondsUntilRelease == (left == 0 ? .max : 0))
        }
        server.clock.advance(seconds: 90_000)
        #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .blocked)
        _ = try await server.administer("POST", AdminRoute.unlockUser, UserRequest(userId: "alice"))
        #expect(try await host.login(server, alice, pin: "1234").status == 200)
    }

    @Test func `the tries left are those before the block, if the block comes first`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let code = try await add(server, "alice", blockAfter: 2)
        let alice = try await host.enrol(server, "alice", code: code, pin: "1234")
        #expect(try await host.login(server, alice, pin: "1234").status == 200)
        #expect(try await host.login(server, alice, pin: "4321").verdict.triesLeft == 1)
    }

    @Test func `a changed PIN keeps the rule, and a new code brings its own`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let code = try await add(server, "alice", blockAfter: 2)
        let old = try await host.enrol(server, "alice", code: code, pin: "1234")
        let change = try host.question(server, service: "change-pin", ids: [old.id])
        let proof = try await old.prove(server, pin: "1234", question: change, tag: host.tag(change))
        let (question, registered) = try await host.register(server, "alice", authOTT: proof.authOTT)
        let changed = try await host.fetch(server, registered, question, pin: "5678")
        #expect(try await server.storage.identity(id: changed.id)?.blockAfter == 2)
        let other = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        #expect(try await server.storage.identity(id: other.id)?.blockAfter == nil)
    }

    @Test(arguments: [0, -1, 101, Int64.max]) func `an invalid number of tries is refused`(
        _ number: Int64
    ) async throws {
        let server = try Server()
        let answer = try await server.administer(
            "POST", AdminRoute.users, AddUserRequest(userId: "alice", replace: false, blockAfter: number))
        #expect(answer.status == 400)
        #expect(try await server.storage.users(after: nil, limit: 1).isEmpty)
    }
}
