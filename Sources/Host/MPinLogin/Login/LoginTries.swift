// SPDX-License-Identifier: Apache-2.0
// The tries of one login: what counts as a try, what is sent, and when another try follows.
import MPin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets

extension Login {
    /// Handles what was typed, which itself never leaves this host. Once the outcome is settled, no proof and
    /// no approval is sent.
    func typed(_ answer: consuming Secret) -> LoginStep {
        triesLeft -= 1
        do throws(Reason) {
            switch try reading(of: answer) {
            case .approval(let session): return verdict(on: session.a, nil, by: .phone)
            case .otp:
                if wasWrong(answer, .otp) { return next(.wrongOTP, else: settled ?? .refused(.wrongOTP)) }
                return try oneTimePassword(answer)
            case .noOTP: return next(.noOTP, else: settled ?? .refused(.noOTP))
            case .wrongCode(let session):
                if wasWrong(answer, .approvalCode) {
                    return next(.wrongCode, else: settled ?? .refused(.wrongCode))
                }
                return wrongCode(session)
            case .newCode(let session): return newCode(session)
            case .noPIN: return next(.noPIN, else: settled ?? .refused(.noPIN))
            case .noCode: return next(.noCode, else: settled ?? .refused(.noCode))
            case .noBackupCode: return next(.noBackupCode, else: settled ?? .refused(.noBackupCode))
            case .backupCode: return try backupCode(answer)
            case .pin:
                if let closed = settled ?? methods.pin?.outcome(settings) {
                    return next(.refused, else: closed)
                }
                if wasWrong(answer, .pin) {
                    return ended(.refused(.wrongPIN(triesLeft: wrong.triesLeft)))
                }
                return try prepare(answer)
            }
        } catch { return ended(.failed(error)) }
    }

    /// Whether this answer was wrong before in this login. If it was not, but turns out to be, `typedWrong`
    /// remembers it.
    @inline(never)
    private func wasWrong(_ answer: borrowing Secret, _ kind: WrongAnswers.Kind) -> Bool {
        typedTag = wrong.tag(of: answer, kind, for: context.accountName)
        return typedTag.map { wrong.contains($0) } ?? false
    }

    @inline(never)
    func typedWrong() {
        if let typedTag { wrong.insert(typedTag) }
    }

    func received(_ response: RelayResponse, at turn: Turn, _ proof: consuming Proof?) -> LoginStep {
        switch turn {
        case .proof:
            guard var proof else { return .finished(.failed(.outOfTurn)) }
            let step = resumed(by: response, &proof)
            return follow(step, proof)
        case .session(let question, let asked):
            return received(session: response, for: question, asked: asked)
        case .approval(let a, let way): return received(approval: response, of: a, by: way)
        case .otp(let question, let typed): return received(otp: response, for: question, typed)
        case .ending(let isRenewal): return received(end: response, isRenewal: isRenewal)
        case .standing(let question, let hash): return received(standing: response, to: question, hash)
        case .begin, .answer, .told, .pin, .strike, .forget, .over: return .finished(.failed(.outOfTurn))
        }
    }

    /// Lets the relay start, and connect, while the PIN is stretched. It learns nothing of the PIN by that:
    /// a proof follows for every answer that can be a PIN.
    private func prepare(_ pin: consuming Secret) throws(Reason) -> LoginStep {
        let nonce = try drawNonce()
        switch credential {
        case .none: throw .outOfTurn
        case .some(let credential):
            let question = credential.question(nonce, in: context, life: settings.deadline)
            guard question != nil || !credential.isSealed else { throw .questionTooLong }
            typedPIN = TypedPIN(pin: pin, question: question)
            turn = .pin
            return .prepare(question.map { UInt16(clamping: credential.pin.mpinID.count + $0.octets.count) })
        }
    }

    /// Makes the factor at once, so that the PIN itself is gone before anything about it is sent.
    func prove(_ typed: consuming TypedPIN?) -> LoginStep {
        do throws(Reason) {
            guard let typed else { throw .outOfTurn }
            var proof = try proof(typed)
            let step = begin(&proof)
            return follow(step, proof)
        } catch { return ended(.failed(error)) }
    }

    private func proof(_ typed: consuming TypedPIN) throws(Reason) -> Proof {
        switch credential {
        case .none: throw .outOfTurn
        case .some(let credential):
            let factor: Secret
            do throws(MPinError) { factor = try credential.pin.rule.factor(of: typed.pin) } catch {
                throw .mathematics(error)
            }
            return try Proof(credential, factor: factor, question: typed.question, cache: cache)
        }
    }

    func drawNonce() throws(Reason) -> QuestionNonce {
        if let first = nextNonce {
            nextNonce = nil
            return first
        }
        return try nonce()
    }

    private func begin(_ proof: inout Proof) -> ProofStep {
        switch credential {
        case .none: .finished(.failed(.outOfTurn))
        case .some(let credential): proof.begin(credential)
        }
    }

    private func resumed(by response: RelayResponse, _ proof: inout Proof) -> ProofStep {
        switch credential {
        case .none: .finished(.failed(.outOfTurn))
        case .some(let credential): proof.resume(response, credential)
        }
    }

    private func follow(_ step: ProofStep, _ proof: consuming Proof) -> LoginStep {
        cache = proof.cache
        switch step {
        case .exchange(let question):
            turn = .proof
            self.proof = consume proof
            return .exchange(question)
        case .finished(let outcome):
            return ended(outcome)
        }
    }

    /// Handles the outcome of a proof or an approval. After a wrong PIN another try may follow, and a missing
    /// approval may still come. In remote services the screen must not show the other outcomes, so the
    /// prompts go on there.
    func ended(_ outcome: Outcome) -> LoginStep {
        switch outcome {
        case .refused(.wrongPIN(let left)):
            typedWrong()
            wrong.triesLeft = left
            if left == 0 { (settled, endsCodes) = (outcome, true) }
            return left == 0 && !context.isRemote
                ? .finished(outcome) : next(.wrongPIN(triesLeft: left), else: outcome)
        case .refused(.notApproved): return next(.notApproved, else: outcome)
        case .refused, .blocked, .revoked, .secretExpired, .notEnrolled, .unavailable, .failed:
            return settle(outcome)
        case .granted, .cancelled, .conversationFailed:
            return .finished(outcome)
        }
    }

    private func settle(_ outcome: Outcome) -> LoginStep {
        settled = outcome
        if !outcome.leavesCodes { endsCodes = true }
        if context.isRemote { return next(.refused, else: outcome) }
        return methods.showsCode && !endsCodes ? codeInstead(of: outcome) : .finished(outcome)
    }

    /// Another try after a notice about the last one, or the end if no try is left.
    func next(_ notice: Notice, else outcome: Outcome) -> LoginStep {
        guard triesLeft > 0 else { return .finished(outcome) }
        turn = .told
        return .tell(context.isRemote ? .refused : notice)
    }
}

/// A PIN that was typed and is about to be stretched.
struct TypedPIN: ~Copyable {
    let pin: Secret
    /// What its proof answers; nil without a host key.
    let question: SealedQuestion?
}
