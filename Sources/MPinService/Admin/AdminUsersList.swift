// SPDX-License-Identifier: Apache-2.0
// The handlers behind `mpind user list` and `show`: users, their registrations and the state of each.
import MPin
import MPinStorage
import MPinWire

extension AdminUsers {
    /// Every user, read in pages so that no transaction is long.
    func list() async throws -> Response {
        var users: [UserList.User] = []
        var last: String?
        repeat {
            let page = try await context.storage.identities(after: last, limit: 500)
            users += page.map(listed)
            last = page.last?.userID
        } while last != nil
        let waiting = try await context.storage.waitingRegistrations().map(listed)
        return Response(200, json: json(UserList(users: users, waiting: waiting)))
    }

    func show(_ request: Request) async throws -> Response {
        guard let userID = (try? decoded(UserRequest.self, from: request.body))?.userId else {
            return Response(400, json: message("Give a name"))
        }
        let user = try await context.storage.identity(userID).map(listed)
        let waiting = try await context.storage.waitingRegistrations()
            .filter { areSame($0.description.userID, userID) }.map(listed)
        guard user != nil || !waiting.isEmpty else { return unknownUser(userID) }
        return Response(200, json: json(UserDetails(user: user, waiting: waiting)))
    }

    private func listed(_ identity: IdentityRecord) -> UserList.User {
        let registrations = identity.mpins.map { mpin in
            listed(mpin, identity.locks.filter { $0.id == mpin.description.id })
        }
        var user = UserList.User(
            userId: identity.userID, identities: registrations,
            codeExpires: identity.codeExpiresAt.map(seconds))
        user.state = state(identity, registrations)
        user.added = seconds(identity.addedAt)
        user.revoked = identity.revokedAt.map(seconds)
        user.suspended = identity.suspension.map { SuspensionMessage($0) }
        return user
    }

    /// A user has the state of the best of their registrations. A user without one is waiting, unless all
    /// their registrations were revoked and no activation code is outstanding.
    private func state(_ identity: IdentityRecord, _ registrations: [UserList.Identity]) -> AccountState {
        guard identity.revokedAt == nil else { return .revoked }
        guard identity.suspension == nil else { return .suspended }
        let states = registrations.compactMap(\.state)
        for state in [AccountState.active, .locked, .blocked, .waiting] where states.contains(state) {
            return state
        }
        return states.isEmpty || identity.codeExpiresAt != nil ? .waiting : .revoked
    }

    private func listed(_ mpin: MpinRecord, _ locks: [LockRecord]) -> UserList.Identity {
        var listed = UserList.Identity(id: mpin.description.id)
        listed.state = state(mpin, locks)
        listed.host = mpin.description.hostName
        listed.registered = seconds(mpin.issuedAt)
        listed.lastLogin = mpin.lastLoginAt.map(seconds)
        listed.lastLoginFrom = mpin.lastLoginFrom
        if !locks.isEmpty {
            listed.locks = locks.map { UserList.Lock(from: $0.place.text, until: $0.until.map(end)) }
            let ends = locks.compactMap(\.until)
            listed.lockedUntil = ends.count == locks.count ? ends.max().map(end) : nil
        }
        listed.wrongTries = mpin.wrongTries.map { wrong in
            WrongTriesMessage(
                count: Int(wrong.count), last: seconds(wrong.lastAt), lastFrom: wrong.lastSource)
        }
        listed.revoked = mpin.revokedAt.map(seconds)
        listed.blocked = mpin.blockedAt.map(seconds)
        listed.unconfirmed = mpin.isUnconfirmed ? true : nil
        listed.blockAfter = mpin.blockAfter
        listed.deviceName = unlessEmpty(mpin.description.deviceName)
        listed.userData = unlessEmpty(mpin.description.userData)
        listed.pushToken = unlessEmpty(mpin.pushToken)
        return listed
    }

    private func state(_ mpin: MpinRecord, _ locks: [LockRecord]) -> AccountState {
        if mpin.revokedAt != nil { return .revoked }
        if mpin.isSuspended { return .suspended }
        if mpin.blockedAt != nil { return .blocked }
        if !locks.isEmpty { return .locked }
        return mpin.isUnconfirmed ? .waiting : .active
    }

    private func listed(_ registration: RegistrationRecord) -> UserList.Waiting {
        let description = registration.description
        var listed = UserList.Waiting(
            id: description.id, userId: description.userID, source: registration.source,
            since: seconds(registration.createdAt), expires: seconds(registration.expiresAt))
        listed.deviceName = unlessEmpty(description.deviceName)
        listed.userData = unlessEmpty(description.userData)
        return listed
    }

    private func unlessEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}

extension SuspensionMessage {
    init(_ suspension: Suspension) {
        self.init(
            since: seconds(suspension.since), until: suspension.until.map(end),
            reason: suspension.reason.isEmpty ? nil : suspension.reason)
    }
}

extension LockRecord.Scope {
    fileprivate var text: String {
        switch self {
        case .source(let source): source
        case .everywhere: "anywhere"
        case .strangers(.local): "new accounts"
        case .strangers(.network): "new addresses"
        }
    }
}

/// The first whole second at which something has ended: a time rounded up.
private func end(_ time: UnixMilliseconds) -> Int { seconds(time + Limits.second - 1) }
