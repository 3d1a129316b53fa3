// SPDX-License-Identifier: Apache-2.0
// The flow of MIRACL's sample app: an access code of its own, an authorization code for its server.
import ArgumentParser
import MPinClient
import MPinCurl
import MPinWire

struct Authorization: Flow {
    static let configuration = CommandConfiguration(abstract: "Log in for an authorization code.")
    @OptionGroup var place: Place

    private struct Added: Decodable { let clientId: String }
    private struct Nothing: Encodable {}
    private struct Token: Encodable { let code, userID: String }

    func play(_ stage: Stage) throws {
        let app = try stage.mpind(
            ["app", "add", stage.user, "--redirect", "https://app.example.org/login"], as: Added.self)
        let line = try Line(place)
        let named = [HeaderName.clientID: app.clientId]
        let client = try stage.client(withBackend: false)
        try client.setClientID(app.clientId)
        try client.addTrustedDomain(place.backend)
        try client.setBackend(place.backend)
        func accessCode() throws -> String {
            let asked = try line.read(
                AuthorizeURLResponse.self, line.post(Route.authorizeURL, Nothing(), headers: named))
            return try client.accessCode(authorizeURL: asked.authorizeURL)
        }
        func verified(_ code: String) throws -> Int {
            try line.post(
                Route.authorizationCode, Token(code: code, userID: stage.user), headers: named
            ).status
        }
        let session = try accessCode()
        stage.equal("the app has an access code", session.utf8.count, 32)

        // "Resend Email": the sample deletes the user and makes another of the same identity.
        let first = try client.startRegistration(client.makeUser(stage.user, deviceName: "SampleDevName"))
        try client.deleteUser(first)
        let begun = try client.startRegistration(client.makeUser(stage.user, deviceName: "SampleDevName"))
        stage.equal("the list has one user", try client.users().map(\.state), [.startedRegistration])
        let id = try stage.mpind(["user", "show", stage.user], as: UserDetails.self).waiting.last?.id.text
        _ = try stage.mpind(["user", "confirm", stage.user, "--id", id ?? ""], as: UserResponse.self)
        try client.confirmRegistration(begun)
        let user = try client.finishRegistration(begun, pin: PIN(Stage.pin))

        try client.startAuthentication(user, accessCode: session)
        stage.equal(
            "a wrong PIN brings no code",
            status { _ = try client.finishAuthenticationCode(user, pin: PIN("4321"), accessCode: session) },
            .incorrectPIN)
        let code = try client.finishAuthenticationCode(user, pin: PIN(Stage.pin), accessCode: session)
        stage.equal("the app's server learns who that is", try verified(code), 200)
        stage.holds("once", try verified(code) != 200)
        let next = try accessCode()
        let details = try client.sessionDetails(accessCode: next)
        stage.equal("a session is told by the app's name", details.appName, stage.user)
        try client.startAuthentication(user)
        let other = try client.finishAuthenticationCode(user, pin: PIN(Stage.pin))
        stage.equal("the client id alone says all", try verified(other), 200)
    }
}
