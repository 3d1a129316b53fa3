// SPDX-License-Identifier: Apache-2.0
// StartAuthentication and FinishAuthentication: right and wrong PINs, blocks, locks, revocation, passwords.
import ArgumentParser
import MPinClient
import MPinWire

struct Login: Flow {
    static let configuration = CommandConfiguration(abstract: "Log in, with right and wrong PINs.")
    @OptionGroup var place: FlowServer

    func play(_ stage: FlowFixture) throws {
        let client = try stage.client()
        let user = try stage.registered(client)
        stage.equal(
            "a login that was not begun is none where permits are needed, and one where they are not",
            status { _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin)) },
            place.compat ? .flowError : .ok)
        try client.startAuthentication(user)
        stage.equal(
            "an empty PIN is none",
            status { _ = try client.finishAuthentication(user, pin: PIN("")) }, .pinInputCancelled)
        stage.equal(
            "a wrong PIN is wrong, and two tries are left",
            outcome { _ = try client.finishAuthentication(user, pin: PIN("4321")) },
            Outcome(status: .incorrectPIN, left: 2))
        stage.holds(
            "the end may be repeated without the beginning, and brings data",
            try client.finishAuthentication(user, pin: PIN(FlowFixture.pin)).contains("message"))
        stage.equal("the owner hears of the wrong one", client.notice(of: user)?.wrongTries, 1)
        stage.equal("the user stays registered", try client.state(of: user), .registered)
        let slow = try stage.client { Twice(http: $0) }
        stage.equal(
            "a login that was redeemed already has expired", status { _ = try slow.logIn(user) },
            .requestExpired)
        stage.equal("which costs nothing", try slow.state(of: user), .registered)
    }
}

struct Block: Flow {
    static let configuration = CommandConfiguration(abstract: "Three wrong PINs block, by Milagro's rule.")
    @OptionGroup var place: FlowServer

    func play(_ stage: FlowFixture) throws {
        let client = try stage.client()
        let user = try stage.registered(client, nil, "--block-after", "3")
        try client.startAuthentication(user)
        for (nth, state) in [("first", UserState.registered), ("second", .registered), ("third", .blocked)] {
            stage.equal(
                "the \(nth) wrong PIN is wrong",
                status { _ = try client.finishAuthentication(user, pin: PIN("4321")) }, .incorrectPIN)
            stage.equal("after the \(nth) the user is \(state)", try client.state(of: user), state)
        }
        stage.equal(
            "a blocked user begins no login", status { try client.startAuthentication(user) }, .flowError)
        let shown = try stage.mpind(["user", "show", stage.user], as: UserDetails.self)
        stage.holds("the administrator sees the block", shown.user?.identities.last?.blocked != nil)
        try client.deleteUser(user)
        stage.holds("registered anew the user logs in", try !client.logIn(stage.registered(client)).isEmpty)
    }
}

struct Lock: Flow {
    static let configuration = CommandConfiguration(abstract: "Three wrong PINs lock for a while.")
    @OptionGroup var place: FlowServer

    func play(_ stage: FlowFixture) throws {
        let client = try stage.client()
        let user = try stage.registered(client)
        try client.startAuthentication(user)
        for left in [2, 1] {
            stage.equal(
                "a wrong PIN leaves \(left)",
                outcome { _ = try client.finishAuthentication(user, pin: PIN("4321")) },
                Outcome(status: .incorrectPIN, left: left))
        }
        for pin in ["4321", FlowFixture.pin] {
            let came = outcome { _ = try client.finishAuthentication(user, pin: PIN(pin)) }
            stage.equal("then \(pin) is not looked at", came.status, .identityNotAuthorized)
            stage.holds("for a minute at most", (1...60).contains(came.retryAfter ?? 0))
        }
        stage.equal("and nobody is blocked", try client.state(of: user), .registered)
        _ = try stage.mpind(["user", "unlock", stage.user], as: UserResponse.self)
        stage.holds("unlocked the user logs in", try !client.logIn(user).isEmpty)
    }
}

struct Revoke: Flow {
    static let configuration = CommandConfiguration(abstract: "A user who is revoked.")
    @OptionGroup var place: FlowServer

    func play(_ stage: FlowFixture) throws {
        let client = try stage.client()
        let user = try stage.registered(client)
        _ = try client.logIn(user)
        _ = try stage.mpind(["user", "revoke", stage.user], as: UserResponse.self)
        stage.equal(
            "a login that begins says so where permits are used, and nothing where they are not",
            status { try client.startAuthentication(user) }, place.compat ? .revoked : .ok)
        stage.equal(
            "its end says so in either case",
            status { _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin)) }, .revoked)
        stage.equal(
            "to a wrong PIN, too",
            status { _ = try client.finishAuthentication(user, pin: PIN("4321")) }, .revoked)
        stage.equal("and the user keeps the state", try client.state(of: user), .registered)
        let next = try client.startRegistration(client.makeUser("new-" + stage.user))
        stage.equal("another is not concerned", next.state, .startedRegistration)
    }
}

struct Password: Flow {
    static let configuration = CommandConfiguration(abstract: "Log in for a one-time password.")
    @OptionGroup var place: FlowServer

    func play(_ stage: FlowFixture) throws {
        let client = try stage.client()
        let user = try stage.registered(client)
        try client.startAuthentication(user)
        stage.equal(
            "a wrong PIN gets none",
            status { _ = try client.finishAuthenticationOTP(user, pin: PIN("4321")) }, .incorrectPIN)
        let password = try client.finishAuthenticationOTP(user, pin: PIN(FlowFixture.pin))
        stage.equal("the right one gets one", password.status, .ok)
        stage.equal("of six digits", password.otp.utf8.count, 6)
        stage.equal("for two minutes", password.ttlSeconds, 120)
        stage.equal("by the server's clock", password.expireTime - password.nowTime, 120)
    }
}

struct Damage: Flow {
    static let configuration = CommandConfiguration(abstract: "Storages that are damaged.")
    @OptionGroup var place: FlowServer

    func play(_ stage: FlowFixture) throws {
        let client = try stage.client()
        let user = try stage.registered(client)
        let secure = FileStorage(path: stage.secure)
        let kept = try secure.read()
        let text = String(decoding: kept, as: UTF8.self)
        let token = text.firstRange(of: "\"token\":\"04").map { text[$0.upperBound...].prefix(8) } ?? ""
        try secure.write([UInt8](text.replacing(token, with: "ffffffff").utf8))
        stage.equal(
            "a token that is no point is a crypto error", status { _ = try client.logIn(user) }, .cryptoError)
        try secure.write([UInt8]("no JSON".utf8))
        stage.equal(
            "a storage that is none is a storage error", status { _ = try stage.client() }, .storageError)
        try secure.write(kept)
        stage.holds("put back, the user logs in", try !stage.client().logIn(user).isEmpty)
    }
}
