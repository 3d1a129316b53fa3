// SPDX-License-Identifier: Apache-2.0
// One proof by PIN as a machine: settings, permit, two passes, verdict.
import MPin
import MPinWire
import Secrets

/// What a login keeps from one try to the next: none of it is secret.
struct Known: Sendable {
    var usesPermits: Bool?
    var permit: (date: UInt32, octets: [UInt8])?
}

struct Proof: ~Copyable {
    enum Step {
        case exchange(Question)
        case finished(Outcome)
    }

    private enum Stage: ~Copyable {
        case idle(Secret)
        case settings(Secret)
        case permits(Secret)
        case passOne(PassOne)
        case passTwo
        case authenticate
        case over
    }

    private var stage: Stage
    private(set) var known: Known
    /// Hash of the sealed question; empty where a Milagro server decides.
    private let a: [UInt8]
    private let sealed: SealedAsk
    /// What the backend's last answer means by Milagro's table, and what has become of the identity.
    private(set) var status = Status.ok
    private(set) var state = UserState.registered

    /// - Parameters:
    ///   - factor: of the PIN, by the credential's rule.
    ///   - question: the sealed question of this proof; nil where the credential has no host key.
    init(
        _ credential: borrowing Credential, factor: consuming Secret, question: Ask?, known: Known
    ) throws(Reason) {
        self.known = known
        sealed = try credential.sealed(question)
        a = question?.a ?? []
        stage = .idle(factor)
    }

    /// The first step.
    mutating func begin(_ credential: borrowing Credential) -> Step {
        switch exchange(&stage, with: .over) {
        case .idle(let factor):
            guard let usesPermits = known.usesPermits else {
                stage = .settings(factor)
                return .exchange(.settings)
            }
            return permitOrPass(factor, credential, usesPermits)
        case .settings: return .finished(.failed(.outOfTurn))
        case .permits: return .finished(.failed(.outOfTurn))
        case .passOne: return .finished(.failed(.outOfTurn))
        case .passTwo: return .finished(.failed(.outOfTurn))
        case .authenticate: return .finished(.failed(.outOfTurn))
        case .over: return .finished(.failed(.outOfTurn))
        }
    }

    /// Whatever goes wrong, the machine is over: what is not put back into `stage` is wiped.
    mutating func resume(_ answer: Answer, _ credential: borrowing Credential) -> Step {
        switch exchange(&stage, with: .over) {
        case .settings(let factor):
            note(.clientSettings, answer)
            guard case .settings(let usesPermits) = answer.body else { return refusal(.settings, answer) }
            known.usesPermits = usesPermits
            return permitOrPass(factor, credential, usesPermits)
        case .permits(let factor):
            note(.timePermit, answer)
            guard case .permits(let shares) = answer.body else { return refusal(.permits, answer) }
            return permitCame(shares, factor, credential)
        case .passOne(let pass):
            note(.passOne, answer)
            guard case .passOne(let challenge) = answer.body else { return refusal(.passOne, answer) }
            return answerChallenge(challenge, pass, credential)
        case .passTwo:
            note(.passTwo, answer)
            guard case .passTwo(let ticket) = answer.body else { return refusal(.passTwo, answer) }
            stage = .authenticate
            return .exchange(.authenticate(AuthenticateQuestion(authOTT: ticket.authOTT, id: [], a: a)))
        case .authenticate:
            note(.authenticate, answer)
            return .finished(verdict(answer, credential))
        case .idle: return .finished(.failed(.outOfTurn))
        case .over: return .finished(.failed(.outOfTurn))
        }
    }

    private mutating func note(_ call: Call, _ answer: Answer) {
        status = Status(call, http: answer.status)
        state = state.after(call, http: answer.status)
    }

    private mutating func permitOrPass(
        _ factor: consuming Secret, _ credential: borrowing Credential, _ usesPermits: Bool
    ) -> Step {
        guard usesPermits, known.permit == nil else { return passOne(factor, credential) }
        stage = .permits(factor)
        return .exchange(.permits(mpinID: credential.pin.mpinID))
    }

    private mutating func permitCame(
        _ shares: PermitShares, _ factor: consuming Secret, _ credential: borrowing Credential
    ) -> Step {
        do throws(MPinError) {
            known.permit = (shares.date, try timePermit(shares.share1, shares.share2))
        } catch { return .finished(.failed(.mathematics(error))) }
        return passOne(factor, credential)
    }

    private mutating func passOne(
        _ factor: consuming Secret, _ credential: borrowing Credential
    ) -> Step {
        let mpinID = credential.pin.mpinID
        do throws(MPinError) {
            let pass = try PassOne(
                mpinID: mpinID, token: credential.token, factor: factor,
                permit: known.usesPermits == true ? known.permit : nil)
            let question = PassOneQuestion(mpinID: mpinID, u: pass.u, ut: pass.ut, sealed: sealed)
            stage = .passOne(pass)
            return .exchange(.passOne(question))
        } catch { return .finished(.failed(.mathematics(error))) }
    }

    /// Before V exists, y must be what this proof is for: a V made for one purpose is spent on no other.
    private mutating func answerChallenge(
        _ answer: PassOneAnswer, _ pass: consuming PassOne, _ credential: borrowing Credential
    ) -> Step {
        if let fault = challengeFault(answer, pass, credential) {
            return .finished(.failed(.seal(fault)))
        }
        do throws(MPinError) {
            let v = try pass.answer(y: answer.y)
            stage = .passTwo
            return .exchange(
                .passTwo(
                    PassTwoQuestion(
                        mpinID: credential.pin.mpinID, v: v, wid: ascii("0"), wantsOTP: false, n: answer.n)))
        } catch { return .finished(.failed(.mathematics(error))) }
    }

    private func challengeFault(
        _ answer: PassOneAnswer, _ pass: borrowing PassOne, _ credential: borrowing Credential
    ) -> SealFault? {
        if sealed.isNone { return answer.n.isEmpty ? nil : .unexpected }
        if answer.n.isEmpty { return .missing }
        let y = try? challenge(
            n: answer.n, id: credential.identity.id, u: pass.u, ut: pass.ut, purpose: a)
        return y == answer.y ? nil : .wrongChallenge
    }

    private func verdict(_ answer: Answer, _ credential: borrowing Credential) -> Outcome {
        let decision = sealed.isNone ? unsealedDecision(answer, credential) : credential.decision(answer, to: a)
        return decision.outcome(by: .pin, sealed: !sealed.isNone)
    }

    /// A Milagro server seals nothing; its status decides.
    private func unsealedDecision(_ answer: Answer, _ credential: borrowing Credential) -> Decision {
        guard answer.kind == .authenticate, case .authenticate(let seal)? = answer.body else {
            return .refuses(.failed(.transport(.brokenFrame)))
        }
        guard seal == .none else { return .refuses(.failed(.seal(.unexpected))) }
        switch status {
        case .ok: return .grants(credential.identity)
        case .incorrectPIN where state == .blocked: return .refuses(.blocked(releaseAfter: nil))
        case .incorrectPIN: return .refuses(.refused(.wrongPIN(triesLeft: nil)))
        case .identityNotAuthorized: return .refuses(.revoked)
        case .clientSecretExpired: return .refuses(.secretExpired)
        case .requestExpired, .incorrectAccessNumber: return .refuses(.refused(.expired))
        case .pinInputCancelled, .cryptoError, .storageError, .networkError, .responseParseError, .flowError,
            .identityNotVerified, .revoked, .httpServerError, .httpRequestError, .badUserAgent:
            return .refuses(unanswered(.authenticate, answer))
        }
    }

    private func refusal(_ kind: Kind, _ answer: Answer) -> Step {
        guard answer.kind == kind else { return .finished(.failed(.transport(.brokenFrame))) }
        if kind == .permits {
            if answer.status == 410 { return .finished(.revoked) }
            let refuses = answer.status == 401 || answer.status == 403
            if refuses, sealed.isNone { return .finished(.revoked) }
        }
        return .finished(unanswered(kind, answer))
    }
}

/// What an answer means that does not bring what was asked for.
func unanswered(_ kind: Kind, _ answer: Answer) -> Outcome {
    switch answer.status {
    case Answer.unreachable, Answer.timedOut, Answer.tlsRefused, 500...:
        .unavailable(Unavailable(status: answer.status, ignored: false))
    default:
        .failed(.answer(kind, status: answer.status))
    }
}

/// Puts a new value in a place and gives the old one.
func exchange<T: ~Copyable>(_ place: inout T, with new: consuming T) -> T {
    let old = consume place
    place = new
    return old
}
