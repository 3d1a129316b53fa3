// SPDX-License-Identifier: Apache-2.0
// The questions this host seals, and the verdicts it believes.
package import MPin
package import MPinWire

extension Credential {
    /// The question with its tag; without a host key there must be none.
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

    /// The sealed verdict decides, never the status: it must be of this host's mpind, to this question, by
    /// PIN, and grant to the identity that proved itself.
    borrowing func decision(_ answer: RelayResponse, to a: [UInt8]) -> Decision {
        switch hostKey {
        case .none: .refuses(.failed(.seal(.wrongTag)))
        case .some(let key): key.decision(answer, to: a, by: .pin, among: [identity])
        }
    }
}

extension HostKey {
    /// The sealed verdict, if it is to the question `a`, by this way, and grants to one of these.
    package borrowing func decision(
        _ answer: RelayResponse, to a: [UInt8], by way: AuthenticationMethod, among identities: [Identity]
    ) -> Decision {
        guard answer.kind == .authenticate, case .authenticate(let sealed) = answer.body else {
            return .refuses(.failed(.transport(.brokenFrame)))
        }
        guard !sealed.answer.isEmpty else {
            let outcome = unanswered(.authenticate, answer)
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
        // Whoever could strip the notice could guess without its owner ever hearing of it.
        guard let notice = open(notice: sealed.notice, tag: sealed.noticeTag, to: a) else {
            return .refuses(.failed(.seal(.noNotice)))
        }
        return .grants(proof, Tries(notice, left: verdict.triesLeft.map { Int($0) }))
    }

    /// The question with its tag under this key, as a relay carries it.
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

extension LoginContext {
    /// A question about this context; nil if a text is longer than a question may hold.
    package func question(host: [UInt8], nonce: [UInt8], ids: [[UInt8]], life: Int, flags: UInt8 = 0)
        -> SealedQuestion?
    {
        SealedQuestion(
            host: host, nonce: nonce, service: service, account: accountName, source: source, tty: tty,
            flags: flags, life: sessionLife(life), ids: ids)
    }
}

/// How long a session is asked for, in seconds. After 90 of them the last answers need some time until the
/// login's deadline. mpind may give less, and more than 300 it never does.
package func sessionLife(_ deadline: Int) -> UInt16 {
    UInt16(clamping: min(min(deadline, max(90, deadline - 10)), 300))
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

/// What a verdict comes to.
package enum Decision {
    /// - Parameter tries: what the person is told of wrong PINs, where the server says.
    case grants(Grant.Basis, Tries?)
    case refuses(Outcome)

    /// - Parameter identities: those that may be granted to.
    init(_ verdict: SealedVerdict, _ identities: [Identity]) {
        switch verdict.verdict {
        case .granted:
            let identity = identities.first { $0.id == verdict.id }
            self =
                identity.map { .grants(.identity(Proven($0, by: verdict.way, sealed: true)), nil) }
                ?? .refuses(.failed(.seal(.otherIdentity)))
        case .wrong: self = .refuses(.refused(verdict.wrong))
        case .blocked:
            // The greatest number stands for a block that only an administrator or a new PIN ends.
            let seconds = verdict.secondsUntilRelease
            self = .refuses(.blocked(releaseAfter: seconds == 0 || seconds == .max ? nil : seconds))
        case .revoked: self = .refuses(.revoked)
        case .secretExpired: self = .refuses(.secretExpired)
        case .notApproved: self = .refuses(.refused(verdict.way == .phone ? .notApproved : .expired))
        }
    }

    /// The last word, and the one line that lets somebody in.
    package var outcome: Outcome {
        switch self {
        case .refuses(let outcome): outcome
        case .grants(let proof, let tries): .granted(Grant(proof, tries))
        }
    }
}
