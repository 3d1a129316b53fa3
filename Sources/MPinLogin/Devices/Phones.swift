// SPDX-License-Identifier: Apache-2.0
// What this host brings to an approval: the second devices of an account, and the key that seals the rest.
import MPin
import MPinProof
import MPinWire
import Octets
import Secrets

struct Phones: ~Copyable {
    /// None of an account that may not log in this way: its session is real, and nobody can approve it.
    let identities: [Identity]
    private let key: HostKey

    init(_ identities: [Identity], key: consuming HostKey) {
        self.identities = identities
        self.key = key
    }

    /// The question that opens a session; nil if a text is too long for one.
    borrowing func question(
        _ nonce: [UInt8], in context: LoginContext, life: Int, acceptsUnseen: Bool
    ) -> SealedQuestion? {
        context.question(
            host: key.name, nonce: nonce, ids: identities.map { $0.id }, life: life,
            flags: acceptsUnseen ? SealedQuestion.acceptsUnseen : 0)
    }

    borrowing func sealed(_ question: SealedQuestion) throws(Reason) -> TaggedQuestion {
        try key.sealed(question)
    }

    /// The session as mpind sealed it for this question; whatever is not, is shown to nobody.
    borrowing func session(
        _ answer: RelaySessionResponse, to question: SealedQuestion, from start: Int
    ) throws(Reason) -> PhoneSession {
        try key.session(answer, to: question.a, life: question.life, from: start)
    }

    /// Whether this is the code of the session; compared in constant time, and nobody is asked.
    borrowing func isCode(_ typed: borrowing Secret, of session: PhoneSession) throws(Reason) -> Bool {
        do throws(SealFailure) {
            return try key.isPhoneCode(typed, a: session.a, wid: session.wid)
        } catch { throw .outOfMemory }
    }

    /// The tags that what was typed has if it is a password of one of these devices: 32 octets for each.
    borrowing func otpTags(_ typed: borrowing Secret, for question: SealedQuestion) throws(Reason) -> [UInt8]
    {
        do throws(SealFailure) {
            return try key.otpTags(of: typed, a: question.a, ids: question.ids)
        } catch { throw .outOfMemory }
    }

    /// The sealed verdict decides: of this host's mpind, to this question, by one of these devices.
    borrowing func decision(_ answer: RelayResponse, to a: [UInt8], by way: AuthenticationMethod) -> Decision
    {
        key.decision(answer, to: a, by: way, among: identities)
    }
}

/// A session that a second device may approve.
struct PhoneSession: Equatable, Sendable {
    /// Hash of the question that opened it.
    let a: [UInt8]
    /// 32 hex digits, as text.
    let wid: [UInt8]
    /// Seven digits.
    let number: [UInt8]
    /// When it ends, by the machine's clock.
    let end: Int
}

extension HostKey {
    /// The session as mpind sealed it for the question `a`.
    /// - Parameter life: that was asked for; the session's is no longer.
    borrowing func session(
        _ answer: RelaySessionResponse, to a: [UInt8], life: UInt16, from start: Int
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
