// SPDX-License-Identifier: Apache-2.0
// What a client sends about itself and its user at a registration: stored, shown, and passed on to an RPA.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Synchronization
import TestSupport
import Testing

@Suite(.slow) struct ClientWordTests {
    private let application = Application()

    private func asked(bound: Bool = true, code: String? = nil) -> RegisterRequest {
        var asked = RegisterRequest(userId: "alice", mobile: 1)
        asked.bound = bound ? 1 : nil
        asked.activateCode = code
        asked.deviceName = "Alice's phone"
        asked.userData = .object(["card": .whole(7)])
        return asked
    }

    private func show(_ server: Server, _ userID: String = "alice") async throws -> UserDetails {
        try read(
            UserDetails.self,
            await server.administer("POST", AdminRoute.showUser, UserRequest(userId: userID)))
    }

    private func signature(_ server: Server, _ registered: RegisterResponse, _ more: String) async -> Int {
        let query = "regOTT=\(registered.regOTT)&pmiToken=\(more)"
        return await server.send("GET", "\(Route.signature)/\(registered.mpinId.text)?\(query)").status
    }

    @Test func `device name, user data and push identifier are shown to the administrator`() async throws {
        let server = try Server()
        let code = try await server.add("alice")
        let registered = try read(
            RegisterResponse.self, await server.send("PUT", Route.user, asked(code: code)))
        #expect(await signature(server, registered, "fcm%3Aabc") == 200)
        let identity = try #require(try await show(server).user?.identities.first)
        #expect(identity.deviceName == "Alice's phone")
        #expect(identity.userData == #"{"card":7}"#)
        #expect(identity.pushToken == "fcm:abc")
    }

    @Test func `for a waiting registration they are shown before an administrator confirms it`() async throws
    {
        let server = try Server(registration: .confirm)
        _ = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked()))
        let details = try await show(server)
        #expect(details.user == nil)
        #expect(details.waiting.first?.deviceName == "Alice's phone")
        #expect(details.waiting.first?.userData == #"{"card":7}"#)
    }

    @Test func `an unknown user is answered with 404`() async throws {
        let server = try Server()
        let answer = try await server.administer("POST", AdminRoute.showUser, UserRequest(userId: "bob"))
        #expect(answer.status == 404)
    }

    @Test func `text from a client is shortened and made printable`() async throws {
        let server = try Server()
        var asked = asked(code: try await server.add("alice"))
        asked.deviceName = "\u{1b}[2J" + String(repeating: "x", count: 100)
        asked.userData = .text(String(repeating: "é", count: 200) + "\n")
        let registered = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        #expect(await signature(server, registered, "") == 200)
        let identity = try #require(try await show(server).user?.identities.first)
        #expect(identity.deviceName == "?[2J" + String(repeating: "x", count: 60))
        #expect(identity.userData == String(repeating: "é", count: 128))
        #expect(identity.pushToken == nil)
    }

    @Test(arguments: ["%1b", String(repeating: "x", count: 1025), "%0a"])
    func `an invalid push identifier is refused, and the registration can go on`(_ token: String)
        async throws
    {
        let server = try Server()
        let code = try await server.add("alice")
        let registered = try read(
            RegisterResponse.self, await server.send("PUT", Route.user, asked(code: code)))
        #expect(await signature(server, registered, token) == 400)
        #expect(await signature(server, registered, String(repeating: "x", count: 1024)) == 200)
    }

    @Test(arguments: [true, false])
    func `an RPA gets them from every client, and its registrations block by Milagro's rule`(
        _ isBound: Bool
    ) async throws {
        application.says(200, "{\"forceActivate\": true}")
        let server = try application.server()
        let registered = try read(
            RegisterResponse.self, await server.send("PUT", Route.user, asked(bound: isBound)))
        #expect(registered.active == true)
        #expect((registered.bound?.isOn ?? false) == isBound)
        let wish = try application.wish()
        #expect(wish.deviceName == "Alice's phone")
        #expect(wish.userData == .object(["card": .whole(7)]))
        #expect(await signature(server, registered, "") == 200)
        let identity = try await server.storage.identity(id: identityHash(registered.mpinId.octets))
        #expect(identity?.blockAfter == 3)
        #expect(identity?.description.kind == (isBound ? .bound : .unbound))
        #expect(identity?.description.userData == #"{"card":7}"#)
    }

    @Test func `with an administrator's code our own client registers without the RPA`() async throws {
        let server = try application.server()
        let registered = try read(
            RegisterResponse.self,
            await server.send("PUT", Route.user, asked(code: try await server.add("alice"))))
        #expect(registered.active == true)
        #expect(application.asked.withLock { $0.isEmpty })
    }

    @Test func `our own client stays our own when it asks an RPA again`() async throws {
        let server = try application.server()
        let first = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked()))
        #expect(first.active == false)
        var again = asked()
        again.regOTT = first.regOTT
        let path = "\(Route.user)/\(first.mpinId.text)"
        let second = try read(RegisterResponse.self, await server.send("PUT", path, again))
        #expect(second.mpinId == first.mpinId)
        #expect(second.bound?.isOn == true)
        #expect(try application.wish().resend)
    }
}
