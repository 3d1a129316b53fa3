// SPDX-License-Identifier: Apache-2.0
// The states of a user: every row of the table of Milagro's core, from the call to the files.
import Foundation
import MPinClient
import TestSupport
import Testing

@Suite(.slow) struct `The states of a user in the list` {
    private let fixture: Fixture
    private let client: Client

    init() throws {
        fixture = try Fixture.recorded()
        client = try fixture.client()
    }

    private func started(active: Bool) throws -> User {
        try fixture.answerRegistration { $0.replacing("\"active\": true", with: "\"active\": \(active)") }
        return try client.startRegistration(client.makeUser("alice@example.org"))
    }

    /// The state that the next start of the program finds.
    private func stored() throws -> UserState? { try fixture.client().allUsers().first?.state }

    @Test(arguments: [(false, UserState.startedRegistration), (true, .activated)])
    func `a registration is started`(_ active: Bool, _ state: UserState) throws {
        #expect(try started(active: active).state == state)
        #expect(try stored() == state)
    }

    @Test(arguments: [(false, UserState.startedRegistration), (true, .activated)])
    func `a registration is started again`(_ active: Bool, _ state: UserState) throws {
        let user = try started(active: false)
        try fixture.answerRegistration { $0.replacing("\"active\": true", with: "\"active\": \(active)") }
        #expect(try client.restartRegistration(user).state == state)
        #expect(try stored() == state)
    }

    @Test(arguments: [false, true]) func `a confirmation changes no state`(_ active: Bool) throws {
        let user = try started(active: active)
        fixture.instead.answer("/rps/signature", 401)
        #expect(try status { try client.confirmRegistration(user) } == .identityNotVerified)
        #expect(try stored() == user.state)
        fixture.instead.clear()
        try client.confirmRegistration(user)
        #expect(try stored() == user.state)
        #expect(try client.finishRegistration(user, pin: PIN(Fixture.pin)).state == .registered)
        #expect(try stored() == .registered)
    }

    @Test(arguments: [false, true]) func `410 blocks, here and in a browser`(_ inBrowser: Bool) throws {
        try fixture.register()
        let user = try client.onlyUser()
        try client.startAuthentication(user)
        fixture.instead.answer(inBrowser ? "/rps/authenticate" : "/mpinAuthenticate", 410)
        let given = try status {
            if inBrowser {
                _ = try client.finishAuthentication(
                    user, pin: PIN(Fixture.pin), accessNumber: "3232212")
            } else {
                _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin))
            }
        }
        #expect(given == .incorrectPIN)
        #expect(try stored() == .blocked)
        #expect(try fixture.texts()[0] == "{}")
    }

    @Test(arguments: [401, 403, 406, 408, 409, 412, 429, 500])
    func `no other verdict changes a state`(_ http: Int) throws {
        try fixture.register()
        try client.startAuthentication(client.onlyUser())
        let before = try fixture.texts()
        fixture.instead.answer("/mpinAuthenticate", http)
        #expect(throws: ClientFailure.self) {
            try client.finishAuthentication(client.onlyUser(), pin: PIN(Fixture.pin))
        }
        #expect(try fixture.texts() == before)
    }

    @Test(arguments: [UserState.startedRegistration, .activated, .registered, .blocked])
    func `a user can be deleted in any state, and the server is not informed`(_ state: UserState) throws {
        try fixture.register()
        try fixture.rewrite(state)
        let user = try client.onlyUser()
        #expect(user.state == state)
        let asked = fixture.server.received.count
        try client.deleteUser(user)
        #expect(try client.state(of: user) == .invalid)
        #expect(try stored() == nil)
        #expect(try fixture.texts() == ["{}", "{}"])
        #expect(fixture.server.received.count == asked + 1)
        // The name can be used again.
        fixture.instead.clear()
        #expect(try client.startRegistration(client.makeUser(user.identity)).state == .activated)
    }

    @Test func `a server that has forgotten a registration starts another one`() throws {
        let user = try started(active: false)
        let other = try Recorded("01-register-forceactivate").mpinID.replacing("7d", with: "207d")
        try fixture.answerRegistration { _ in
            #"{"mpinId": "\#(other)", "regOTT": "00", "active": false}"#
        }
        let again = try client.restartRegistration(user)
        #expect(again.mpinID != user.mpinID && again.identity == user.identity)
        #expect(try client.users() == [again])
        #expect(try status { try client.confirmRegistration(user) } == .flowError)
        #expect(!(try fixture.texts().joined().contains(Recorded("01-register-forceactivate").mpinID)))
    }

    /// The whole life of a user in one program, whose storage fails at any of its writes.
    @Test func `a failed write never leaves files that do not open`() throws {
        let other = try Recorded("01-register-forceactivate").mpinID.replacing("7d", with: "207d")
        var count = 0
        for cut in 0...40 {
            try fixture.reset(registered: false)
            fixture.instead.clear()
            let writes = Writes(left: cut)
            let client = try Client(
                secure: Failing(storage: fixture.secure, writes: writes),
                plain: Failing(storage: fixture.plain, writes: writes),
                settings: Configuration(backend: fixture.server.backend))
            let ended = try status { try life(client, restartedAs: other) }
            #expect(ended == .ok || ended == .storageError && writes.left < 0)
            #expect(throws: Never.self) { try fixture.client(withBackend: false).allUsers() }
            count = cut
            if writes.left >= 0 { break }
        }
        #expect(count > 10 && count < 40)
    }

    /// The life of a user, from the first call to the last.
    private func life(_ client: Client, restartedAs other: String) throws {
        try fixture.answerRegistration { $0.replacing("\"active\": true", with: "\"active\": false") }
        let begun = try client.startRegistration(client.makeUser("alice@example.org"))
        try fixture.answerRegistration { _ in #"{"mpinId": "\#(other)", "regOTT": "00", "active": false}"# }
        let again = try client.restartRegistration(begun)
        try client.deleteUser(again)
        fixture.instead.clear()
        let user = try client.register("alice@example.org")
        try client.startAuthentication(user)
        fixture.instead.answer("/mpinAuthenticate", 410)
        let last = try status { _ = try client.finishAuthentication(user, pin: PIN("0000")) }
        #expect(last == .incorrectPIN || last == .storageError)
        try client.deleteUser(user)
    }

    @Test func `an mpinId belongs to one user only`() throws {
        try fixture.register()
        let before = try fixture.texts()
        let id = try Recorded("01-register-forceactivate").mpinID
        #expect(try client.users().count == 1)
        try fixture.answerRegistration { $0 }
        // Another backend, the same answer.
        let twin = try Fixture("01-register-forceactivate")
        try client.setBackend(twin.server.backend)
        let user = try client.makeUser("alice@example.org")
        #expect(try status { _ = try client.startRegistration(user) } == .responseParseError)
        #expect(try fixture.texts() == before && before.joined().contains(id))
    }
}

/// How many writes are left before the storages fail.
final class Writes {
    var left: Int
    init(left: Int) { self.left = left }
}

/// A storage that fails from some write on.
struct Failing: Storage {
    let storage: FileStorage
    let writes: Writes

    func read() throws(StorageFailure) -> [UInt8] { try storage.read() }
    func write(_ text: [UInt8]) throws(StorageFailure) {
        writes.left -= 1
        guard writes.left >= 0 else { throw StorageFailure("no space is left") }
        try storage.write(text)
    }
}

extension Fixture {
    func answerRegistration(_ change: (String) throws -> String) throws {
        let exchange = try #require(
            try Transcript.clientView("01-register-forceactivate").first { $0.route == "/rps/user" })
        instead.answer("/rps/user", 200, try change(exchange.response.body))
    }
}
