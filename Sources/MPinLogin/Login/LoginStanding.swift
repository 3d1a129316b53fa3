// SPDX-License-Identifier: Apache-2.0
// The step between a right backup code and its strike-out: asking mpind whether the account is revoked.
import MPin
import MPinProof
import MPinStore
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
            let drawn: QuestionNonce
            do throws(NoRandomness) { drawn = try nonce() } catch { throw .noRandomness }
            return try codes.question(drawn, in: context, life: settings.deadline)
        }
    }

    /// Without a sealed answer the code alone decides, so that an expired certificate or a new server does
    /// not close the last method. But the code is refused if a local account may have prevented the answer.
    func received(standing answer: RelayResponse, to question: SealedQuestion, _ hash: [UInt8])
        -> LoginStep
    {
        guard answer.kind == .standing else { return refusedCode(.failed(.transport(.brokenFrame))) }
        if let standing = opened(answer, to: question) {
            return standing.isRevoked ? refusedCode(.revoked) : strike(hash, .confirmed)
        }
        // An answer that is not sealed proves nothing, even with status 200.
        let status = answer.status == 200 ? RelayResponse.notUnderstood : answer.status
        let isProxyHere = settings.proxy.map { MPinProof.isProxyHere($0) } ?? false
        guard !settings.backends.contains(where: { $0.mayBeHeldUp(status, isProxyHere: isProxyHere) }) else {
            return refusedCode(.unavailable(Unavailable(status: status, ignored: false)))
        }
        return strike(hash, .unanswered(status: status))
    }

    private func opened(_ answer: RelayResponse, to question: SealedQuestion) -> SealedStanding? {
        switch codes {
        case .none: nil
        case .some(let codes): codes.standing(answer, to: question)
        }
    }

    /// Ends the use of backup codes in this login. In remote services the prompts go on as for every user.
    func refusedCode(_ outcome: Outcome) -> LoginStep {
        (settled, endsCodes) = (outcome, true)
        return context.isRemote ? next(.refused, else: outcome) : .finished(outcome)
    }

    private func strike(_ hash: [UInt8], _ standing: CodeStanding) -> LoginStep {
        guard let place = codePlace else { return .finished(.failed(.outOfTurn)) }
        turn = .strike(standing)
        return .strike(Strike(place: place, hash: hash))
    }

    private var codePlace: CodePlace? {
        switch codes {
        case .none: nil
        case .some(let codes): codes.place
        }
    }
}

extension Backend {
    /// Whether a local account can cause this status for this backend. It can take the place of a server or a
    /// proxy at an address of this machine. To a server it is the same client as the relay, at a Unix socket
    /// and at a distant address, so it can use up what the server, or a proxy, grants to this machine: then
    /// connections are closed, TLS does not begin, or a status says so.
    fileprivate func mayBeHeldUp(_ status: UInt16, isProxyHere: Bool) -> Bool {
        if status == RelayResponse.machineFailed || RelayResponse.proxysWord(status) != nil { return true }
        guard channel == .unix || channel == .https && !isProxyHere else {
            return status != RelayResponse.unreachable
        }
        switch status {
        case RelayResponse.timedOut, Distrust.tls.rawValue, 429, 500...599: return true
        default: return Distrust.isNear(status)
        }
    }
}
