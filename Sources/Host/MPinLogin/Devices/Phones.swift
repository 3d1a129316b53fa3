// SPDX-License-Identifier: Apache-2.0
// What this host needs for an approval: the second devices of an account, and the host key.
import MPin
import MPinProof
import MPinWire
import Octets
import Secrets

struct Phones: ~Copyable {
    /// Empty for an account that may not log in with a device: its session is real, but cannot be approved.
    let identities: [Identity]
    private let key: HostKey

    init(_ identities: [Identity], key: consuming HostKey) {
        self.identities = identities
        self.key = key
    }

    /// The question that opens a session; nil if a text is too long for one.
    borrowing func question(
        _ nonce: QuestionNonce, in context: LoginContext, life: Int, acceptsUnseen: Bool
    ) -> SealedQuestion? {
        context.question(
            host: key.name, nonce: nonce, ids: identities.map { $0.id }, life: life,
            flags: acceptsUnseen ? SealedQuestion.acceptsUnseen : 0)
    }

    borrowing func sealed(_ question: SealedQuestion) throws(Reason) -> TaggedQuestion {
        try key.sealed(question)
    }

    /// The session that mpind sealed for this question; otherwise throws `.seal`, and it must not be shown.
    borrowing func session(
        _ answer: RelaySessionResponse, to question: SealedQuestion, from start: Int
    ) throws(Reason) -> PhoneSession {
        try key.session(answer, to: question.a, life: question.life, from: start)
    }

    /// Whether `typed` is the approval code of the session; compared on this host, in constant time.
    borrowing func isCode(_ typed: borrowing Secret, of session: PhoneSession) throws(Reason) -> Bool {
        do throws(SealFailure) {
            return try key.isPhoneCode(typed, a: session.a, wid: session.wid)
        } catch { throw .outOfMemory }
    }

    /// The tags of what was typed, one of 32 octets for each of the question's devices.
    borrowing func otpTags(_ typed: borrowing Secret, for question: SealedQuestion) throws(Reason) -> [UInt8]
    {
        do throws(SealFailure) {
            return try key.otpTags(of: typed, a: question.a, ids: question.ids)
        } catch { throw .outOfMemory }
    }

    /// The decision from a sealed verdict: of this host's mpind, on this question, by one of these devices.
    borrowing func decision(_ response: RelayResponse, to a: QuestionHash, by way: AuthenticationMethod)
        -> Decision
    {
        key.decision(response, to: a, by: way, among: identities)
    }
}

/// A session that a second device may approve.
struct PhoneSession: Equatable, Sendable {
    /// Hash of the question that opened it.
    let a: QuestionHash
    /// 32 hex digits, as text.
    let wid: [UInt8]
    /// Seven digits.
    let number: [UInt8]
    /// When it ends, in seconds on the clock of `Login.now`.
    let end: Int
}

extension HostKey {
    /// The session that mpind sealed for the question `a`.
    /// - Parameters:
    ///   - life: the lifetime in seconds that the question asks for; the session's must not be longer.
    ///   - start: when the question was sent, in seconds.
    borrowing func session(
        _ answer: RelaySessionResponse, to a: QuestionHash, life: UInt16, from start: Int
    ) throws(Reason) -> PhoneSession {
        let session = SealedSession(a: a, wid: answer.wid, number: answer.number, life: answer.life)
        guard let session, verifies(answer.tag, of: session) else { throw .seal(.wrongTag) }
        let isWid = session.wid.count == 32 && octets(fromHex: session.wid).map { hex($0) } == session.wid
        guard isWid, AccessNumber.isValid(session.number), session.life >= 1, session.life <= life else {
            throw .seal(.malformed)
        }
        return PhoneSession(
            a: session.a, wid: session.wid, number: session.number, end: start + Int(session.life))
    }
}
