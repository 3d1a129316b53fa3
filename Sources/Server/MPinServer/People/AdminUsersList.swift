// SPDX-License-Identifier: Apache-2.0
// The handlers behind `mpind user list` and `show`: users, their registrations and the state of each.
import MPin
import MPinDatabase
import MPinWire

extension AdminUsers {
    /// Every user, read in pages so that no transaction is long.
    func list() async throws -> Response {
        var users: [UserList.User] = []
        var last: String?
        repeat {
            let page = try await context.storage.users(after: last, limit: 500)
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
        let user = try await context.storage.user(userID).map(listed)
        let waiting = try await context.storage.waitingRegistrations()
            .filter { areSame($0.description.userID, userID) }.map(listed)
        guard user != nil || !waiting.isEmpty else { return unknownUser(userID) }
        return Response(200, json: json(UserDetails(user: user, waiting: waiting)))
    }

    private func listed(_ record: UserRecord) -> UserList.User {
        let identities = record.identities.map { identity in
            let id = identity.description.id
            var listed = listed(identity, record.locks.filter { $0.id == id })
            listed.strangeTries = record.strangeTries[id]
            return listed
        }
        var user = UserList.User(
            userId: record.userID, identities: identities, codeExpires: record.codeExpiresAt.map(wholeSeconds)
        )
        user.state = state(record, identities)
        user.added = wholeSeconds(record.addedAt)
        user.revoked = record.revokedAt.map(wholeSeconds)
        user.suspended = record.suspension.map { SuspensionMessage($0) }
        return user
    }

    /// A user has the state of the best of their identities. A user without one is waiting, unless all their
    /// identities were revoked and no activation code is outstanding.
    private func state(_ user: UserRecord, _ identities: [UserList.Identity]) -> AccountState {
        guard user.revokedAt == nil else { return .revoked }
        guard user.suspension == nil else { return .suspended }
        let states = identities.compactMap(\.state)
        for state in [AccountState.active, .locked, .blocked, .waiting] where states.contains(state) {
            return state
        }
        return states.isEmpty || user.codeExpiresAt != nil ? .waiting : .revoked
    }

    private func listed(_ identity: IdentityRecord, _ locks: [LockRecord]) -> UserList.Identity {
        var listed = UserList.Identity(id: identity.description.id)
        listed.state = state(identity, locks)
        listed.host = identity.description.hostName
        listed.registered = wholeSeconds(identity.issuedAt)
        listed.lastLogin = identity.lastLoginAt.map(wholeSeconds)
        listed.lastLoginFrom = identity.lastLoginFrom
        if !locks.isEmpty {
            listed.locks = locks.map { UserList.Lock(from: $0.place.text, until: $0.until.map(end)) }
            let ends = locks.compactMap(\.until)
            listed.lockedUntil = ends.count == locks.count ? ends.max().map(end) : nil
        }
        listed.wrongTries = identity.wrongTries.map { wrong in
            WrongTriesMessage(
                count: Int(wrong.count), last: wholeSeconds(wrong.lastAt), lastFrom: wrong.lastSource)
        }
        listed.revoked = identity.revokedAt.map(wholeSeconds)
        listed.blocked = identity.blockedAt.map(wholeSeconds)
        listed.unconfirmed = identity.isUnconfirmed ? true : nil
        listed.blockAfter = identity.blockAfter
        listed.deviceName = unlessEmpty(identity.description.deviceName)
        listed.userData = unlessEmpty(identity.description.userData)
        listed.pushToken = unlessEmpty(identity.pushToken)
        return listed
    }

    private func state(_ identity: IdentityRecord, _ locks: [LockRecord]) -> AccountState {
        if identity.revokedAt != nil { return .revoked }
        if identity.isSuspended { return .suspended }
        if identity.blockedAt != nil { return .blocked }
        if !locks.isEmpty { return .locked }
        return identity.isUnconfirmed ? .waiting : .active
    }

    private func listed(_ registration: RegistrationRecord) -> UserList.Waiting {
        let description = registration.description
        var listed = UserList.Waiting(
            id: description.id, userId: description.userID, source: registration.source,
            since: wholeSeconds(registration.createdAt), expires: wholeSeconds(registration.expiresAt))
        listed.deviceName = unlessEmpty(description.deviceName)
        listed.userData = unlessEmpty(description.userData)
        return listed
    }

    private func unlessEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}

extension SuspensionMessage {
    init(_ suspension: Suspension) {
        self.init(
            since: wholeSeconds(suspension.since), until: suspension.until.map(end),
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
private func end(_ time: UnixMilliseconds) -> Int { wholeSeconds(time + Limits.second - 1) }
