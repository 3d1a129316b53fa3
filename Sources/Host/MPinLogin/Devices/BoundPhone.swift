// SPDX-License-Identifier: Apache-2.0
// Binding a phone to an account: what the host asks mpind, and which answers it accepts
// (seal-devices.md, section 15).
package import MPin
package import MPinProof
package import MPinWire
package import Octets
import Secrets

/// A session in which a phone may approve that it is bound to an account.
package struct BindSession: Equatable, Sendable {
    /// Hash of the `Bind` that opened it.
    package let a: QuestionHash
    /// 32 hex digits, as text.
    package let wid: [UInt8]
    /// Seven digits.
    package let number: [UInt8]
    /// When it ends, in seconds on the clock of the `start` that `session` was given.
    package let end: Int
}

/// The identity that approved a session. mpind sealed these values, but only the approval code shows which
/// phone it is.
package struct BoundPhone: Equatable, Sendable {
    /// The identity hash.
    package let id: IdentityHash
    package let userID: [UInt8]
    /// When the phone was enrolled, in seconds since 1970-01-01 UTC.
    package let registered: UInt64
}

extension LoginContext {
    /// The question that opens such a session. It has a source that no login has, so bindings and logins do
    /// not use up each other's sessions, and a report of one does not block the other. nil if a text is too
    /// long.
    /// - Parameters:
    ///   - userID: the user id that the phone must be enrolled under; empty: any.
    ///   - life: in seconds; a session lives 300 s at most.
    package func bind(host: [UInt8], nonce: QuestionNonce, userID: [UInt8], life: Int) -> Bind? {
        Bind(
            host: host, nonce: nonce, account: accountName, source: ascii("local:0:bind"), userID: userID,
            life: sessionLife(life))
    }
}

extension HostKey {
    package borrowing func sealed(_ bind: Bind) throws(Reason) -> TaggedQuestion {
        do throws(SealFailure) { return TaggedQuestion(question: bind.octets, tag: try tag(of: bind)) } catch
        {
            throw .outOfMemory
        }
    }

    /// The session, if mpind sealed it for this question; otherwise throws `.seal`, and it must not be shown.
    package borrowing func session(
        _ answer: RelaySessionResponse, to bind: Bind, from start: Int
    ) throws(Reason) -> BindSession {
        let session = try session(answer, to: bind.a, life: bind.life, from: start)
        return BindSession(a: session.a, wid: session.wid, number: session.number, end: session.end)
    }

    /// The phone that approved the session; nil: none has. Throws `.seal` for an answer that is not sealed
    /// for this session, or about a phone that is enrolled under another user id than the question demands.
    package borrowing func phone(_ answer: RelaySealedResponse, to bind: Bind) throws(Reason) -> BoundPhone? {
        guard let opened = open(bindAnswer: answer.answer, tag: answer.tag, to: bind.a) else {
            throw .seal(.wrongTag)
        }
        switch opened.verdict {
        case .notApproved: return nil
        case .granted:
            guard bind.userID.isEmpty || bind.userID == opened.userID else { throw .seal(.otherIdentity) }
            return BoundPhone(id: opened.id, userID: opened.userID, registered: opened.registered)
        case .wrong, .blocked, .revoked, .secretExpired: throw .seal(.otherIdentity)
        }
    }

    /// Whether `typed` is the approval code that the phone of this identity shows; compared in constant time.
    package borrowing func isCode(
        _ typed: [UInt8], of phone: BoundPhone, in session: BindSession
    ) throws(Reason) -> Bool {
        let code: Secret
        do throws(OutOfMemory) { code = try unsafe Secret(copying: typed.span.bytes) } catch {
            throw .outOfMemory
        }
        do throws(SealFailure) {
            return try isBindCode(code, a: session.a, wid: session.wid, id: phone.id)
        } catch { throw .outOfMemory }
    }
}

/// Whether what was typed can be an approval code: six letters of the code alphabet.
package func readsAsApprovalCode(_ typed: [UInt8]) -> Bool {
    guard let typed = try? unsafe Secret(copying: typed.span.bytes) else { return false }
    return PhoneCode.reads(typed)
}
