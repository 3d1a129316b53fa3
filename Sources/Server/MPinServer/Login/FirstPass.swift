// SPDX-License-Identifier: Apache-2.0
// POST pass1: takes U and UT, returns y. The answer has the same form whether or not the identity is known.
import MPin
import MPinDatabase
import MPinWire
import Octets
import Secrets

struct FirstPass: Sendable {
    let context: ServiceContext

    /// The longest mpinId that is accepted, in octets.
    static let mpinIDLimit = 1024

    func pass(_ request: Request) async throws -> Response {
        let asked: PassOneRequest
        do { asked = try decoded(PassOneRequest.self, from: request.body) } catch { return invalid(error) }
        guard asked.mpinID.octets.count <= FirstPass.mpinIDLimit, asked.u.octets.count <= 65,
            asked.ut.octets.count <= 65, asked.deviceTag?.octets.count ?? 32 == 32
        else { return invalid(.badValue) }
        // A host does not ask for clientSettings: it learns here whether this server needs permits.
        if asked.ask != nil, asked.ut.octets.isEmpty, context.settings.usesPermits {
            return Response(Int(RelayResponse.permitNeeded), json: message("Time permit missing"))
        }
        let id = identityHash(asked.mpinID.octets)
        if let sealed = asked.ask {
            return try await pass(asked, id: id, context.unusedQuestion(sealed, asked.askTag))
        }
        let identity = try await context.storage.identity(id: id)
        let isTagged = try context.isTagged(asked, id: id, identity)
        if let seen = asked.seen?.octets {
            return try await pass(asked, id: id, identity, seen: seen, isTrusted: isTagged, request)
        }
        let kind = identity?.description.kind
        // A request with a tag is answered like one of a device, whether or not this id is registered.
        let isDevice = kind == .bound || asked.deviceTag != nil
        let isMeant = isDevice ? kind == .bound : kind == nil || kind == .unbound
        return try await keep(
            asked, id: id, isMeant: isMeant, .nothing, isNamed: isDevice, isTrusted: isTagged, request.peer)
    }

    /// A pass 1 for what a second device showed its user.
    private func pass(
        _ asked: PassOneRequest, id: IdentityHash, _ identity: IdentityRecord?, seen: [UInt8],
        isTrusted: Bool, _ request: Request
    ) async throws -> Response {
        // y is bound to what the device showed, whatever that was. If the session has just ended, the device
        // learns it when it redeems its proof.
        let requester = Requester(request.peer, device: isTrusted && identity?.revokedAt == nil ? id : nil)
        let waiting = try await context.waiting(seen: seen, request, for: requester)
        var isListed = false
        if let waiting, let identity, identity.description.kind == .bound {
            let isReported = try await context.hasReported(waiting, identity)
            isListed = try waiting.takes(identity) && !isReported
        }
        return try await keep(
            asked, id: id, isMeant: isListed, .seen(PurposeHash(sha256: seen), session: waiting?.wid ?? ""),
            isNamed: true, isTrusted: isTrusted, request.peer)
    }

    /// Keeps a pass 1 without a host's seal. An mpinId that was not registered for this use is recorded under
    /// the id of a stranger: it is answered and counted like an unknown one, and does not affect the
    /// registered identity.
    ///
    /// - Parameter isNamed: whether pass 2 will bring n again; a Milagro client's is found by its source.
    private func keep(
        _ asked: PassOneRequest, id: IdentityHash, isMeant: Bool, _ binding: Binding, isNamed: Bool,
        isTrusted: Bool, _ peer: Peer
    ) async throws -> Response {
        let n: ServerNonce = try context.effects.fresh()
        let y = try challenge(n, for: asked, id: id, binding)
        let record = PassOneRecord(
            id: isMeant ? id : strangeID(for: id), source: peer.source, u: asked.u.octets,
            ut: asked.ut.octets, y: y, binding: binding, host: nil, hostEpoch: nil, origin: peer.origin,
            isTrusted: isTrusted)
        try await context.storage.keepPassOne(record, key: isNamed ? .n(n) : .source(peer.source))
        return answer(y, n: isNamed ? n : nil, id: id).proven(isTrusted)
    }

    /// Keeps a pass 1 under a host's seal. One transaction uses up the nonce and keeps the record, so that a
    /// login waits for the disk only once here.
    private func pass(
        _ asked: PassOneRequest, id: IdentityHash, _ question: HostQuestion
    ) async throws -> Response {
        let service = SealedQuestion.changePINService
        guard question.belongs(to: service) else {
            try await context.useUp(question, for: service)
            throw Refusal(response: context.forAnotherCall(question.host))
        }
        let n: ServerNonce = try context.effects.fresh()
        let y = try challenge(n, for: asked, id: id, question.binding)
        let (u, ut) = (asked.u.octets, asked.ut.octets)
        let isKept = try await context.storage.keepPassOne(
            nonce: question.sealed.nonce, id: id, key: .n(n)
        ) { identity in
            PassOneRecord(
                id: question.concerns(id, identity) ? id : strangeID(for: id), source: question.source, u: u,
                ut: ut,
                y: y, binding: question.binding, host: question.host, hostEpoch: question.epoch,
                origin: question.origin, isTrusted: true)
        }
        guard isKept else { throw context.usedBefore(question.host) }
        return answer(y, n: n, id: id).proven()
    }

    private func answer(_ y: Challenge, n: ServerNonce?, id: IdentityHash) -> Response {
        Response(200, json: json(PassOneResponse(y: y, n: n)), notes: [LogField("id", id8(id))])
    }

    private func challenge(
        _ n: ServerNonce, for asked: PassOneRequest, id: IdentityHash, _ binding: Binding
    ) throws -> Challenge {
        try MPin.challenge(
            n: n, id: id, u: fitted(asked.u.octets),
            ut: asked.ut.octets.isEmpty ? [] : fitted(asked.ut.octets), purpose: binding.purpose)
    }

    private func invalid(_ error: BodyError) -> Response { Response(403, json: message(error.passText)) }
}

/// The id under which a known mpinId is recorded when it is used for something it was not registered for.
func strangeID(for id: IdentityHash) -> IdentityHash {
    IdentityHash(sha256: [UInt8]("stranger".utf8) + id.octets)
}

/// Makes 65 octets of `point`. Octets that are not a point still get a y; their proof will be refused.
private func fitted(_ point: [UInt8]) -> [UInt8] {
    [UInt8]((point + [UInt8](repeating: 0, count: 65)).prefix(65))
}

extension Binding {
    /// The purpose of the proof, the X that y is computed from.
    var purpose: PurposeHash {
        switch self {
        case .nothing: noPurpose
        case .question(let a), .changePIN(let a, _): PurposeHash(a)
        case .seen(let hash, _): hash
        }
    }
}

extension HostQuestion {
    /// Whether the question lists this identity, and an mpinId that is known is one of this host.
    fileprivate func concerns(_ id: IdentityHash, _ identity: IdentityRecord?) -> Bool {
        sealed.ids.contains(id) && (identity.map { areSame($0.description.hostName ?? "", host) } ?? true)
    }

    /// What a proof that answers this question is bound to and valid for.
    fileprivate var binding: Binding {
        sealed.service == SealedQuestion.changePINService
            ? .changePIN(sealed.a, account: sealed.account) : .question(sealed.a)
    }
}

extension PassOneKey {
    /// Whether the client gets n and sends it again with pass 2, as our clients do.
    var isNamed: Bool {
        switch self {
        case .n: true
        case .source: false
        }
    }
}

extension BodyError {
    /// Milagro's message for an invalid body of a pass.
    var passText: String {
        switch self {
        case .notJSON: "Invalid data received. No JSON object could be decoded"
        case .missing(let key): "Invalid data received. \(key) argument missing"
        case .badValue: "Invalid data received."
        }
    }
}
