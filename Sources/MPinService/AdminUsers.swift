// SPDX-License-Identifier: Apache-2.0
// `mpind user`: add, list, revoke, unlock, confirm.
import MPin
import MPinStorage
import MPinWire
import Secrets

struct AdminUsers: Sendable {
    let backend: Backend

    /// The code is in this answer and nowhere else: the database has its hash.
    func add(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(AddUserRequest.self, from: request.body), isUserID(asked.userId) else {
            return Response(400, json: message("An identity is named by 1 to 64 bytes of text"))
        }
        let byPicture = asked.byPicture == true
        let code = try OneTimeCode.random(forPicture: byPicture)
        let address = byPicture ? try address(asked, code) : nil
        try await backend.record(
            "user.add", asked.userId, request,
            [AuditField("replace", asked.replace ? "yes" : "no")]
                + (byPicture ? [AuditField("by", "picture")] : []))
        let revoked = try await backend.storage.addIdentity(
            asked.userId, codeHash: code.hash(), replace: asked.replace, byPicture: byPicture)
        let notes = await backend.tell(revoked)
        let life = byPicture ? Limits.pictureCodeLife : Limits.codeLife
        let end = backend.effects.now() + life / Limits.second
        let answer = AddUserResponse(
            userId: asked.userId, activationCode: String(decoding: code.shown(), as: UTF8.self),
            expires: Int(end.seconds), address: address)
        return Response(200, json: json(answer), notes: notes)
    }

    /// Of the picture that enrols a phone. Whoever scans it first may be a stranger, who must not revoke what
    /// its owner has.
    private func address(_ asked: AddUserRequest, _ code: borrowing OneTimeCode) throws -> String {
        guard !asked.replace else {
            let rule =
                "A code by picture revokes nothing; revoke the older registrations when it is confirmed"
            throw Refusal(response: Response(400, json: message(rule)))
        }
        guard let page = backend.settings.publicURL else {
            let rule = "No phone can reach this server: it has no public-url"
            throw Refusal(response: Response(409, json: message(rule)))
        }
        let letters = String(decoding: code.shown().filter { $0 != 0x2d }, as: UTF8.self)
        return page + "#enrol?user=" + percentEncoded(asked.userId) + "&code=" + letters
    }

    /// Every identity, read in pages so that no transaction is long.
    func list() async throws -> Response {
        var users: [UserList.User] = []
        var last: String?
        repeat {
            let page = try await backend.storage.identities(after: last, limit: 500)
            users += page.map(listed)
            last = page.last?.userID
        } while last != nil
        let waiting = try await backend.storage.waitingRegistrations().map {
            UserList.Waiting(
                id: $0.description.id, userId: $0.description.userID, source: $0.source,
                since: seconds($0.createdAt), expires: seconds($0.expiresAt))
        }
        return Response(200, json: json(UserList(users: users, waiting: waiting)))
    }

    func revoke(_ request: Request) async throws -> Response {
        let (subject, name) = try subject(request)
        try await backend.record("user.revoke", name, request)
        guard let revocation = try await backend.storage.revoke(subject) else { return nobody(name) }
        let notes = await backend.tell(revocation.ids)
        return Response(200, json: json(UserResponse(identities: revocation.count)), notes: notes)
    }

    func unlock(_ request: Request) async throws -> Response {
        let (subject, name) = try subject(request)
        try await backend.record("user.unlock", name, request)
        guard try await backend.storage.unlock(subject) else { return nobody(name) }
        return Response(200, json: json(UserResponse(identities: 1)))
    }

    /// Never by the name alone, under which a stranger may have registered; 409 if several ids begin so.
    func confirm(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(UserRequest.self, from: request.body), let userID = asked.userId,
            let prefix = asked.id?.octets, (4...32).contains(prefix.count)
        else {
            let rule = "Name the identity and 8 or more digits of the id that its owner's client shows"
            return Response(400, json: message(rule))
        }
        try await backend.record(
            "user.confirm", userID, request, [AuditField("id", id8(prefix))])
        switch try await backend.storage.confirm(userID, idPrefix: prefix) {
        case .confirmed: return Response(200, json: json(UserResponse(identities: 1)))
        case .nobody: return nobody(userID)
        case .several(let ids):
            let names = ids.map(hexText).joined(separator: ", ")
            return Response(
                409, json: message("Several ids begin so; say more digits of one: \(names)"))
        }
    }

    private func subject(_ request: Request) throws -> (Subject, String) {
        let asked = try? decoded(UserRequest.self, from: request.body)
        if let id = asked?.id?.octets, id.count == 32 { return (.mpin(id), id8(id)) }
        if let userID = asked?.userId { return (.identity(userID), userID) }
        throw Refusal(response: Response(400, json: message("Name an identity or an id")))
    }

    private func nobody(_ name: String) -> Response {
        Response(404, json: message("Nobody has that name: \(name)"))
    }

    private func listed(_ identity: IdentityRecord) -> UserList.User {
        UserList.User(
            userId: identity.userID, identities: identity.mpins.map(listed),
            codeExpires: identity.codeExpiresAt.map(seconds))
    }

    private func listed(_ mpin: MpinRecord) -> UserList.Identity {
        var listed = UserList.Identity(id: mpin.description.id)
        listed.host = mpin.description.hostName
        listed.registered = seconds(mpin.issuedAt)
        listed.lastLogin = mpin.lastLoginAt.map(seconds)
        listed.revoked = mpin.revokedAt.map(seconds)
        listed.blocked = mpin.blockedAt.map(seconds)
        listed.unconfirmed = mpin.isUnconfirmed ? true : nil
        return listed
    }
}

/// Whole seconds, as administrators' messages have them.
func seconds(_ time: UnixMilliseconds) -> Int { Int(time / 1000) }
