// SPDX-License-Identifier: Apache-2.0
// BLOCKED, by each call that takes a PIN, and calls that do not fit a user's state.
import ArgumentParser
import MPin
import MPinClient
import MPinWire

extension FlowFixture {
    /// Enters three wrong PINs, the third of which blocks; then no login by this call begins.
    fileprivate func blocks(
        _ way: String, _ client: Client, _ user: User, _ finish: (User, _ pin: String) throws -> Void
    ) throws {
        for state in [UserState.registered, .registered, .blocked] {
            equal("\(way): a wrong PIN is reported", status { try finish(user, "4321") }, .incorrectPIN)
            equal("\(way): afterwards the user is \(state)", try client.state(of: user), state)
        }
        equal(
            "\(way): the right PIN is refused", status { try finish(user, FlowFixture.pin) }, .flowError
        )
        equal("\(way): no login begins", status { try client.startAuthentication(user) }, .flowError)
        try client.deleteUser(user)
        equal("\(way): the user can be deleted", try client.users(), [])
    }

    fileprivate func blockable(_ client: Client) throws -> User {
        let user = try registered(client, nil, "--block-after", "3")
        try client.startAuthentication(user)
        return user
    }
}

struct BlockPassword: Flow {
    static let configuration = CommandConfiguration(abstract: "Wrong PINs for a one-time password block.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        try fixture.blocks("FinishAuthenticationOTP", client, fixture.blockable(client)) { user, pin in
            _ = try client.finishAuthenticationOTP(user, pin: PIN(pin))
        }
    }
}

struct BlockAuthorization: Flow {
    static let configuration = CommandConfiguration(abstract: "Wrong PINs for an authorization code block.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let app = try Application(fixture)
        let client = try fixture.client()
        try client.setClientID(app.id)
        try fixture.blocks("the client id alone", client, fixture.blockable(client)) { user, pin in
            _ = try client.finishAuthenticationCode(user, pin: PIN(pin))
        }
        let session = try app.accessCode(client)
        try fixture.blocks("an access code", client, fixture.blockable(client)) { user, pin in
            _ = try client.finishAuthenticationCode(user, pin: PIN(pin), accessCode: session)
        }
    }
}

struct BlockSession: Flow {
    static let configuration = CommandConfiguration(abstract: "Wrong PINs for a console or browser block.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.blockable(client)
        let console = try LoginHost(fixture).console(for: [user.mpinID])
        try fixture.blocks("a console's number", client, user) { user, pin in
            _ = try client.finishAuthentication(user, pin: PIN(pin), accessNumber: console.number)
        }
        fixture.equal("the console lets no user in", try console.verdict(), .notApproved)
        guard place.compat else { return }
        let browser = try Browser(place, by: Route.getAccessNumber)
        try fixture.blocks("a browser's number", client, fixture.blockable(client)) { user, pin in
            _ = try client.finishAuthentication(
                user, pin: PIN(pin), accessNumber: browser.opened.accessNumber ?? "")
        }
        fixture.equal("the browser still waits", try browser.poll().status, "wid")
        let qrCode = try Browser(place, by: Route.getQrUrl)
        try fixture.blocks("a browser's QR code", client, fixture.blockable(client)) { user, pin in
            _ = try client.finishAuthentication(user, pin: PIN(pin), accessNumber: qrCode.wid)
        }
    }
}

struct Order: Flow {
    static let configuration = CommandConfiguration(abstract: "Calls that do not fit a user's state.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        func refuses(_ calls: [(String, (User) throws -> Void)], _ user: User, _ state: UserState) throws {
            fixture.equal("the user is \(state)", try client.state(of: user), state)
            for (name, call) in calls {
                fixture.equal(
                    "\(name) with a user who is \(state) is refused", status { try call(user) }, .flowError)
            }
            fixture.equal("the user is still \(state)", try client.state(of: user), state)
        }
        let logins: [(String, (User) throws -> Void)] = [
            ("StartAuthentication", { try client.startAuthentication($0) }),
            ("FinishAuthentication", { _ = try client.finishAuthentication($0, pin: PIN(FlowFixture.pin)) }),
            (
                "FinishAuthenticationOTP",
                { _ = try client.finishAuthenticationOTP($0, pin: PIN(FlowFixture.pin)) }
            ),
            (
                "FinishAuthenticationMFA",
                { _ = try client.finishAuthenticationCode($0, pin: PIN(FlowFixture.pin)) }
            ),
            (
                "FinishAuthenticationAN",
                {
                    _ = try client.finishAuthentication(
                        $0, pin: PIN(FlowFixture.pin), accessNumber: "1111116")
                }
            ),
        ]
        let start: (String, (User) throws -> Void) = (
            "StartRegistration", { _ = try client.startRegistration($0) }
        )
        let restart: (String, (User) throws -> Void) = (
            "RestartRegistration", { _ = try client.restartRegistration($0) }
        )
        let confirm: (String, (User) throws -> Void) = (
            "ConfirmRegistration", { try client.confirmRegistration($0) }
        )
        let finish: (String, (User) throws -> Void) = (
            "FinishRegistration", { _ = try client.finishRegistration($0, pin: PIN(FlowFixture.pin)) }
        )
        let made = try client.makeUser(fixture.user)
        try refuses(logins + [restart, confirm, finish], made, .invalid)
        let code = try fixture.code(fixture.user)
        let begun = try client.startRegistration(made)
        try refuses(logins + [start, finish], begun, .startedRegistration)
        try client.deleteUser(begun)
        let active = try client.startRegistration(client.makeUser(fixture.user), activateCode: code)
        try refuses(logins + [start, restart, finish], active, .activated)
        try client.confirmRegistration(active)
        let user = try client.finishRegistration(active, pin: PIN(FlowFixture.pin))
        // Without permits StartAuthentication is not needed before these calls.
        try refuses(
            [start, restart, confirm, finish] + (place.compat ? Array(logins.dropFirst()) : []), user,
            .registered)
        fixture.holds("after the right order of calls the user logs in", try !client.logIn(user).isEmpty)
        try client.deleteUser(user)
        try refuses(logins + [start, restart, confirm, finish], user, .invalid)
    }
}
