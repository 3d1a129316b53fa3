// SPDX-License-Identifier: Apache-2.0
// A proof by PIN as a state machine: two passes and the verdict on them.
package import MPin
package import MPinWire
import Octets
package import Secrets

/// What the driver of a proof must do next.
package enum ProofStep {
    case exchange(RelayRequest)
    case finished(Outcome)
}

/// A proof by PIN. The driver calls `resume` with each response and carries out the step that it returns.
package struct Proof: ~Copyable {
    private enum State: ~Copyable {
        case passing(Passes)
        case authenticate
        case over
    }

    private var state: State
    package private(set) var cache: BackendCache
    /// The hash A of the sealed question; nil if the server seals nothing.
    private let a: QuestionHash?

    /// - Parameters:
    ///   - factor: the PIN's factor by the credential's rule, a scalar of 32 octets.
    ///   - question: the sealed question of this proof; must be nil if the credential has no host key.
    package init(
        _ credential: borrowing Credential, factor: consuming Secret, question: SealedQuestion?,
        cache: BackendCache
    ) throws(Reason) {
        self.cache = cache
        let sealed = try credential.sealed(question)
        a = sealed.isNone ? nil : question?.a
        let purpose: ProofPurpose =
            if let a { .question(a, sealed) } else if credential.pin.personal != nil { .itself } else {
                .unbound()
            }
        state = .passing(Passes(factor: factor, purpose: purpose, cache: cache))
    }

    /// The first step.
    package mutating func begin(_ credential: borrowing Credential) -> ProofStep {
        switch exchange(&state, with: .over) {
        case .passing(var passes):
            let step = passes.begin(credential)
            return follow(step, passes)
        case .authenticate: return .finished(.failed(.outOfTurn))
        case .over: return .finished(.failed(.outOfTurn))
        }
    }

    /// The next step. After any error the machine is over: secrets that are not put back into `state` are
    /// wiped.
    package mutating func resume(_ response: RelayResponse, _ credential: borrowing Credential) -> ProofStep {
        switch exchange(&state, with: .over) {
        case .passing(var passes):
            let step = passes.resume(response, credential)
            return follow(step, passes)
        case .authenticate:
            return .finished(verdict(response, credential))
        case .over: return .finished(.failed(.outOfTurn))
        }
    }

    private mutating func follow(_ step: PassesStep, _ passes: consuming Passes) -> ProofStep {
        cache = passes.cache
        switch step {
        case .exchange(let question):
            state = .passing(passes)
            return .exchange(question)
        case .ended(let ticket, _):
            state = .authenticate
            return .exchange(.authenticate(RelayAuthenticateRequest(authOTT: ticket, id: nil, a: a)))
        case .finished(let outcome): return .finished(outcome)
        }
    }

    private func verdict(_ response: RelayResponse, _ credential: borrowing Credential) -> Outcome {
        let decision =
            if let a { credential.decision(response, to: a) } else { unsealedDecision(response, credential) }
        return decision.outcome
    }

    /// The decision by the status. A Milagro server seals nothing, and mpind seals nothing for a user's own
    /// device.
    private func unsealedDecision(_ response: RelayResponse, _ credential: borrowing Credential) -> Decision {
        guard response.kind == .authenticate, case .authenticate(let seal)? = response.body else {
            return .refuses(.failed(.transport(.brokenFrame)))
        }
        guard !credential.isSealed, seal.answer.isEmpty else { return .refuses(.failed(.seal(.unexpected))) }
        switch response.status {
        case 200: return .grants(.identity(Proven(credential.identity, by: .pin, sealed: false)), nil)
        case 401: return .refuses(.refused(.wrongPIN(triesLeft: nil)))
        case 410: return .refuses(.blocked(releaseAfter: nil))
        case 403: return .refuses(.revoked)
        case 409: return .refuses(.secretExpired)
        case 408, 412: return .refuses(.refused(.expired))
        default: return .refuses(unanswered(.authenticate, response))
        }
    }
}
