// SPDX-License-Identifier: Apache-2.0
// Init, TestBackend, SetBackend, GetClientParam, and the registration of a user.
import ArgumentParser
import MPinClient
import MPinWire

struct Setup: Flow {
    static let configuration = CommandConfiguration(abstract: "Begin: backends, settings, the list of users.")
    @OptionGroup var place: FlowServer

    func play(_ stage: FlowFixture) throws {
        let client = try stage.client(withBackend: false, headers: ["X-App": "flows"])
        stage.equal("without a backend there is no list", status { _ = try client.users() }, .flowError)
        stage.equal("of all backends there is an empty one", try client.allUsers(), [])
        stage.equal("a server that is there is good", status { try client.testBackend(place.backend) }, .ok)
        stage.equal(
            "one that is not is a network error", status { try client.testBackend("http://127.0.0.1:1") },
            .networkError)
        stage.equal(
            "a prefix that it does not have is a request error",
            status { try client.testBackend(place.backend, rpsPrefix: "other") }, .httpRequestError)
        // The address of a Unix socket ends with its path.
        let isSocket = place.backend.hasPrefix("unix:")
        let service = try client.serviceDetails(place.backend + (isSocket ? "#0123" : "/#0123"))
        stage.equal("the server has a name", service.name, "M-Pin")
        stage.equal(
            "what it says of itself is a backend to set",
            status { try client.setBackend(service.backend, rpsPrefix: service.rpsPrefix) }, .ok)
        stage.equal("digits of a number", client.clientParameter("accessNumberDigits"), "7")
        stage.equal("no device name is asked for", client.clientParameter("setDeviceName"), "false")
        stage.holds("there is an app id", (client.clientParameter("appID") ?? "").count > 8)
        stage.equal("an unknown setting is none", client.clientParameter("other"), nil)
        stage.holds("the library has a version", !Client.version.isEmpty)
        stage.equal("nobody is registered yet", try client.users(), [])
        let strict = try stage.client(withBackend: false, trusting: ["example.org"])
        stage.equal(
            "a backend outside the trusted domains is refused",
            status { try strict.setBackend(place.backend) }, .networkError)
    }
}

struct Confirmation: Flow {
    static let configuration = CommandConfiguration(abstract: "Register, and wait to be confirmed.")
    @OptionGroup var place: FlowServer

    func play(_ stage: FlowFixture) throws {
        let client = try stage.client()
        let made = try client.makeUser(stage.user, deviceName: "SampleDevName")
        stage.equal("a new user is known to nobody", made.state, .invalid)
        stage.equal(
            "and cannot be confirmed", status { try client.confirmRegistration(made) }, .flowError)
        let begun = try client.startRegistration(made, userData: "employee 7")
        stage.equal("the registration waits", begun.state, .startedRegistration)
        stage.equal(
            "nobody has confirmed it", status { try client.confirmRegistration(begun) },
            .identityNotVerified)
        let again = try client.restartRegistration(begun, userData: "employee 7")
        stage.equal("asked for again it is the same one", again.mpinID, begun.mpinID)
        let waiting = try stage.mpind(["user", "show", stage.user], as: UserDetails.self).waiting
        stage.equal("the administrator sees the device", waiting.map(\.deviceName), ["SampleDevName"])
        stage.equal("and what was said of the user", waiting.map(\.userData), ["employee 7"])
        _ = try stage.mpind(
            ["user", "confirm", stage.user, "--id", waiting[0].id.text], as: UserResponse.self)
        let active = try client.restartRegistration(again)
        stage.equal("asked for once more it is activated", active.state, .activated)
        stage.equal("and still the same one", active.mpinID, begun.mpinID)
        stage.equal("now there is a secret", status { try client.confirmRegistration(active) }, .ok)
        stage.equal(
            "an empty PIN is none",
            status { _ = try client.finishRegistration(active, pin: PIN("")) }, .pinInputCancelled)
        let user = try client.finishRegistration(active, pin: PIN(FlowFixture.pin))
        stage.equal("the user is registered", user.state, .registered)
        stage.equal("the next program knows the user", try stage.client().users(), [user])
        stage.equal("under this backend", try client.backends(), [user.backend])
        let roaming = try stage.client(withBackend: false)
        stage.equal("by whose address it is listed", try roaming.users(of: place.backend), [user])
        stage.equal("with scheme or without", try roaming.users(of: user.backend), [user])
        stage.equal("and no other", try roaming.users(of: "login.example.org"), [])
        stage.holds("and can log in", try stage.client().logIn(user).isEmpty == false)
        try client.deleteUser(user)
        stage.equal("a deleted user is in no list", try client.allUsers(), [])
        stage.equal("and has no state", try client.state(of: user), .invalid)
    }
}

struct Code: Flow {
    static let configuration = CommandConfiguration(abstract: "Register with a code.")
    @OptionGroup var place: FlowServer

    func play(_ stage: FlowFixture) throws {
        let client = try stage.client()
        let code = try stage.code(stage.user)
        let wrong = try client.startRegistration(
            client.makeUser(stage.user), activateCode: "BCDF-GHJK-LMNP-QRST")
        stage.equal("a wrong code activates nobody", wrong.state, .startedRegistration)
        stage.equal(
            "and brings no secret", status { try client.confirmRegistration(wrong) }, .identityNotVerified)
        try client.deleteUser(wrong)
        let begun = try client.startRegistration(
            client.makeUser(stage.user, deviceName: "phone"), activateCode: code, userData: "a card")
        stage.equal("the right one activates at once", begun.state, .activated)
        try client.confirmRegistration(begun, pushMessageIdentifier: "fcm:0123")
        let user = try client.finishRegistration(begun, pin: PIN(FlowFixture.pin))
        stage.holds("the user logs in", try !client.logIn(user).isEmpty)
        let shown = try stage.mpind(["user", "show", stage.user], as: UserDetails.self)
        let identity = shown.user?.identities.last
        stage.equal("the administrator sees the device", identity?.deviceName, "phone")
        stage.equal("what was said of the user", identity?.userData, "a card")
        stage.equal("and where messages reach it", identity?.pushToken, "fcm:0123")
        let next = try client.startRegistration(
            client.makeUser("other-" + stage.user), activateCode: code)
        stage.equal("the code is another's and spent", next.state, .startedRegistration)
    }
}
