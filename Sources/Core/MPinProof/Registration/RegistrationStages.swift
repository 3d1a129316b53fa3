// SPDX-License-Identifier: Apache-2.0
// The stages of an enrolment, in order.
import MPin
import MPinWire
import Octets
import Secrets

extension Registration {
    /// The epoch of the master secret. The protocol does not name it, and so far there is only one.
    private static var firstEpoch: UInt32 { 1 }

    /// Proves the old PIN, only for the purpose of a change; the ticket is not redeemed.
    mutating func authorise(_ change: consuming Change) throws(Reason) -> RegistrationStep {
        let old = change.old
        let question: SealedQuestion
        switch change.work.hostKey {
        case .none: throw .outOfTurn
        case .some(let key):
            question = try self.question(
                key, service: SealedQuestion.changePINService, ids: [old.identity.id])
        }
        let sealed = try old.sealed(question)
        var passes = Passes(
            factor: change.factor, purpose: .question(question.a, sealed), cache: BackendCache())
        let step = passes.begin(old)
        return try follow(step, Authorising(work: change.work, old: old, passes: passes))
    }

    mutating func follow(
        _ step: PassesStep, _ authorising: consuming Authorising
    ) throws(Reason) -> RegistrationStep {
        switch step {
        case .exchange(let question):
            state = .authorising(authorising)
            return .exchange(question)
        case .ended(let ticket, _): return try register(authorising.work, authorisedBy: ticket)
        case .finished(.unavailable(let why)): return broken(.unavailable(why))
        case .finished(.failed(let reason)): throw reason
        case .finished(let refusal): return .finished(.withdrawn(refusal))
        }
    }

    /// - Parameter ticket: that of the proof with the old PIN; empty if there is none.
    mutating func register(
        _ work: consuming Work, authorisedBy ticket: [UInt8] = []
    ) throws(Reason) -> RegistrationStep {
        isChange = !ticket.isEmpty
        var sealed = TaggedQuestion.none
        switch work.hostKey {
        case .none: break
        case .some(let key):
            let question = try question(key, service: SealedQuestion.enrollService, ids: [])
            sealed = try key.sealed(question)
            a = question.a
        }
        let pending = isChange ? nil : request.pending
        state = .registering(work)
        return .exchange(
            .register(
                RelayRegisterRequest(
                    userID: request.userID, activationCode: isChange ? [] : request.activationCode,
                    deviceName: request.deviceName, regOTT: pending?.regOTT ?? [],
                    mpinID: pending?.mpinID ?? [], sealed: sealed, authOTT: ticket,
                    isPersonal: request.personal != nil)))
    }

    mutating func registered(
        _ response: RelayResponse, _ work: consuming Work
    ) throws(Reason) -> RegistrationStep {
        guard case .register(let new) = response.body else {
            if response.kind == .register, response.status == 403 { return .finished(.notAuthorized) }
            if response.kind == .register, response.status == 429 {
                return .finished(.full(seconds: response.retryAfter))
            }
            return broken(unanswered(.register, response))
        }
        // If the server does not bind proofs, this device's proofs could be used for another purpose.
        guard request.personal?.isBound != true || new.isBound else { throw .seal(.missing) }
        // The difference of two tokens with the same mpinId would reveal both PINs.
        guard !request.known.contains(identityHash(new.mpinID)) else {
            throw .store(StoreError(file: [], fault: .secondToken))
        }
        // A registration that is continued keeps its first question.
        let goesOn = new.mpinID == request.pending?.mpinID
        let kept = PendingRegistration(
            userID: request.userID, mpinID: new.mpinID, regOTT: new.regOTT,
            a: goesOn ? request.pending?.a : a, backend: request.backend,
            activationCode: goesOn ? request.pending?.activationCode ?? [] : request.activationCode)
        pending = kept
        // An interrupted change can begin again with the old PIN and needs no code, so nothing is stored.
        guard !isChange else { return try fetch(work) }
        state = .saving(work)
        return .save(kept)
    }

    mutating func fetch(_ work: consuming Work) throws(Reason) -> RegistrationStep {
        guard let pending else { throw .outOfTurn }
        state = .fetching(work)
        return .exchange(
            .clientSecret(
                RelayClientSecretRequest(mpinID: pending.mpinID, regOTT: pending.regOTT, a: pending.a)))
    }

    mutating func fetched(
        _ response: RelayResponse, _ work: consuming Work
    ) throws(Reason) -> RegistrationStep {
        guard let pending else { throw .outOfTurn }
        guard case .clientSecret(let shares) = response.body else {
            // The response is to two calls: only D-TA 2 answers 408, and only the RPS answers 400 and 401.
            if response.status == 400 || response.status == 401 {
                guard isResuming, response.status == 400 || !work.isAtMilagro(request) else {
                    return .finished(.notVerified)
                }
                // It is unknown, or mpind, which says 401 for all, does not have it any more: register again.
                isResuming = false
                return try register(work)
            }
            if response.status == 408 { return .finished(.expired) }
            return broken(unanswered(.clientSecret, response))
        }
        let id = identityHash(pending.mpinID)
        let token = try token(from: shares, pending: pending, id: id, work: work)
        let identity = Identity(
            id: id, label: request.label, enrolled: request.enrolled,
            pin: PINIdentity(
                mpinID: pending.mpinID, epoch: Registration.firstEpoch, backend: request.backend,
                rule: request.rule, remote: request.remote, personal: request.personal))
        let deviceKey = try deviceKey(shares)
        let credential = Credential(
            identity: identity, token: token, ids: [id], hostKey: work.hostKey, deviceKey: deviceKey)
        guard let credential else { throw .outOfTurn }
        state = .storing(Made(credential: credential, factor: work.factor))
        return .store(identity)
    }

    mutating func prove(_ made: consuming Made) throws(Reason) -> RegistrationStep {
        identity = made.credential.identity
        var question: SealedQuestion?
        switch made.credential.hostKey {
        case .none: break
        case .some(let key):
            question = try self.question(key, service: request.context.service, ids: made.credential.ids)
        }
        let credential = made.credential
        var proof = try Proof(credential, factor: made.factor, question: question, cache: BackendCache())
        let step = proof.begin(credential)
        return follow(step, Proving(credential: credential, proof: proof))
    }

    mutating func follow(_ step: ProofStep, _ proving: consuming Proving) -> RegistrationStep {
        let identity = proving.credential.identity
        switch step {
        case .exchange(let question):
            state = .proving(proving)
            return .exchange(question)
        case .finished(.granted):
            state = .closing
            end = .enrolled(identity)
            return .settle(identity)
        case .finished(.unavailable(let why)):
            return broken(.unavailable(why))
        case .finished(.failed(let reason)) where isChange:
            // The server may have granted it and ended the old PIN before the response was lost or damaged.
            return broken(.failed(reason))
        case .finished(.failed(let reason)) where request.personal != nil && !reason.isOfSeal:
            // One unexpected response proves nothing, and the code may be used up.
            return broken(.failed(reason))
        case .finished(let refusal) where isFinishing: return .finished(.withdrawn(refusal))
        case .finished(let refusal):
            state = .closing
            end = .withdrawn(refusal)
            return .withdraw(identity)
        }
    }

    /// Ends after the backend became unreachable or failed. A stored identity is kept, because its secret is
    /// issued only once.
    mutating func broken(_ outcome: Outcome) -> RegistrationStep {
        state = .over
        if let identity { return .finished(.unproved(identity, outcome)) }
        switch outcome {
        case .unavailable(let why): return .finished(.unavailable(why))
        case .failed(let reason): return .finished(.failed(reason))
        case .granted, .refused, .blocked, .revoked, .secretExpired, .notEnrolled, .cancelled,
            .conversationFailed:
            return .finished(.failed(.outOfTurn))
        }
    }

    private func question(
        _ key: borrowing HostKey, service: [UInt8], ids: [IdentityHash]
    ) throws(Reason) -> SealedQuestion {
        let drawn = try nonce()
        let question = request.context.at(service: service).question(
            host: key.name, nonce: drawn, ids: ids, life: 90)
        guard let question else { throw .questionTooLong }
        return question
    }

    /// The device key; nil for a PIN of a host. Throws `notGiven` if a second device got none.
    private func deviceKey(_ shares: ClientSecretShares) throws(Reason) -> DeviceKey? {
        guard request.personal?.isBound == true else { return nil }
        do throws(SealFailure) { return try DeviceKey(copying: shares.deviceKey) } catch {
            throw error == .outOfMemory ? .outOfMemory : .deviceKey(.notGiven)
        }
    }

    /// Decrypts and adds the shares, and subtracts the PIN's part from their sum.
    private func token(
        from shares: ClientSecretShares, pending: PendingRegistration, id: IdentityHash,
        work: borrowing Work
    ) throws(Reason) -> Token {
        let share1 = try work.share(shares.share1, .first, a: pending.a, id: id)
        let share2 = try work.share(shares.share2, .second, a: pending.a, id: id)
        do throws(MPinError) {
            let secret = try clientSecret(share1, share2)
            return try Token(clientSecret: secret, mpinID: pending.mpinID, factor: work.factor)
        } catch { throw .mathematics(error) }
    }
}

extension Reason {
    /// Whether the server did not bind or seal something that it should.
    fileprivate var isOfSeal: Bool {
        if case .seal = self { true } else { false }
    }
}

extension Registration.Work {
    /// Whether it is for a Milagro server. There, 401 says that the registration waits for its confirmation:
    /// to register again would send another mail, and could void the link in the first.
    borrowing func isAtMilagro(_ request: RegistrationRequest) -> Bool {
        switch hostKey {
        case .none: request.personal == nil
        case .some: false
        }
    }

    /// A share, decrypted if it is sealed. mpind's D-TA 1 always seals it for this host. A D-TA 2 elsewhere
    /// may not have this host's key, and its share alone is useless, so it may be plain.
    borrowing func share(
        _ octets: [UInt8], _ index: ShareIndex, a: QuestionHash?, id: IdentityHash
    ) throws(Reason) -> Secret {
        let isSealed = octets.count != 65
        switch hostKey {
        case .none:
            guard !isSealed else { throw .seal(.unexpected) }
        case .some(let key):
            if isSealed {
                guard let a else { throw .seal(.wrongShare) }
                do throws(SealFailure) { return try key.open(octets, index, a: a, id: id) } catch {
                    throw error == .outOfMemory ? .outOfMemory : .seal(.wrongShare)
                }
            }
            guard index == .second else { throw .seal(.missing) }
        }
        do throws(OutOfMemory) { return try unsafe Secret(copying: octets.span.bytes) } catch {
            throw .outOfMemory
        }
    }
}
