// SPDX-License-Identifier: Apache-2.0
// Init, TestBackend, SetBackend, GetClientParam, and the registration of a user.
import ArgumentParser
import MPinClient
import MPinWire

struct Setup: Flow {
    static let configuration = CommandConfiguration(abstract: "Begin: backends, settings, the list of users.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client(withBackend: false, headers: ["X-App": "flows"])
        fixture.equal("without a backend there is no list", status { _ = try client.users() }, .flowError)
        fixture.equal("the list of all backends' users is empty", try client.allUsers(), [])
        fixture.equal(
            "a running server passes the test", status { try client.testBackend(place.backend) }, .ok)
        fixture.equal(
            "a server that does not run is a network error",
            status { try client.testBackend("http://127.0.0.1:1") }, .networkError)
        fixture.equal(
            "a wrong prefix is a request error",
            status { try client.testBackend(place.backend, rpsPrefix: "other") }, .httpRequestError)
        // The address of a Unix socket ends with its path.
        let isSocket = place.backend.hasPrefix("unix:")
        let service = try client.serviceDetails(place.backend + (isSocket ? "#0123" : "/#0123"))
        fixture.equal("the server has a name", service.name, "M-Pin")
        fixture.equal(
            "the address from its details can be set as backend",
            status { try client.setBackend(service.backend, rpsPrefix: service.rpsPrefix) }, .ok)
        fixture.equal("an access number has seven digits", client.clientParameter("accessNumberDigits"), "7")
        fixture.equal("no device name is asked for", client.clientParameter("setDeviceName"), "false")
        fixture.holds("there is an app id", (client.clientParameter("appID") ?? "").count > 8)
        fixture.equal("an unknown setting has no value", client.clientParameter("other"), nil)
        fixture.holds("the library has a version", !Client.version.isEmpty)
        fixture.equal("no user is registered yet", try client.users(), [])
        let strict = try fixture.client(withBackend: false, trusting: ["example.org"])
        fixture.equal(
            "a backend outside the trusted domains is refused",
            status { try strict.setBackend(place.backend) }, .networkError)
    }
}

struct Confirmation: Flow {
    static let configuration = CommandConfiguration(abstract: "Register, and wait for confirmation.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let made = try client.makeUser(fixture.user, deviceName: "SampleDevName")
        fixture.equal("a new user is not registered", made.state, .invalid)
        fixture.equal(
            "a new user cannot be confirmed", status { try client.confirmRegistration(made) }, .flowError)
        let begun = try client.startRegistration(made, userData: "employee 7")
        fixture.equal("the registration waits", begun.state, .startedRegistration)
        fixture.equal(
            "the registration is not confirmed yet", status { try client.confirmRegistration(begun) },
            .identityNotVerified)
        let again = try client.restartRegistration(begun, userData: "employee 7")
        fixture.equal("the repeated registration is the same one", again.mpinID, begun.mpinID)
        let waiting = try fixture.mpind(["user", "show", fixture.user], as: UserDetails.self).waiting
        fixture.equal("the administrator sees the device", waiting.map(\.deviceName), ["SampleDevName"])
        fixture.equal("the administrator sees the user's data", waiting.map(\.userData), ["employee 7"])
        _ = try fixture.mpind(
            ["user", "confirm", fixture.user, "--id", waiting[0].id.text], as: UserResponse.self)
        let active = try client.restartRegistration(again)
        fixture.equal("the registration repeated after confirmation is activated", active.state, .activated)
        fixture.equal("the activated registration is the same one", active.mpinID, begun.mpinID)
        fixture.equal("now there is a secret", status { try client.confirmRegistration(active) }, .ok)
        fixture.equal(
            "an empty PIN cancels",
            status { _ = try client.finishRegistration(active, pin: PIN("")) }, .pinInputCancelled)
        let user = try client.finishRegistration(active, pin: PIN(FlowFixture.pin))
        fixture.equal("the user is registered", user.state, .registered)
        fixture.equal("the app knows the user after a restart", try fixture.client().users(), [user])
        fixture.equal("the list of backends has this one", try client.backends(), [user.backend])
        let roaming = try fixture.client(withBackend: false)
        fixture.equal(
            "the user is listed by the backend's address", try roaming.users(of: place.backend), [user])
        fixture.equal(
            "the user is listed by the address without scheme", try roaming.users(of: user.backend), [user])
        fixture.equal("another backend has no users", try roaming.users(of: "login.example.org"), [])
        fixture.holds("the user can log in", try fixture.client().logIn(user).isEmpty == false)
        try client.deleteUser(user)
        fixture.equal("a deleted user is in no list", try client.allUsers(), [])
        fixture.equal("a deleted user has no state", try client.state(of: user), .invalid)
    }
}

struct Code: Flow {
    static let configuration = CommandConfiguration(abstract: "Register with a code.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let code = try fixture.code(fixture.user)
        let wrong = try client.startRegistration(
            client.makeUser(fixture.user), activateCode: "BCDF-GHJK-LMNP-QRST")
        fixture.equal("a wrong code activates no user", wrong.state, .startedRegistration)
        fixture.equal(
            "a wrong code gets no secret", status { try client.confirmRegistration(wrong) },
            .identityNotVerified)
        try client.deleteUser(wrong)
        let begun = try client.startRegistration(
            client.makeUser(fixture.user, deviceName: "phone"), activateCode: code, userData: "a card")
        fixture.equal("the right code activates at once", begun.state, .activated)
        try client.confirmRegistration(begun, pushMessageIdentifier: "fcm:0123")
        let user = try client.finishRegistration(begun, pin: PIN(FlowFixture.pin))
        fixture.holds("the user logs in", try !client.logIn(user).isEmpty)
        let shown = try fixture.mpind(["user", "show", fixture.user], as: UserDetails.self)
        let identity = shown.user?.identities.last
        fixture.equal("the administrator sees the device", identity?.deviceName, "phone")
        fixture.equal("the administrator sees the user's data", identity?.userData, "a card")
        fixture.equal("the administrator sees the push token", identity?.pushToken, "fcm:0123")
        let next = try client.startRegistration(
            client.makeUser("other-" + fixture.user), activateCode: code)
        fixture.equal("another user's used code activates no user", next.state, .startedRegistration)
    }
}
