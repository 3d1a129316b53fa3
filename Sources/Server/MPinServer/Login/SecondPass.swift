// SPDX-License-Identifier: Apache-2.0
// POST pass2: counts the try, verifies the proof, and stores the verdict. The answer does not depend on the
// verdict.
import MPin
import MPinDatabase
import MPinWire
import Octets

struct SecondPass: Sendable {
    let context: ServiceContext

    func pass(_ request: Request) async throws -> Response {
        let asked: PassTwoRequest
        do { asked = try decoded(PassTwoRequest.self, from: request.body) } catch {
            return Response(403, json: message(error.passText))
        }
        guard asked.mpinID.octets.count <= FirstPass.mpinIDLimit, asked.wid.utf8.count <= 64,
            asked.deviceTag?.octets.count ?? 32 == 32
        else { return Response(403, json: message(BodyError.badValue.passText)) }
        let id = identityHash(asked.mpinID.octets)
        let notes = [LogField("id", id8(id))]
        let key = asked.n.map(PassOneKey.n) ?? .source(request.peer.source)
        // Milagro's server answers 500, but a late or wrong client is not a failure of the server.
        guard let counted = try await counted(id: id, key: key, for: asked) else {
            return Response(403, json: message("Invalid pass one data"), notes: notes)
        }
        let isDevice = counted.counting == .byDevice && counted.identity?.revokedAt == nil
        let named = try await session(asked.wid, by: Requester(request.peer, device: isDevice ? id : nil))
        let result = verdict(
            for: asked, counted: counted, key: key, named: named,
            days: days(of: id, counted.passOne, request.peer))
        context.metrics.verified(counted)
        let authOTT = try context.randomText(16)
        // Drawn and stored whatever the verdict: only the redemption of a granted login makes it valid.
        let otp = asked.otp.isOn ? sixDigits(try context.effects.random(8)) : nil
        try await context.storage.finishVerification(
            VerdictRecord(
                authOTTHash: TicketHash(of: authOTT), id: counted.passOne.id,
                source: counted.passOne.source, result: result,
                purpose: purpose(of: asked, passOne: counted.passOne, named: named),
                host: counted.passOne.host, hostEpoch: counted.passOne.hostEpoch,
                origin: counted.passOne.origin, counting: counted.counting, tryNumber: counted.tryNumber,
                otp: try otp.map { try context.sealed(otp: $0, of: counted.passOne.id) },
                clientID: request.clientID.flatMap { octets($0)?.count == 16 ? $0 : nil }),
            warning: counted.identity.map { warning(of: $0, counted.passOne, request) })
        let answer = PassTwoResponse(authOTT: authOTT, otp: otp)
        return Response(200, json: json(answer), notes: notes).proven(counted.passOne.isTrusted)
    }

    /// The record of the try after which few remain to strange sources.
    private func warning(
        of identity: IdentityRecord, _ passOne: PassOneRecord, _ request: Request
    ) -> AuditEvent {
        AuditEvent(
            kind: "pin.strangers", subject: id8(identity.description.id), host: passOne.host ?? "",
            source: passOne.source, attempt: request.attempt,
            fields: [
                AuditField("user", identity.description.userID),
                AuditField("left", String(Limits.scarceTries)),
            ])
    }

    /// Removes the pass 1 and counts the try, durably, before the proof is verified.
    private func counted(
        id: IdentityHash, key: PassOneKey, for asked: PassTwoRequest
    ) async throws -> Verification? {
        let known = try await context.storage.beginVerification(id: id, key: key) {
            [context] passOne, identity in
            context.tagEpoch(of: asked, key: key, passOne: passOne, identity: identity)
        }
        if let known { return known }
        return try await context.storage.beginVerification(id: strangeID(for: id), key: key)
    }

    /// Verifies the proof in every case, so that the time reveals nothing, even where its result does not
    /// matter.
    private func verdict(
        for asked: PassTwoRequest, counted: Verification, key: PassOneKey, named: Waiting?, days: [UInt32?]
    ) -> ProofResult {
        let isGood = proves(asked, counted.passOne, on: days)
        // This mpinId may have been registered only after its pass 1.
        if let kind = counted.identity?.description.kind,
            !kind.fits(counted.passOne, key)
                || !isBrought(asked, passOne: counted.passOne, kind: kind, to: named)
        {
            return .wrong
        }
        guard counted.counting != .none else { return .wrong }
        // Before the locks: users who wait for the end of a lock must learn that they are suspended.
        guard counted.identity?.isSuspended != true else { return .suspended }
        guard counted.lockedSeconds == nil else { return .locked }
        guard let identity = counted.identity else { return .wrong }
        guard identity.revokedAt == nil else { return .revoked }
        guard identity.description.epoch == context.authority.epoch else { return .secretExpired }
        return isGood ? .good : .wrong
    }

    /// The days whose permit the proof may have; nil stands for a proof without one. A proof with a permit is
    /// accepted even if this server needs none.
    private func days(of id: IdentityHash, _ passOne: PassOneRecord, _ peer: Peer) -> [UInt32?] {
        let usesPermit = !passOne.ut.isEmpty || context.settings.usesPermits
        guard usesPermit else { return [nil] }
        return context.givenPermits.days(of: id, from: peer.source, at: context.effects.now())
    }

    /// Whether V fits. Every one of these days is tried, whatever the result of the one before, so that the
    /// time does not reveal the verdict.
    private func proves(_ asked: PassTwoRequest, _ passOne: PassOneRecord, on days: [UInt32?]) -> Bool {
        var isGood = false
        for day in days {
            let fits = try? context.verifier.verify(
                mpinID: asked.mpinID.octets, date: day, u: passOne.u, ut: passOne.ut, y: passOne.y,
                v: asked.v.octets)
            if fits == true { isGood = true }
        }
        return isGood
    }

    /// The live session that the WID names. A source that has named too many numbers without a session finds
    /// none by number any more: it gets the same answer, and learns this when it redeems.
    private func session(_ wid: String, by requester: Requester) async throws -> Waiting? {
        guard let name = SessionName(wid) else { return nil }
        return try await context.storage.waiting(name, for: requester, counting: .misses)
    }

    /// Whether a proof is used for what it was made for. Our clients' proofs are bound to one session or to
    /// none; the purpose of a Milagro client's proof is only in the WID.
    private func isBrought(
        _ asked: PassTwoRequest, passOne: PassOneRecord, kind: IdentityKind, to named: Waiting?
    ) -> Bool {
        switch (passOne.binding, kind) {
        // A WID that names no live session may be that of one which has just ended.
        case (.seen(_, let session), _): asked.wid != "0" && named.map { $0.wid == session } ?? true
        case (.nothing, .unbound): true
        case (.nothing, .bound), (.nothing, .host), (.question, _), (.changePIN, _):
            asked.wid == "0"
        }
    }

    /// What the authOTT will be valid for: the question that the proof answers, a session, or a plain login.
    private func purpose(
        of asked: PassTwoRequest, passOne: PassOneRecord, named: Waiting?
    ) -> VerdictPurpose {
        var wid = named?.wid ?? asked.wid
        switch passOne.binding {
        case .question(let a) where asked.wid == "0": return .question(a)
        case .changePIN(let a, let account) where asked.wid == "0": return .changePIN(a, account: account)
        case .nothing where asked.wid == "0": return .login
        case .seen(_, let session): wid = session
        case .question, .changePIN, .nothing: break
        }
        if case .application(let live)? = named, live.session.wid == wid { return .application(wid) }
        return .session(wid)
    }
}
