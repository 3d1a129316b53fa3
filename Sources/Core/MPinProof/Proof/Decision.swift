// SPDX-License-Identifier: Apache-2.0
// Sealing of this host's questions, and the decision by the sealed verdict.
package import MPin
package import MPinWire
package import Octets

extension Credential {
    /// The question with its tag. Without a host key, `question` must be nil.
    borrowing func sealed(_ question: SealedQuestion?) throws(Reason) -> TaggedQuestion {
        switch hostKey {
        case .none:
            guard question == nil else { throw .outOfTurn }
            return .none
        case .some(let key):
            guard let question else { throw .outOfTurn }
            return try key.sealed(question)
        }
    }

    /// The decision by the sealed verdict, never by the status: it must be sealed for this host, answer this
    /// question, be for a PIN, and grant to the identity that proved itself.
    borrowing func decision(_ response: RelayResponse, to a: QuestionHash) -> Decision {
        switch hostKey {
        case .none: .refuses(.failed(.seal(.wrongTag)))
        case .some(let key): key.decision(response, to: a, by: .pin, among: [identity])
        }
    }
}

extension HostKey {
    /// The decision by the sealed verdict: it grants only if the verdict answers the question `a`, is for the
    /// method `way`, and grants to one of these identities.
    package borrowing func decision(
        _ response: RelayResponse, to a: QuestionHash, by way: AuthenticationMethod,
        among identities: [Identity]
    ) -> Decision {
        guard response.kind == .authenticate, case .authenticate(let sealed) = response.body else {
            return .refuses(.failed(.transport(.brokenFrame)))
        }
        guard !sealed.answer.isEmpty else {
            let outcome = unanswered(.authenticate, response)
            guard case .unavailable = outcome else { return .refuses(.failed(.seal(.missing))) }
            return .refuses(outcome)
        }
        let verdict: SealedVerdict
        do throws(AnswerRefusal) {
            verdict = try open(answer: sealed.answer, tag: sealed.tag, to: a, by: way)
        } catch {
            return .refuses(.failed(.seal(SealFault(error))))
        }
        let decision = Decision(verdict, identities)
        guard case .grants(let proof, _) = decision else { return decision }
        // An attacker who could remove the notice could guess PINs without the owner noticing.
        guard let notice = open(notice: sealed.notice, tag: sealed.noticeTag, to: a) else {
            return .refuses(.failed(.seal(.noNotice)))
        }
        return .grants(proof, Tries(notice, left: verdict.triesLeft.map { Int($0) }))
    }

    /// The question with its tag under this key, as the relay carries it.
    package borrowing func sealed(_ question: SealedQuestion) throws(Reason) -> TaggedQuestion {
        do throws(SealFailure) {
            return TaggedQuestion(question: question.octets, tag: try tag(of: question))
        } catch { throw .outOfMemory }
    }
}

extension SealFault {
    package init(_ refusal: AnswerRefusal) {
        switch refusal {
        case .wrongTag: self = .wrongTag
        case .notAnAnswer: self = .malformed
        case .otherQuestion: self = .otherQuestion
        case .otherWay: self = .otherWay
        }
    }
}

extension SealedVerdict {
    fileprivate var wrong: Refusal {
        switch way {
        case .pin: .wrongPIN(triesLeft: triesLeft)
        case .phone: .notApproved
        case .otp: .wrongOTP
        }
    }
}

/// The decision of this host that follows from a verdict.
package enum Decision {
    /// Grants, with the notice of wrong PINs for the user if the server sent one.
    case grants(Grant.Basis, Tries?)
    case refuses(Outcome)

    /// - Parameter identities: those that may log in.
    init(_ verdict: SealedVerdict, _ identities: [Identity]) {
        switch verdict.verdict {
        case .granted:
            let identity = identities.first { $0.id == verdict.id }
            self =
                identity.map { .grants(.identity(Proven($0, by: verdict.way, sealed: true)), nil) }
                ?? .refuses(.failed(.seal(.otherIdentity)))
        case .wrong: self = .refuses(.refused(verdict.wrong))
        case .blocked:
            // The greatest number stands for a block that no time ends, 0 for an unknown time.
            let seconds = verdict.secondsUntilRelease
            self = .refuses(.blocked(releaseAfter: seconds == 0 || seconds == .max ? nil : seconds))
        case .revoked: self = .refuses(.revoked)
        case .secretExpired: self = .refuses(.secretExpired)
        case .notApproved: self = .refuses(.refused(verdict.way == .phone ? .notApproved : .expired))
        }
    }

    /// The final outcome. The only line that constructs `granted`: a login that is asked ends here.
    package var outcome: Outcome {
        switch self {
        case .refuses(let outcome): outcome
        case .grants(let proof, let tries): .granted(Grant(proof, tries))
        }
    }
}
