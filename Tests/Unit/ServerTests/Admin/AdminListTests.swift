// SPDX-License-Identifier: Apache-2.0
// The administrator's list of users with their states, and the suspension of users: audit records, refusals.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct AdminListTests {
    private func list(_ server: Server) async throws -> UserList {
        try read(UserList.self, await server.administer("GET", AdminRoute.users, HostRequest?.none))
    }

    @Test func `the list shows the state of each user and of each registration`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        var enrolled: [String: Enrolled] = [:]
        for name in ["active", "locked", "revoked", "suspended"] {
            enrolled[name] = try await host.enrol(server, name, code: server.add(name), pin: "1234")
        }
        _ = try await server.add("waiting")
        for _ in 0..<3 { _ = try await host.login(server, #require(enrolled["locked"]), pin: "4321") }
        _ = try await host.login(server, #require(enrolled["active"]), pin: "4321")
        _ = try await host.login(server, #require(enrolled["active"]), pin: "1234", source: "192.0.2.7")
        try await server.suspend("suspended", seconds: 60)
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "revoked"))
        let users = try await list(server).users
        let now = Int(server.clock.now.seconds)
        for user in users {
            #expect(user.state?.rawValue == user.userId)
            #expect(user.identities.allSatisfy { $0.state == user.state })
            #expect(user.identities.count == (user.userId == "waiting" ? 0 : 1))
        }
        let told = Dictionary(uniqueKeysWithValues: users.map { ($0.userId, $0) })
        let active = try #require(told["active"]?.identities.first)
        #expect(active.lastLogin == now && active.lastLoginFrom == "prod-db1/192.0.2.7")
        #expect(active.wrongTries == nil && active.locks == nil)
        let locked = try #require(told["locked"]?.identities.first)
        #expect(try #require(locked.lockedUntil) - now - 60 <= 1)
        #expect(locked.locks == [UserList.Lock(from: "local:1000", until: locked.lockedUntil)])
        #expect(locked.wrongTries?.count == 3)
        #expect(locked.wrongTries?.lastFrom == "prod-db1/local:1000")
        let suspended = try #require(told["suspended"]?.suspended)
        #expect(suspended.since == now && suspended.reason == nil)
        #expect((now + 60...now + 61).contains(try #require(suspended.until)))
        #expect(told["revoked"]?.revoked == now)
        server.clock.advance(seconds: 62)
        let later = try await list(server).users
        #expect(later.filter { $0.state == .active }.map(\.userId) == ["active", "locked", "suspended"])
    }

    @Test func `a user with a valid registration beside a revoked one is active`() async throws {
        let server = try Server()
        let first = try await House.device(server, "alice")
        _ = try await House.device(server, "alice")
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(id: first.id))
        let alice = try #require(try await list(server).users.first)
        #expect(alice.state == .active)
        #expect(Set(alice.identities.compactMap(\.state)) == [.active, .revoked])
        for identity in alice.identities {
            _ = try await server.administer(
                "POST", AdminRoute.revokeUser, UserRequest(id: IdentityHash(exactly: identity.id.octets)))
        }
        #expect(try await list(server).users.first?.state == .revoked)
        _ = try await server.add("alice")
        #expect(try await list(server).users.first?.state == .waiting)
    }

    @Test func `a suspension and its end are recorded with the administrator, the end time and the reason`()
        async throws
    {
        let server = try Server()
        _ = try await server.add("alice")
        let end = server.clock.now.seconds + 3600
        var asked = SuspendRequest(userId: "alice")
        (asked.until, asked.reason) = (Int(end), "on leave")
        let said = try read(
            SuspensionMessage.self, await server.administer("POST", AdminRoute.suspendUser, asked))
        #expect(said.until == Int(end) && said.reason == "on leave")
        try await server.resume()
        let again = UserRequest(userId: "alice")
        #expect(try await server.administer("POST", AdminRoute.resumeUser, again).status == 409)
        let records = try await server.storage.auditRecords(AuditQuery(), limit: 3).map(\.event)
        #expect(records.map(\.kind) == ["user.resume", "user.suspend", "user.add"])
        #expect(records.allSatisfy { $0.subject == "alice" })
        #expect(records.allSatisfy { $0.fields.contains(AuditField("uid", "0")) })
        let until = AuditField("until", UnixTime(seconds: end).isoText)
        #expect(records[1].fields.prefix(2) == [until, AuditField("reason", "on leave")])
    }

    @Test func `an unlock of a suspended user is refused and points to user resume`() async throws {
        let server = try Server()
        _ = try await House.device(server, "alice")
        try await server.suspend()
        let answer = try await server.administer(
            "POST", AdminRoute.unlockUser, UserRequest(userId: "alice"))
        #expect(answer.status == 409)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("mpind user resume"))
        #expect(try await list(server).users.first?.state == .suspended)
    }

    @Test func `an unknown or revoked user cannot be suspended`() async throws {
        let server = try Server()
        _ = try await server.add("alice")
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "alice"))
        for (name, status) in [("alice", 409), ("bob", 404), ("", 404)] {
            let asked = SuspendRequest(userId: name)
            #expect(try await server.administer("POST", AdminRoute.suspendUser, asked).status == status)
        }
        for name in ["bob", ""] {
            let asked = UserRequest(userId: name)
            #expect(try await server.administer("POST", AdminRoute.resumeUser, asked).status == 404)
        }
    }

    @Test func `a suspension with an end in the past or an invalid reason is refused`() async throws {
        let server = try Server()
        _ = try await server.add("alice")
        let now = Int(server.clock.now.seconds)
        for (until, seconds) in [
            (now, nil), (now - 1, nil), (0, nil), (Int.min, nil), (Int.max, nil), (253_402_300_800, nil),
            (nil, 0), (nil, -1), (nil, Int.max), (nil, Int.min), (now + 60, 60),
        ] as [(Int?, Int?)] {
            var asked = SuspendRequest(userId: "alice")
            (asked.until, asked.seconds) = (until, seconds)
            #expect(try await server.administer("POST", AdminRoute.suspendUser, asked).status == 400)
        }
        for reason in ["", "a\nb", "a\u{202e}b", String(repeating: "x", count: 201)] {
            var asked = SuspendRequest(userId: "alice")
            asked.reason = reason
            #expect(try await server.administer("POST", AdminRoute.suspendUser, asked).status == 400)
        }
        for route in [AdminRoute.suspendUser, AdminRoute.resumeUser] {
            #expect(try await server.administer("POST", route, HostRequest(host: "x")).status == 400)
        }
        #expect(try await list(server).users.first?.suspended == nil)
    }
}
