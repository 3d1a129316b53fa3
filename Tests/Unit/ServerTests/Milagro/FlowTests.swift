// SPDX-License-Identifier: Apache-2.0
// The flows of protocol 0.3 (milagro-0.3.md) between the public library and mpind, with either end restarted
// between any two steps or requests.
import MPin
import MPinClient
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

/// A flow: it throws, or an expectation fails, if it does not complete.
struct Flow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var server: @Sendable () throws -> Server = { try Server() }
    let run: @Sendable (World) throws -> Void

    /// Runs the flow in a new world, and returns that world.
    @discardableResult func runs(_ restart: Restart = .never) throws -> World {
        let world = try World(server(), restart)
        try run(world)
        return world
    }

    static let all =
        [
            Flow(testDescription: "registration with a code, and a login") { world in
                let user = try register(world)
                #expect(try login(world, user) == .ok)
                #expect(try login(world, user, pin: "4321") == .incorrectPIN)
                #expect(try login(world, user) == .ok)
            },
            Flow(testDescription: "two users on one device, one of whom is deleted") { world in
                let users = [try register(world), try register(world, "bob@example.org")]
                try world.step { try $0.deleteUser(users[0]) }
                #expect(try world.step { try $0.users() }.map(\.identity) == ["bob@example.org"])
                #expect(try login(world, users[1]) == .ok)
            },
            Flow(testDescription: "a revoked user") { world in
                let user = try register(world)
                let server = world.server
                _ = try waiting {
                    try await server.administer(
                        "POST", AdminRoute.revokeUser, UserRequest(userId: "alice@example.org"))
                }
                #expect(try login(world, user) == .revoked)
            },
            Flow(testDescription: "a one-time password") { world in
                let user = try register(world)
                let otp = try finished(world, user) { try $0.finishAuthenticationOTP(user, pin: PIN("1234")) }
                #expect(otp.status == .ok)
                #expect(otp.otp.utf8.count == 6)
                #expect(otp.ttlSeconds == 120)
            },
            Flow(testDescription: "an authorization code by the client id") { world in
                let user = try register(world)
                let client = try application(world)
                let code = try finished(world, user) {
                    try $0.setClientID(client)
                    return try $0.finishAuthenticationCode(user, pin: PIN("1234"))
                }
                #expect(try isGood(world, code))
                #expect(try !isGood(world, code))
            },
            Flow(testDescription: "an authorization code by a session") { world in
                let user = try register(world)
                _ = try application(world)
                for isShown in [true, false] {
                    let server = world.server
                    let asked = try waiting { await server.send("POST", Route.authorizeURL) }
                    let url = try read(AuthorizeURLResponse.self, asked).authorizeURL
                    let session = try world.step { try $0.accessCode(authorizeURL: url) }
                    let code = try finished(world, user, session) {
                        if isShown {
                            #expect(try $0.sessionDetails(accessCode: session).appName == "Payroll")
                        }
                        return try $0.finishAuthenticationCode(user, pin: PIN("1234"), accessCode: session)
                    }
                    #expect(try isGood(world, code))
                }
            },
            Flow(
                testDescription: "a registration that is started twice and confirmed by the administrator",
                server: { try Server(registration: .confirm) }
            ) { world in
                let begun = try world.step { try $0.startRegistration($0.makeUser("alice@example.org")) }
                #expect(begun.state == .startedRegistration)
                let again = try world.step { try $0.restartRegistration(begun) }
                #expect(again.mpinID == begun.mpinID)
                #expect(
                    try outcome { try world.step { try $0.confirmRegistration(again) } }
                        == .identityNotVerified)
                try confirm(world, again)
                try world.step { try $0.confirmRegistration(again) }
                var user: User?
                let status = try outcome {
                    user = try world.step { try $0.finishRegistration(again, pin: PIN("1234")) }
                }
                guard let user else {
                    // The client secret was lost with the memory of the device, and it is issued only once.
                    #expect(status == .flowError)
                    try world.step { try $0.deleteUser(again) }
                    return #expect(try login(world, register(world)) == .ok)
                }
                #expect(try login(world, user) == .ok)
            },
        ] + browsers
}

private func confirm(_ world: World, _ user: User) throws {
    let server = world.server
    let request = UserRequest(userId: user.identity, idPrefix: identityHash(user.mpinID).octets)
    let answer = try waiting { try await server.administer("POST", AdminRoute.confirmUser, request) }
    #expect(answer.status == 200)
}

/// Registers as an app does; a device that was restarted after it got the client secret begins again.
func register(_ world: World, _ identity: String = "alice@example.org", pin: String = "1234") throws -> User {
    var user: User?
    for _ in 0..<2 {
        if let user { try world.step { try $0.deleteUser(user) } }
        let server = world.server
        let code = try waiting { try await server.add(identity) }
        let begun = try world.step {
            try $0.startRegistration($0.makeUser(identity, deviceName: "phone"), activateCode: code)
        }
        #expect(begun.state == .activated)
        user = begun
        try world.step { try $0.confirmRegistration(begun) }
        var done: User?
        let status = try outcome {
            done = try world.step { try $0.finishRegistration(begun, pin: PIN(pin)) }
        }
        if let done {
            #expect(done.state == .registered)
            return done
        }
        #expect(status == .flowError)
    }
    throw FlowEnded()
}

struct FlowEnded: Error {}

/// Logs in as an app does, and returns the status; a device that was restarted fetches its permit again.
func login(_ world: World, _ user: User, pin: String = "1234") throws -> Status {
    var came = Status.flowError
    for _ in 0..<2 where came == .flowError {
        came = try outcome {
            try world.step { try $0.startAuthentication(user) }
            _ = try world.step { try $0.finishAuthentication(user, pin: PIN(pin)) }
        }
    }
    return came
}

/// Completes a login with `end`; a device that was restarted starts the login again.
func finished<R>(
    _ world: World, _ user: User, _ accessCode: String = "", _ end: (Client) throws -> R
) throws -> R {
    for _ in 0..<2 {
        do {
            try world.step { try $0.startAuthentication(user, accessCode: accessCode) }
            return try world.step(end)
        } catch let failure as ClientFailure where failure.status == .flowError {}
    }
    throw FlowEnded()
}

/// The client id of a new application.
private func application(_ world: World) throws -> String {
    let server = world.server
    let added = try waiting {
        try await server.administer(
            "POST", AdminRoute.applications,
            AddApplicationRequest(app: "Payroll", redirectUris: ["payroll:/done"]))
    }
    return try read(ApplicationResponse.self, added).clientId
}

/// Whether mpind accepts a code from the application's own server.
private func isGood(_ world: World, _ code: String) throws -> Bool {
    let server = world.server
    return try waiting {
        try await server.send(
            "POST", Route.authorizationCode,
            AuthorizationCodeRequest(code: code, userID: "alice@example.org"))
    }.status == 200
}

/// The status with which a call of the library ends.
func outcome(_ body: () throws -> Void) throws -> Status {
    do { try body() } catch let failure as ClientFailure { return failure.status }
    return .ok
}

@Suite(.slow) struct FlowTests {
    @Test(arguments: Flow.all)
    func `a flow completes`(flow: Flow) async throws {
        try await onThread { _ = try flow.runs() }
    }

    @Test(arguments: Flow.all)
    func `a flow completes when the device is restarted before any step`(flow: Flow) async throws {
        try await onThread {
            for step in 1...(try flow.runs().steps) { try flow.runs(.device(step: step)) }
        }
    }

    @Test(arguments: Flow.all)
    func `a flow completes when the server is restarted before any request`(flow: Flow)
        async throws
    {
        try await onThread {
            for request in 1...(try flow.runs().path.requests) { try flow.runs(.server(request: request)) }
        }
    }

    /// A permit of 23:58 is good until 01:00.
    @Test(arguments: zip([600, 3_590, 3_610], [Status.ok, .ok, .incorrectPIN]))
    func `a login that started before midnight completes until one o'clock`(second: Int64, status: Status)
        async throws
    {
        try await onThread {
            let server = try Server.compatible()
            let world = try World(server)
            let user = try register(world)
            server.clock.toTomorrow(second: 86_400 - 120)
            try world.step { try $0.startAuthentication(user) }
            server.clock.toTomorrow(second: second)
            let came = try outcome {
                _ = try world.client.finishAuthentication(user, pin: PIN("1234"))
            }
            #expect(came == status)
        }
    }
}
