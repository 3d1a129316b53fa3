// SPDX-License-Identifier: Apache-2.0
// The questions this host seals, and the verdicts it believes.
import MPin
import MPinWire

extension Credential {
    /// The question with its tag; without a host key there must be none.
    borrowing func sealed(_ question: Ask?) throws(Reason) -> SealedAsk {
        switch hostKey {
        case .none:
            guard question == nil else { throw .outOfTurn }
            return .none
        case .some(let key):
            guard let question else { throw .outOfTurn }
            return try key.sealed(question)
        }
    }

    /// The sealed verdict decides, never the status: it must be of this host's mpind, to this question, by
    /// PIN, and grant to the identity that proved itself.
    borrowing func decision(_ answer: Answer, to a: [UInt8]) -> Decision {
        guard answer.kind == .authenticate, case .authenticate(let sealed) = answer.body else {
            return .refuses(.failed(.transport(.brokenFrame)))
        }
        guard !sealed.answer.isEmpty else {
            let outcome = unanswered(.authenticate, answer)
            guard case .unavailable = outcome else { return .refuses(.failed(.seal(.missing))) }
            return .refuses(outcome)
        }
        do throws(AnswerRefusal) {
            return decision(try opened(sealed, to: a))
        } catch {
            return .refuses(.failed(.seal(SealFault(error))))
        }
    }

    private borrowing func opened(_ sealed: SealedAnswer, to a: [UInt8]) throws(AnswerRefusal)
        -> SealedVerdict
    {
        switch hostKey {
        case .none: throw .wrongTag
        case .some(let key): return try key.open(answer: sealed.answer, tag: sealed.tag, to: a, by: .pin)
        }
    }

    private borrowing func decision(_ verdict: SealedVerdict) -> Decision {
        switch verdict.verdict {
        case .granted:
            verdict.id == identity.id ? .grants : .refuses(.failed(.seal(.otherIdentity)))
        case .wrong: .refuses(.refused(.wrongPIN(triesLeft: verdict.triesLeft)))
        case .blocked:
            .refuses(
                .blocked(releaseAfter: verdict.secondsUntilRelease == 0 ? nil : verdict.secondsUntilRelease))
        case .revoked: .refuses(.revoked)
        case .secretExpired: .refuses(.secretExpired)
        case .notApproved: .refuses(.refused(.expired))
        }
    }
}

extension HostKey {
    borrowing func sealed(_ question: Ask) throws(Reason) -> SealedAsk {
        do throws(SealFailure) {
            return SealedAsk(ask: question.octets, tag: try tag(of: question))
        } catch { throw .outOfMemory }
    }
}

extension SealFault {
    init(_ refusal: AnswerRefusal) {
        switch refusal {
        case .wrongTag: self = .wrongTag
        case .notAnAnswer: self = .malformed
        case .otherQuestion: self = .otherQuestion
        case .otherWay: self = .otherWay
        }
    }
}

extension Scene {
    /// The question of a PIN try. nil if a text is longer than a question may hold.
    func question(host: [UInt8], nonce: [UInt8], ids: [[UInt8]], life: Int) -> Ask? {
        Ask(
            host: host, nonce: nonce, service: service, account: accountName, source: source, tty: tty,
            flags: 0, life: UInt16(clamping: min(life, 90)), ids: ids)
    }
}
