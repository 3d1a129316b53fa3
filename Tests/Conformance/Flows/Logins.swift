// SPDX-License-Identifier: Apache-2.0
// StartAuthentication and FinishAuthentication: right and wrong PINs, blocks, locks, revocation, passwords.
import ArgumentParser
import MPinClient
import MPinWire

struct Login: Flow {
    static let configuration = CommandConfiguration(abstract: "Log in, with right and wrong PINs.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client)
        fixture.equal(
            "without StartAuthentication a login fails if permits are needed, and succeeds if not",
            status { _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin)) },
            place.compat ? .flowError : .ok)
        try client.startAuthentication(user)
        fixture.equal(
            "an empty PIN cancels",
            status { _ = try client.finishAuthentication(user, pin: PIN("")) }, .pinInputCancelled)
        fixture.equal(
            "a wrong PIN is reported, with two tries left",
            outcome { _ = try client.finishAuthentication(user, pin: PIN("4321")) },
            Outcome(status: .incorrectPIN, left: 2))
        fixture.holds(
            "FinishAuthentication may be repeated alone, and returns data",
            try client.finishAuthentication(user, pin: PIN(FlowFixture.pin)).contains("message"))
        fixture.equal("the owner gets a notice of the wrong PIN", client.notice(of: user)?.wrongTries, 1)
        fixture.equal("the user is still registered", try client.state(of: user), .registered)
        let slow = try fixture.client { Twice(http: $0) }
        fixture.equal(
            "a login that has already been redeemed has expired", status { _ = try slow.logIn(user) },
            .requestExpired)
        fixture.equal(
            "an expired login does not change the user's state", try slow.state(of: user), .registered)
    }
}

struct Block: Flow {
    static let configuration = CommandConfiguration(abstract: "Three wrong PINs block, by Milagro's rule.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client, nil, "--block-after", "3")
        try client.startAuthentication(user)
        for (nth, state) in [("first", UserState.registered), ("second", .registered), ("third", .blocked)] {
            fixture.equal(
                "the \(nth) wrong PIN is reported",
                status { _ = try client.finishAuthentication(user, pin: PIN("4321")) }, .incorrectPIN)
            fixture.equal("after the \(nth) the user is \(state)", try client.state(of: user), state)
        }
        fixture.equal(
            "a blocked user cannot begin a login", status { try client.startAuthentication(user) }, .flowError
        )
        let shown = try fixture.mpind(["user", "show", fixture.user], as: UserDetails.self)
        fixture.holds("the administrator sees the block", shown.user?.identities.last?.blocked != nil)
        try client.deleteUser(user)
        fixture.holds(
            "after a new registration the user logs in", try !client.logIn(fixture.registered(client)).isEmpty
        )
    }
}

struct Lock: Flow {
    static let configuration = CommandConfiguration(abstract: "Three wrong PINs lock for a while.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client)
        try client.startAuthentication(user)
        for left in [2, 1] {
            fixture.equal(
                "a wrong PIN leaves \(left) tries",
                outcome { _ = try client.finishAuthentication(user, pin: PIN("4321")) },
                Outcome(status: .incorrectPIN, left: left))
        }
        for pin in ["4321", FlowFixture.pin] {
            let came = outcome { _ = try client.finishAuthentication(user, pin: PIN(pin)) }
            fixture.equal("then \(pin) is not verified", came.status, .identityNotAuthorized)
            fixture.holds("the lock lasts a minute at most", (1...60).contains(came.retryAfter ?? 0))
        }
        fixture.equal("the user is not blocked", try client.state(of: user), .registered)
        _ = try fixture.mpind(["user", "unlock", fixture.user], as: UserResponse.self)
        fixture.holds("after `unlock` the user logs in", try !client.logIn(user).isEmpty)
    }
}

struct Revoke: Flow {
    static let configuration = CommandConfiguration(abstract: "A user who is revoked.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client)
        _ = try client.logIn(user)
        _ = try fixture.mpind(["user", "revoke", fixture.user], as: UserResponse.self)
        fixture.equal(
            "StartAuthentication reports the revocation if permits are used, and succeeds if not",
            status { try client.startAuthentication(user) }, place.compat ? .revoked : .ok)
        fixture.equal(
            "FinishAuthentication reports the revocation in both cases",
            status { _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin)) }, .revoked)
        fixture.equal(
            "a wrong PIN gets the same answer",
            status { _ = try client.finishAuthentication(user, pin: PIN("4321")) }, .revoked)
        fixture.equal("the user's state is unchanged", try client.state(of: user), .registered)
        let next = try client.startRegistration(client.makeUser("new-" + fixture.user))
        fixture.equal("another user is not affected", next.state, .startedRegistration)
    }
}

struct Password: Flow {
    static let configuration = CommandConfiguration(abstract: "Log in for a one-time password.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client)
        try client.startAuthentication(user)
        fixture.equal(
            "a wrong PIN gets no one-time password",
            status { _ = try client.finishAuthenticationOTP(user, pin: PIN("4321")) }, .incorrectPIN)
        let password = try client.finishAuthenticationOTP(user, pin: PIN(FlowFixture.pin))
        fixture.equal("the right PIN gets a one-time password", password.status, .ok)
        fixture.equal("the one-time password has six digits", password.otp.utf8.count, 6)
        fixture.equal("it is valid for two minutes", password.ttlSeconds, 120)
        fixture.equal("its times are by the server's clock", password.expireTime - password.nowTime, 120)
    }
}

struct Damage: Flow {
    static let configuration = CommandConfiguration(abstract: "Damaged storages.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client)
        let secure = FileStorage(path: fixture.secure)
        let kept = try secure.read()
        let text = String(decoding: kept, as: UTF8.self)
        let token = text.firstRange(of: "\"token\":\"04").map { text[$0.upperBound...].prefix(8) } ?? ""
        try secure.write([UInt8](text.replacing(token, with: "ffffffff").utf8))
        fixture.equal(
            "a token that is not a point is a crypto error", status { _ = try client.logIn(user) },
            .cryptoError)
        try secure.write([UInt8]("no JSON".utf8))
        fixture.equal(
            "a malformed storage is a storage error", status { _ = try fixture.client() }, .storageError)
        try secure.write(kept)
        fixture.holds(
            "after the storage is restored the user logs in", try !fixture.client().logIn(user).isEmpty)
    }
}
