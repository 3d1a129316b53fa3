// SPDX-License-Identifier: Apache-2.0
// The step between a right backup code and its strike-out: asking mpind whether the account is revoked.
import MPin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets

extension Login {
    /// Asks whether the account is revoked after one of its codes was typed.
    func askStanding(for hash: [UInt8]) throws(Reason) -> LoginStep {
        guard let (question, tagged) = try standingQuestion() else { return strike(hash, .unasked) }
        turn = .standing(question, hash: hash)
        return .exchange(.standing(tagged))
    }

    /// nil where the server cannot be asked this question. It gets a new nonce: `nextNonce`, which names this
    /// login, is kept for the first question about a PIN or a device.
    private func standingQuestion() throws(Reason)
        -> (question: SealedQuestion, tagged: TaggedQuestion)?
    {
        switch codes {
        case .none: throw .outOfTurn
        case .some(let codes):
            guard codes.isSealed else { return nil }
            return try codes.question(try nonce(), in: context, life: settings.deadline)
        }
    }

    /// A sealed answer decides. An answer without a seal proves nothing, even with status 200: then the last
    /// sealed one decides that this host keeps.
    func received(standing response: RelayResponse, to question: SealedQuestion, _ hash: [UInt8])
        -> LoginStep
    {
        if let standing = opened(response, to: question) {
            return standing.isRevoked ? forget() : strike(hash, .confirmed)
        }
        guard response.kind == .standing else {
            return keptStanding(question, hash, else: .failed(.transport(.brokenFrame)))
        }
        let status = response.status == 200 ? RelayResponse.notUnderstood : response.status
        return keptStanding(question, hash, else: .unavailable(Unavailable(status: status)))
    }

    /// The server gave no good answer to the question. Whoever is on this host or on the network can cause
    /// that, so only what the server said before decides; without it the code is refused.
    func keptStanding(_ question: SealedQuestion, _ hash: [UInt8], else outcome: Outcome) -> LoginStep {
        let kept: OfflineStanding?
        switch codes {
        case .none: kept = nil
        case .some(let codes): kept = codes.kept(for: question, days: settings.backupCodeOffline)
        }
        guard let kept else { return refusedCode(outcome) }
        return kept.isRevoked ? refusedCode(.revoked) : strike(hash, .kept(age: kept.age))
    }

    private func opened(_ response: RelayResponse, to question: SealedQuestion) -> SealedStanding? {
        switch codes {
        case .none: nil
        case .some(let codes): codes.standing(response, to: question)
        }
    }

    /// Ends the use of backup codes in this login. In remote services the prompts go on as for every user.
    func refusedCode(_ outcome: Outcome) -> LoginStep {
        (settled, endsCodes) = (outcome, true)
        return context.isRemote ? next(.refused, else: outcome) : .finished(outcome)
    }

    /// Whoever prevents the next answer must not get in by an older one.
    private func forget() -> LoginStep {
        guard let codePlace else { return .finished(.failed(.outOfTurn)) }
        turn = .forget
        return .forget(codePlace)
    }

    private func strike(_ hash: [UInt8], _ standing: CodeStanding) -> LoginStep {
        guard let place = codePlace else { return .finished(.failed(.outOfTurn)) }
        turn = .strike(standing)
        return .strike(Strike(place: place, hash: hash))
    }

    private var codePlace: BackupCodePlace? {
        switch codes {
        case .none: nil
        case .some(let codes): codes.place
        }
    }
}
