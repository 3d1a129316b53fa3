// SPDX-License-Identifier: Apache-2.0
// The messages between host and mpind that are sealed under the host key: question, session, verdict
// (seal.md).
package import Octets
import Secrets

/// How a user proved who they are, with the number in the sealed answer (`way` in seal.md, section 5).
package enum AuthenticationMethod: UInt8, Sendable, CaseIterable {
    case pin = 1
    case phone = 2
    case otp = 3
}

/// mpind's verdict on a question, with the number in the sealed answer (seal.md, section 5).
package enum Verdict: UInt8, Sendable, CaseIterable {
    case granted = 0
    case wrong = 1
    case blocked = 2
    case revoked = 3
    case secretExpired = 4
    case notApproved = 5
}

/// mpind's answer to a question, which carries the verdict (seal.md, section 5).
package struct SealedVerdict: Equatable, Sendable {
    /// The length of `octets`.
    package static let count = 86
    /// The hash A of the question that is answered.
    package let a: QuestionHash
    package let way: AuthenticationMethod
    package let verdict: Verdict
    /// The hash of the identity that proved itself; 32 zero octets if none did.
    package let id: IdentityHash
    /// How many wrong tries remain (seal.md, section 5); nil if mpind does not say.
    package let triesLeft: UInt16?
    /// For the verdict `blocked`: the seconds until mpind accepts the next try; 0 if mpind does not say,
    /// `UInt32.max` if no time ends the block.
    package let secondsUntilRelease: UInt32

    /// A nil `id` becomes 32 zero octets.
    package init(
        a: QuestionHash, way: AuthenticationMethod, verdict: Verdict, id: IdentityHash?, triesLeft: UInt16?,
        secondsUntilRelease: UInt32
    ) {
        (self.a, self.way, self.verdict, self.id) = (a, way, verdict, id ?? .zero)
        self.triesLeft = triesLeft == .max ? nil : triesLeft
        self.secondsUntilRelease = secondsUntilRelease
    }

    package var octets: [UInt8] {
        var writer = SealWriter("mpin answer 1")
        writer.fixed(a)
        writer.number(way.rawValue)
        writer.number(verdict.rawValue)
        writer.fixed(id)
        writer.number(triesLeft ?? .max)
        writer.number(secondsUntilRelease)
        return writer.octets
    }

    /// Decodes `octets`; nil unless they are exactly what this type would write.
    package init?(decoding octets: [UInt8]) {
        guard var reader = SealReader(octets, label: "mpin answer 1"), let a: QuestionHash = reader.fixed(),
            let way = reader.number(UInt8.self).flatMap(AuthenticationMethod.init),
            let verdict = reader.number(UInt8.self).flatMap(Verdict.init),
            let id: IdentityHash = reader.fixed(),
            let triesLeft = reader.number(UInt16.self), let seconds = reader.number(UInt32.self),
            reader.isAtEnd
        else { return nil }
        self.init(
            a: a, way: way, verdict: verdict, id: id, triesLeft: triesLeft, secondsUntilRelease: seconds)
    }
}

/// A session for the second device, as mpind opened it (seal-devices.md, section 11).
package struct SealedSession: Equatable, Sendable {
    /// The hash A of the question that opened the session.
    package let a: QuestionHash
    /// 32 hexadecimal digits, as text.
    package let wid: [UInt8]
    /// The access number, as text.
    package let number: [UInt8]
    /// The life of the session in seconds.
    package let life: UInt16

    /// nil unless the texts have at most 255 octets.
    package init?(a: QuestionHash, wid: [UInt8], number: [UInt8], life: UInt16) {
        guard wid.count <= SealBound.text, number.count <= SealBound.text else { return nil }
        (self.a, self.wid, self.number, self.life) = (a, wid, number, life)
    }

    package var octets: [UInt8] {
        var writer = SealWriter("mpin session 1")
        writer.fixed(a)
        writer.text(wid)
        writer.text(number)
        writer.number(life)
        return writer.octets
    }
}

/// Why the host does not accept an answer to its question; each of these denies the login.
package enum AnswerRefusal: Error, Equatable {
    /// The answer is not sealed under this host's key (or there was no memory to check).
    case wrongTag
    /// What is sealed does not have the form of an answer.
    case notAnAnswer
    case otherQuestion
    case otherWay
}

extension HostKey {
    /// The tag of a question, 32 octets.
    package borrowing func tag(of question: SealedQuestion) throws(SealFailure) -> [UInt8] {
        try tagged(askKey, question.octets)
    }

    /// Whether a host with this key sealed the question; compared in constant time.
    package borrowing func verifies(_ tag: [UInt8], of question: SealedQuestion) -> Bool {
        matches(tag, try? self.tag(of: question))
    }

    /// The tag of an opened session, 32 octets.
    package borrowing func tag(of session: SealedSession) throws(SealFailure) -> [UInt8] {
        try tagged(answerKey, session.octets)
    }

    /// Whether mpind sealed the session for this host; compared in constant time.
    package borrowing func verifies(_ tag: [UInt8], of session: SealedSession) -> Bool {
        matches(tag, try? self.tag(of: session))
    }

    /// The tag of a verdict, 32 octets.
    package borrowing func tag(of verdict: SealedVerdict) throws(SealFailure) -> [UInt8] {
        try tagged(answerKey, verdict.octets)
    }

    /// The verdict, if it was sealed under this key for the question `a` and the method `way`. The caller
    /// must check whether its identity belongs to the account and whether it grants.
    package borrowing func open(
        answer: [UInt8], tag: [UInt8], to a: QuestionHash, by way: AuthenticationMethod
    ) throws(AnswerRefusal) -> SealedVerdict {
        guard matches(tag, try? tagged(answerKey, answer)) else { throw .wrongTag }
        guard let verdict = SealedVerdict(decoding: answer) else { throw .notAnAnswer }
        guard verdict.a == a else { throw .otherQuestion }
        guard verdict.way == way else { throw .otherWay }
        return verdict
    }
}

/// Compares two tags in constant time; a right tag that could not be computed (nil) matches no tag.
func matches(_ tag: [UInt8], _ right: [UInt8]?) -> Bool {
    guard let right else { return false }
    return constantTimeEqual(tag, right)
}
