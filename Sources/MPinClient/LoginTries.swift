// SPDX-License-Identifier: Apache-2.0
// The tries of one login: what counts as one, what is sent, and when another follows.
import MPin
import MPinWire
import Secrets

extension Login {
    /// Something was typed. An answer that is no PIN is never sent, and nobody's answer is once the end is
    /// settled.
    mutating func typed(_ answer: consuming Secret) -> Step {
        triesLeft -= 1
        if let settled { return next(.refused, else: settled) }
        guard PINPolicy.canBePIN(answer) else { return next(.noPIN, else: .refused(.noPIN)) }
        do throws(Reason) {
            var proof = try proof(answer)
            let step = begin(&proof)
            return went(step, proof)
        } catch { return ended(.failed(error)) }
    }

    mutating func received(_ answer: Answer, _ proof: consuming Proof) -> Step {
        let couldNotConnect = answer.status == Answer.unreachable || answer.status == Answer.tlsRefused
        let step = go(on: answer, &proof)
        if !couldNotConnect { wasHeard = true }
        return went(step, proof)
    }

    /// The factor is made at once, so that the PIN itself is gone before anything is sent.
    private mutating func proof(_ pin: consuming Secret) throws(Reason) -> Proof {
        let nonce = try drawNonce()
        switch credential {
        case .none: throw .outOfTurn
        case .some(let credential):
            let factor: Secret
            do throws(MPinError) { factor = try credential.pin.rule.factor(of: pin) } catch {
                throw .mathematics(error)
            }
            var question: Ask?
            if credential.isSealed {
                question = credential.question(nonce, in: scene, life: settings.deadline)
                guard question != nil else { throw .questionTooLong }
            }
            return try Proof(credential, factor: factor, question: question, known: known)
        }
    }

    private mutating func drawNonce() throws(Reason) -> [UInt8] {
        if let first = nextNonce {
            nextNonce = nil
            return first
        }
        do throws(NoRandomness) { return try nonce() } catch { throw .noRandomness }
    }

    private func begin(_ proof: inout Proof) -> Proof.Step {
        switch credential {
        case .none: .finished(.failed(.outOfTurn))
        case .some(let credential): proof.begin(credential)
        }
    }

    private func go(on answer: Answer, _ proof: inout Proof) -> Proof.Step {
        switch credential {
        case .none: .finished(.failed(.outOfTurn))
        case .some(let credential): proof.resume(answer, credential)
        }
    }

    private mutating func went(_ step: Proof.Step, _ proof: consuming Proof) -> Step {
        known = proof.known
        status = proof.status
        state = proof.state
        switch step {
        case .exchange(let question):
            stage = .proving(proof)
            return .exchange(question)
        case .finished(let outcome):
            return ended(outcome)
        }
    }

    /// A proof ended. Only a wrong PIN may be tried again; what the other endings of remote services say is
    /// not for the screen, so there the questions go on.
    mutating func ended(_ outcome: Outcome) -> Step {
        switch outcome {
        case .refused(.wrongPIN(let left)):
            if left == 0 { settled = outcome }
            return left == 0 && !scene.isRemote
                ? .finished(outcome) : next(.wrongPIN(triesLeft: left), else: outcome)
        case .refused, .blocked, .revoked, .secretExpired, .notEnrolled:
            return settle(outcome)
        case .unavailable(let why):
            let ignored = mayIgnore(why)
            return ignored
                ? .finished(.unavailable(Unavailable(status: why.status, ignored: true))) : settle(outcome)
        case .failed: return settle(outcome)
        case .granted, .cancelled, .conversationFailed:
            return .finished(outcome)
        }
    }

    private mutating func settle(_ outcome: Outcome) -> Step {
        settled = outcome
        return scene.isRemote ? next(.refused, else: outcome) : .finished(outcome)
    }

    /// Whoever can cut the network brings "unavailable" about; so nothing but failures to connect counts.
    private func mayIgnore(_ why: Unavailable) -> Bool {
        let couldNotConnect = why.status == Answer.unreachable || why.status == Answer.tlsRefused
        return settings.unavailable == .ignore && couldNotConnect && !wasHeard
    }

    /// Another try with a word about the last one, or the end if there is none left.
    private mutating func next(_ notice: Notice, else outcome: Outcome) -> Step {
        guard triesLeft > 0 else { return .finished(outcome) }
        stage = .telling
        return .tell(scene.isRemote ? .refused : notice)
    }
}

extension Credential {
    var isSealed: Bool { hostKey != nil }

    /// The question of one try; nil without a host key, or if a text is too long for one.
    borrowing func question(_ nonce: [UInt8], in scene: Scene, life: Int) -> Ask? {
        switch hostKey {
        case .none: nil
        case .some(let key): scene.question(host: key.name, nonce: nonce, ids: ids, life: life)
        }
    }
}
