// SPDX-License-Identifier: Apache-2.0
// An external RPA decides who may register and who gets a permit (milagro-0.3.md, section 8).
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import Synchronization
import TestSupport
import Testing

@Suite(.slow) struct ApplicationRegistrationTests {
    private let application = Application()

    private func register(
        _ server: Server, _ asked: RegisterRequest = RegisterRequest(userId: "alice", mobile: 1),
        path: String = ""
    ) async throws -> Response {
        try await server.send("PUT", Route.user + path, asked)
    }

    private func signature(_ server: Server, _ registered: RegisterResponse) async -> Int {
        await server.send(
            "GET", "\(Route.signature)/\(registered.mpinId.text)?regOTT=\(registered.regOTT)"
        ).status
    }

    @Test func `the RPA is asked, and confirms later with the key that it was given`() async throws {
        let server = try application.server()
        var asked = RegisterRequest(userId: "alice", mobile: 1)
        asked.deviceName = "phone"
        asked.userData = .object(["card": .whole(7), "list": .list([.null, .flag(true)])])
        let registered = try read(RegisterResponse.self, await register(server, asked))
        #expect(registered.active == false)
        let wish = try application.wish()
        #expect(wish.userId == "alice")
        #expect(wish.mpinId == registered.mpinId)
        #expect(wish.mobile == 1)
        #expect(wish.resend == false)
        #expect(wish.deviceName == "phone")
        #expect(wish.userData == asked.userData)
        #expect(UnixTime(isoText: wish.expireTime) == UnixTime(seconds: server.clock.now.seconds + 3600))
        let key = hexText(
            try hmac(
                key: secret(server.appKey), [UInt8]((registered.mpinId.text + registered.regOTT).utf8)))
        #expect(wish.activateKey == key)
        let request = try #require(application.asked.withLock { $0.first })
        #expect(request.url == "http://127.0.0.1:8005/mpinVerify")
        #expect(request.headers.contains("RPS-BASE-URL: https://login.example.org"))
        #expect(await signature(server, registered) == 401)
        let path = "\(ExternalRPARoute.user)/\(registered.mpinId.text)"
        for wrong in ["", registered.regOTT, key.uppercased()] {
            #expect(
                try await server.askAsApplication(path, ActivateRequest(activateKey: wrong)).status == 401)
        }
        #expect(await signature(server, registered) == 401)
        let later = try await server.restarted()
        #expect(try await later.askAsApplication(path, ActivateRequest(activateKey: key)).status == 200)
        #expect(await signature(later, registered) == 200)
        #expect(await signature(later, registered) == 401)
        #expect(try await later.askAsApplication(path, ActivateRequest(activateKey: key)).status == 401)
        withExtendedLifetime(server) {}
    }

    @Test func `an RPA that knows the user activates them at once`() async throws {
        application.says(200, "{\"forceActivate\": true, \"more\": 1}")
        let server = try application.server()
        let alice = try await Enrolled.onDevice(server, "alice", code: nil, pin: "1234")
        #expect(try await alice.login(server, pin: "1234") == 200)
    }

    @Test(arguments: [
        (403, "", 403), (400, "", 400), (404, "{}", 404), (499, "", 499), (302, "", 500), (201, "", 500),
        (500, "", 500), (503, "", 500), (200, "welcome", 500), (200, "[]", 500),
        (200, "{\"forceActivate\": \"maybe\"}", 500), (nil, "", 500), (200, "{}", 200),
        (200, "{\"forceActivate\": false}", 200),
    ]) func `an RPA's refusal is passed on, and an invalid answer is an error`(
        _ status: Int?, _ body: String, _ expected: Int
    ) async throws {
        application.says(status, body)
        let server = try application.server()
        let response = try await register(server)
        #expect(response.status == expected)
        if expected != 200 {
            #expect(response.body.isEmpty)
            #expect(try await server.storage.waitingRegistrations().isEmpty)
        }
    }

    @Test func `a registration is started again under its own regOTT, and the RPA learns it`() async throws {
        let server = try application.server()
        let first = try read(RegisterResponse.self, await register(server))
        var again = RegisterRequest(userId: "alice", mobile: 1)
        let path = "/" + first.mpinId.text
        again.regOTT = "00"
        let other = try read(RegisterResponse.self, await register(server, again, path: path))
        #expect(other.mpinId != first.mpinId)
        #expect(other.regOTT != first.regOTT)
        again.regOTT = first.regOTT
        let key = hexText(
            try hmac(key: secret(server.appKey), [UInt8]((first.mpinId.text + first.regOTT).utf8)))
        let second = try read(RegisterResponse.self, await register(server, again, path: path))
        #expect(second.mpinId == first.mpinId)
        #expect(second.regOTT == first.regOTT)
        #expect(try application.wish().resend)
        #expect(try application.wish().activateKey == key)
        application.says(200, "{\"forceActivate\": true}")
        server.clock.advance(seconds: 60)
        let third = try read(RegisterResponse.self, await register(server, again, path: path))
        #expect(third.active == true)
        #expect(await signature(server, third) == 200)
    }

    @Test func `a stranger who restarts a registration again and again has five mails sent, one a minute`()
        async throws
    {
        let server = try application.server()
        let first = try read(RegisterResponse.self, await register(server))
        var again = RegisterRequest(userId: "alice", mobile: 1)
        again.regOTT = first.regOTT
        let path = "/" + first.mpinId.text
        for minute in 0..<10 {
            for _ in 0..<50 {
                let answer = try read(RegisterResponse.self, await register(server, again, path: path))
                #expect((answer.mpinId, answer.regOTT) == (first.mpinId, first.regOTT))
                #expect(answer.active == false)
            }
            #expect(application.asked.withLock(\.count) == 1 + min(minute + 1, 5), "\(minute)")
            server.clock.advance(seconds: 60)
        }
        // The registration goes on: it is activated, and the client learns that.
        let key = try application.wish().activateKey
        let confirm = "\(ExternalRPARoute.user)/\(first.mpinId.text)"
        #expect(try await server.askAsApplication(confirm, ActivateRequest(activateKey: key)).status == 200)
        let last = try read(RegisterResponse.self, await register(server, again, path: path))
        #expect(last.active == true)
        #expect(await signature(server, last) == 200)
    }

    @Test func `the client's headers are forwarded as far as the setting says`() async throws {
        let headers: [(name: String, value: String)] = [
            ("Cookie", "session=1"), ("X-Forwarded-For", "203.0.113.9"), ("Host", "evil.example"),
            ("Content-Length", "5"), ("rps-base-url", "https://evil.example"),
            ("RPS_BASE_URL", "https://evil.example"), ("Accept-Encoding", "gzip"),
        ]
        for (rule, expected) in [
            ("none", []), ("all", ["Cookie: session=1", "X-Forwarded-For: 203.0.113.9"]),
            ("x-forwarded-for host", ["X-Forwarded-For: 203.0.113.9"]),
        ] as [(String, [String])] {
            let server = try application.server { $0.forwarding = .init(rule) }
            let body = [UInt8](try JSONEncoder().encode(RegisterRequest(userId: "alice")))
            _ = await server.router.respond(
                to: Request(
                    method: "PUT", target: Route.user, host: Server.name, contentType: "application/json",
                    peer: Server.address, headers: headers, body: body))
            let sent = try #require(application.asked.withLock { $0.last }).headers
            #expect(Array(sent.dropFirst(2)) == expected)
        }
    }

    @Test func `our own clients use codes, and the RPA is not asked`() async throws {
        let server = try application.server()
        let bob = try await House.device(server, "bob")
        let host = try await server.join("prod-db1")
        let rooted = try await host.enrol(server, "root", code: server.add("root"), pin: "1234")
        #expect(try await bob.login(server, pin: "1234") == 200)
        #expect(try await host.login(server, rooted, pin: "1234").status == 200)
        #expect(application.asked.withLock { $0.isEmpty })
    }

    @Test func `an RPA cannot bring back a user whom an administrator revoked`() async throws {
        application.says(200, "{\"forceActivate\": true}")
        let server = try application.server()
        _ = try await Enrolled.onDevice(server, "alice", code: nil, pin: "1234")
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "alice"))
        let asked = application.asked.withLock { $0.count }
        // The answer is that of an unconfirmed stranger, and the RPA is not asked about the user.
        let answer = try read(RegisterResponse.self, await register(server))
        #expect(!answer.active.isOn)
        #expect(await signature(server, answer) == 401)
        // Nor when the registration is started again.
        var again = RegisterRequest(userId: "alice")
        again.regOTT = answer.regOTT
        let path = "/" + answer.mpinId.text
        #expect(try await !read(RegisterResponse.self, register(server, again, path: path)).active.isOn)
        #expect(application.asked.withLock { $0.count } == asked)
        _ = try await server.add("alice")
        #expect(try await register(server).status == 200)
    }

    @Test func `the RPA is asked only about as many as may wait, and those it refuses do not wait`()
        async throws
    {
        let server = try application.server()
        application.says(403)
        for _ in 0..<15 { #expect(try await register(server).status == 403) }
        #expect(try await server.storage.waitingRegistrations().isEmpty)
        application.says(200)
        for count in 0..<15 { #expect(try await register(server).status == (count < 10 ? 200 : 429)) }
        #expect(try await server.storage.waitingRegistrations().count == 10)
        #expect(application.asked.withLock { $0.count } == 25)
    }

    @Test func `the RPA is asked for each permit, and its refusal is the answer`() async throws {
        application.says(200, "{\"forceActivate\": true}")
        let server = try application.server { $0.permitURL = "https://rpa.example.org/permit" }
        let alice = try await Enrolled.onDevice(server, "alice", code: nil, pin: "1234")
        let path = "\(Route.timePermit)/\(hexText(alice.mpinID))"
        #expect(await server.send("GET", path).status == 200)
        let asked = try #require(application.asked.withLock { $0.last })
        #expect(asked.method == "GET")
        #expect(asked.url == "https://rpa.example.org/permit?mpin_id=" + hexText(alice.mpinID))
        for (status, expected) in [(410, 410), (403, 403), (401, 401), (500, 500), (302, 500), (nil, 500)] {
            application.says(status)
            #expect(await server.send("GET", path).status == expected)
        }
        // The RPA is not asked about an unknown user.
        let before = application.asked.withLock { $0.count }
        #expect(await server.send("GET", Route.timePermit + "/7b7d").status == 410)
        #expect(application.asked.withLock { $0.count } == before)
    }
}
