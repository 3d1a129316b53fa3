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

    /// How a pass 1 will be recorded, and what its proof will be valid for.
    private struct Prospect {
        let key: PassOneKey
        let n: ServerNonce
        let id: IdentityHash
        let source: String
        let binding: Binding
        let origin: TryOrigin
        var isTrusted = false
    }

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
        let place = try await place(asked, id: id, request)
        let y = try challenge(place.n, for: asked, id: id, place.binding)
        let record = PassOneRecord(
            id: place.id, source: place.source, u: asked.u.octets, ut: asked.ut.octets, y: y,
            binding: place.binding, host: nil, hostEpoch: nil, origin: place.origin,
            isTrusted: place.isTrusted)
        try await context.storage.keepPassOne(record, key: place.key)
        return answer(y, n: place.key.isNamed ? place.n : nil, id: id).proven(place.isTrusted)
    }

    /// The same under a host's seal. One transaction uses up the nonce and keeps the record, so that a login
    /// waits for the disk only once here.
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

    /// An mpinId that was not registered for this use is recorded under the id of a stranger: it is answered
    /// and counted like an unknown one, and does not affect the registered identity.
    private func place(_ asked: PassOneRequest, id: IdentityHash, _ request: Request) async throws -> Prospect
    {
        let source = request.peer.source
        let n: ServerNonce = try context.effects.fresh()
        let identity = try await context.storage.identity(id: id)
        let origin = request.peer.origin
        let isTrusted = try context.isTagged(asked, id: id, identity)
        if let seen = asked.seen?.octets {
            // y is bound to what the device showed, whatever that was. If the session has just ended, the
            // device learns it when it redeems its proof.
            let requester = Requester(
                request.peer, device: isTrusted && identity?.revokedAt == nil ? id : nil)
            let waiting = try await context.waiting(seen: seen, request, for: requester)
            var isListed = false
            if let waiting, let identity, identity.description.kind == .bound {
                let isReported = try await context.hasReported(waiting, identity)
                isListed = try waiting.takes(identity) && !isReported
            }
            return Prospect(
                key: .n(n), n: n, id: isListed ? id : strangeID(for: id),
                source: source, binding: .seen(PurposeHash(sha256: seen), session: waiting?.wid ?? ""),
                origin: origin,
                isTrusted: isTrusted)
        }
        return place(
            asked, id: id, kind: identity?.description.kind, n: n, peer: request.peer, isTrusted: isTrusted)
    }

    /// The same for a plain login. A request with a tag is answered like one of a device, whether or not this
    /// id is registered.
    private func place(
        _ asked: PassOneRequest, id: IdentityHash, kind: IdentityKind?, n: ServerNonce, peer: Peer,
        isTrusted: Bool
    ) -> Prospect {
        let (source, origin) = (peer.source, peer.origin)
        if kind == .bound || asked.deviceTag != nil {
            return Prospect(
                key: .n(n), n: n, id: kind == .bound ? id : strangeID(for: id), source: source,
                binding: .nothing,
                origin: origin, isTrusted: isTrusted)
        }
        let isKept = kind == nil || kind == .unbound
        return Prospect(
            key: .source(source), n: n, id: isKept ? id : strangeID(for: id), source: source,
            binding: .nothing,
            origin: origin)
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
