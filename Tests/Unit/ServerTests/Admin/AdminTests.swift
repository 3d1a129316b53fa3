// SPDX-License-Identifier: Apache-2.0
// The administrator's socket: actions, refusals, and the audit record that each action leaves.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct AdminTests {
    @Test func `every act that was done leaves an audit record that names the administrator`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        _ = try await server.join("prod-db1", rotate: true)
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        for pin in ["4321", "1234", "4321"] { _ = try await host.login(server, alice, pin: pin) }
        let acts = [
            AdminRoute.unlockUser, AdminRoute.unlockUser, AdminRoute.resumeUser, AdminRoute.confirmUser,
            AdminRoute.revokeUser, AdminRoute.suspendUser,
        ]
        for route in acts {
            _ = try await server.administer("POST", route, UserRequest(userId: "alice"))
        }
        for host in ["prod-db1", "prod-db1", "none"] {
            _ = try await server.administer("POST", AdminRoute.removeHost, HostRequest(host: host))
            _ = try await server.administer("POST", AdminRoute.rotateHost, HostRequest(host: "none"))
        }
        let records = try await server.storage.auditRecords(AuditQuery(), limit: 100).reversed().map(\.event)
        #expect(
            records.map(\.kind) == [
                "host.add", "host.join", "host.rotate", "host.join", "user.add", "registration", "login",
                "login", "login",
                "user.unlock", "user.revoke", "host.remove",
            ])
        for record in records where record.kind.hasPrefix("user.") || record.kind == "host.add" {
            #expect(record.fields.contains(AuditField("uid", "0")))
        }
        let login = try #require(records.first { $0.fields.contains(AuditField("verdict", "granted")) })
        #expect(login.subject == hexText([UInt8](alice.id.octets.prefix(4))))
        #expect(login.host == "prod-db1")
        #expect(login.source == "prod-db1/local:1000")
        #expect(login.attempt == "00112233aabbccdd")
        #expect(login.fields.contains(AuditField("wrong-before", "1")))
        #expect(login.fields.contains(AuditField("last-wrong-from", "prod-db1/local:1000")))
    }

    @Test func `whoever has the code of a cancelled enrolment enrols nothing, and the end is on record once`()
        async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let code = try await server.add("alice")
        func end(_ code: String, of userID: String = "alice") async throws -> Int {
            try await server.administer(
                "POST", AdminRoute.endCode, EndCodeRequest(userId: userID, activationCode: code)
            ).status
        }
        #expect(try await end("BCDF") == 400)
        #expect(try await end("BCDF-GHJK-LMNP-QRST") == 200)
        #expect(try await end(code, of: "bob") == 200)
        let alice = try await host.enrol(server, "alice", code: code, pin: "1234")
        let next = try await server.add("alice")
        for _ in 0..<2 { #expect(try await end(next.filter { $0 != "-" }.lowercased()) == 200) }
        #expect(try await !host.register(server, "alice", code: next).1.active.isOn)
        #expect(try await host.login(server, alice, pin: "1234").status == 200)
        let kinds = try await server.storage.auditRecords(AuditQuery(), limit: 100).map(\.event.kind)
        #expect(kinds.count { $0 == "user.end-code" } == 1)
    }

    @Test func `an activation code is in the response, but neither in the database nor in an audit record`()
        async throws
    {
        let server = try Server()
        let code = try await server.add("alice")
        let letters = code.filter { $0 != "-" }
        for file in ["mpind.db", "mpind.db-wal"] {
            let octets = [UInt8](try Data(contentsOf: URL(filePath: server.folder + "/" + file)))
            #expect(!octets.contains([UInt8](code.utf8)))
            #expect(!octets.contains([UInt8](letters.utf8)))
        }
    }

    @Test func `the list shows all users, with registrations and open activation codes`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        _ = try await host.login(server, alice, pin: "1234")
        _ = try await server.add("bob")
        let list = try read(
            UserList.self, await server.administer("GET", AdminRoute.users, HostRequest?.none))
        #expect(list.users.map(\.userId) == ["alice", "bob"])
        #expect(list.users[0].identities.map(\.id.octets) == [alice.id.octets])
        #expect(list.users[0].identities[0].host == "prod-db1")
        #expect(list.users[0].codeExpires == nil)
        #expect(list.users[1].codeExpires != nil)
        let hosts = try read(
            HostList.self, await server.administer("GET", AdminRoute.hosts, HostRequest?.none))
        #expect(hosts.hosts.map(\.host) == ["prod-db1"])
    }

    @Test(arguments: [AdminRoute.revokeUser, AdminRoute.unlockUser])
    func `an unknown user is answered with 404`(_ route: String) async throws {
        let server = try Server()
        #expect(try await server.administer("POST", route, UserRequest(userId: "nobody")).status == 404)
        #expect(
            try await server.administer("POST", route, UserRequest(id: IdentityHash(repeating: 1))).status
                == 404)
        #expect(try await server.administer("POST", route, HostRequest(host: "x")).status >= 400)
    }

    @Test func `an unlock reports a user whom nothing locks or blocks, and one who must enrol again`()
        async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let who = UserRequest(userId: "alice")
        func unlocked() async throws -> Response {
            try await server.administer("POST", AdminRoute.unlockUser, who)
        }
        #expect(try await unlocked().status == 409)
        #expect(try await said(unlocked()) == "alice is neither locked nor blocked")
        _ = try await host.login(server, alice, pin: "4321")
        #expect(try await read(UserResponse.self, unlocked()).wasLocked == false)
        for _ in 0..<3 { _ = try await host.login(server, alice, pin: "4321") }
        #expect(try await read(UserResponse.self, unlocked()) == UserResponse(identities: 1))
        _ = try await server.administer("POST", AdminRoute.revokeUser, who)
        #expect(try await unlocked().status == 409)
        #expect(try await said(unlocked()).hasPrefix("alice is revoked for good; `mpind user add NAME`"))
    }

    @Test func `an unlock by name or by id reports a user who is suspended`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        try await server.suspend()
        for who in [UserRequest(userId: "alice"), UserRequest(id: alice.id)] {
            let answer = try await said(server.administer("POST", AdminRoute.unlockUser, who))
            #expect(answer.contains("is neither locked nor blocked, but suspended: `mpind user resume NAME`"))
        }
    }

    private func said(_ response: Response) throws -> String {
        try JSONDecoder().decode(StatusMessage.self, from: Data(response.body)).message
    }

    @Test(arguments: ["", String(repeating: "x", count: 65), "a\u{0}b", "a\nb", "a\u{85}b"])
    func `an invalid name is refused`(_ name: String) async throws {
        let server = try Server()
        let user = try await server.administer(
            "POST", AdminRoute.users, AddUserRequest(userId: name, replace: false))
        #expect(user.status == 400)
        let host = try await server.administer("POST", AdminRoute.hosts, HostRequest(host: name))
        #expect(host.status == 400)
        #expect(try await server.send("PUT", Route.user, RegisterRequest(userId: name)).status == 400)
    }

    @Test func `a host is added once, and only an existing host can be rotated or removed`() async throws {
        let server = try Server()
        let asked = HostRequest(host: "prod-db1")
        for route in [AdminRoute.rotateHost, AdminRoute.removeHost] {
            #expect(try await server.administer("POST", route, asked).status == 404)
        }
        #expect(try await server.administer("POST", AdminRoute.hosts, asked).status == 200)
        #expect(try await server.administer("POST", AdminRoute.hosts, asked).status == 409)
    }

    @Test func `the administrator's socket does not serve the public routes`()
        async throws
    {
        let server = try Server()
        for path in [Route.clientSettings, Route.passOne, Route.status, "/v1", "/v1/users/x", "/v2/users"] {
            #expect(try await server.administer("GET", path, HostRequest?.none).status == 404)
        }
    }

    @Test func `a registration is confirmed by name and id, never by the name alone`() async throws {
        let server = try Server(registration: .confirm)
        let first = try read(
            RegisterResponse.self, await server.send("PUT", Route.user, RegisterRequest(userId: "alice")))
        let second = try read(
            RegisterResponse.self, await server.send("PUT", Route.user, RegisterRequest(userId: "alice")))
        let id = identityHash(second.mpinId.octets)
        for (request, status) in [
            (UserRequest(userId: "alice"), 400), (UserRequest(id: id), 400),
            (UserRequest(userId: "alice", idPrefix: [UInt8](id.octets.prefix(3))), 400),
            (UserRequest(userId: "bob", idPrefix: id.octets), 404),
        ] {
            let answer = try await server.administer("POST", AdminRoute.confirmUser, request)
            #expect(answer.status == status)
        }
        let list = try read(
            UserList.self, await server.administer("GET", AdminRoute.users, HostRequest?.none))
        #expect(list.waiting.count == 2)
        #expect(list.waiting.allSatisfy { $0.source == "192.0.2.1" && $0.since == $0.expires - 3600 })
        let one = UserRequest(userId: "alice", idPrefix: [UInt8](id.octets.prefix(4)))
        #expect(try await server.administer("POST", AdminRoute.confirmUser, one).status == 200)
        for (registered, status) in [(first, 401), (second, 200)] {
            let path = "\(Route.signature)/\(registered.mpinId.text)?regOTT=\(registered.regOTT)"
            #expect(await server.send("GET", path).status == status)
        }
    }
}
