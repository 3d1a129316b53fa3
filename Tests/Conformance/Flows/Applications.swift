// SPDX-License-Identifier: Apache-2.0
// The flow of MIRACL's sample app: an access code for its own session, an authorization code for its server.
import ArgumentParser
import MPinClient
import MPinCurl
import MPinWire

/// The server of an app that is registered with mpind.
struct Application {
    let id: String
    private let line: Line
    private let user: String

    private struct Added: Decodable { let clientId: String }
    private struct Nothing: Encodable {}
    private struct Token: Encodable { let code, userID: String }

    init(_ fixture: FlowFixture) throws {
        user = fixture.user
        id = try fixture.mpind(
            ["app", "add", user, "--redirect", "https://app.example.org/login"], as: Added.self
        ).clientId
        line = try Line(fixture.place)
    }

    private var named: [String: String] { [HeaderName.clientID: id] }

    /// Opens a session, and returns the access code that a client gets for it.
    func accessCode(_ client: Client) throws -> String {
        let asked = try line.read(
            AuthorizeURLResponse.self, line.post(Route.authorizeURL, Nothing(), headers: named))
        return try client.accessCode(authorizeURL: asked.authorizeURL)
    }

    /// The status of mpind's answer whether a code belongs to the user.
    func verified(_ code: String) throws -> Int {
        try line.post(Route.authorizationCode, Token(code: code, userID: user), headers: named).status
    }
}

struct Authorization: Flow {
    static let configuration = CommandConfiguration(abstract: "Log in for an authorization code.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let app = try Application(fixture)
        let client = try fixture.client(withBackend: false)
        try client.setClientID(app.id)
        try client.addTrustedDomain(place.backend)
        try client.setBackend(place.backend)
        let session = try app.accessCode(client)
        fixture.equal("the app has an access code", session.utf8.count, 32)
        fixture.equal(
            "an address that opens no session gives a parse error",
            status { _ = try client.accessCode(authorizeURL: place.backend + Route.setupDone + "/7b7d") },
            .responseParseError)

        // The sample continues with only one user: it deletes the others.
        for name in ["first-", "second-"] {
            _ = try client.startRegistration(client.makeUser(name + fixture.user))
        }
        let known = try client.users()
        fixture.equal("there is more than one user", known.count, 2)
        for user in known { try client.deleteUser(user) }
        fixture.equal("all users are deleted", try client.users(), [])
        fixture.equal("no backend has a user", try client.allUsers(), [])
        fixture.equal("no backend is left", try client.backends(), [])

        // "Resend Email": the sample deletes the user and makes another one with the same identity.
        let first = try client.startRegistration(client.makeUser(fixture.user, deviceName: "SampleDevName"))
        try client.deleteUser(first)
        let begun = try client.startRegistration(client.makeUser(fixture.user, deviceName: "SampleDevName"))
        fixture.equal("the list has one user", try client.users().map(\.state), [.startedRegistration])
        let id = try fixture.mpind(["user", "show", fixture.user], as: UserDetails.self).waiting.last?.id.text
        _ = try fixture.mpind(["user", "confirm", fixture.user, "--id", id ?? ""], as: UserResponse.self)
        try client.confirmRegistration(begun)
        let user = try client.finishRegistration(begun, pin: PIN(FlowFixture.pin))

        try client.startAuthentication(user, accessCode: session)
        fixture.equal(
            "a wrong PIN gets no code",
            status { _ = try client.finishAuthenticationCode(user, pin: PIN("4321"), accessCode: session) },
            .incorrectPIN)
        let code = try client.finishAuthenticationCode(user, pin: PIN(FlowFixture.pin), accessCode: session)
        fixture.equal("the app's server can verify the code", try app.verified(code), 200)
        fixture.equal("the code is valid once", try app.verified(code), 401)
        let next = try app.accessCode(client)
        let details = try client.sessionDetails(accessCode: next)
        fixture.equal("the session's details have the app's name", details.appName, fixture.user)
        try client.startAuthentication(user)
        let other = try client.finishAuthenticationCode(user, pin: PIN(FlowFixture.pin))
        fixture.equal("a code without an access code can be verified too", try app.verified(other), 200)
    }
}
