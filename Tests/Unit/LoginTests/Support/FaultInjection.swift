// SPDX-License-Identifier: Apache-2.0
// Wrong answers of a backend, or of a relay in front of it.
import MPin
import MPinWire
import Octets

extension SealedVerdict {
    /// The same verdict with the given values replaced.
    init(
        _ other: SealedVerdict, a: QuestionHash? = nil, way: AuthenticationMethod? = nil,
        verdict: Verdict? = nil, id: IdentityHash? = nil
    ) {
        self.init(
            a: a ?? other.a, way: way ?? other.way, verdict: verdict ?? other.verdict, id: id ?? other.id,
            triesLeft: other.triesLeft, secondsUntilRelease: other.secondsUntilRelease)
    }
}

extension FakeServer {
    /// Seals another verdict instead of the true one, under the right key.
    func spoilVerdict(_ change: @escaping (SealedVerdict) -> SealedVerdict) {
        spoil = { [unowned self] _, answer throws(TransportError) in
            guard case .authenticate(let sealed)? = answer.body,
                let verdict = SealedVerdict(decoding: sealed.answer)
            else { return answer }
            do { return try self.answer(change(verdict), answer.status) } catch { throw .closed }
        }
    }

    /// Changes the octets of the sealed answer; the status is 200.
    func spoilSeal(_ change: @escaping (RelaySealedResponse) -> RelaySealedResponse) {
        spoil = { _, answer throws(TransportError) in
            guard case .authenticate(let sealed)? = answer.body else { return answer }
            return RelayResponse(kind: .authenticate, status: 200, body: .authenticate(change(sealed)))
        }
    }

    /// Answers with this status what a login at a host asks first: pass 1 or a session.
    func spoilFirst(status: UInt16) {
        spoil = { question, answer throws(TransportError) in
            [.passOne, .session].contains(question.kind)
                ? RelayResponse(kind: question.kind, status: status) : answer
        }
    }

    /// Answers one kind of request with this status and an empty body.
    func spoil(_ kind: Kind, status: UInt16) {
        spoil = { question, answer throws(TransportError) in
            question.kind == kind ? RelayResponse(kind: kind, status: status) : answer
        }
    }
}
