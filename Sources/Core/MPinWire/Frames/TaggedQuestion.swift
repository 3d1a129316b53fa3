// SPDX-License-Identifier: Apache-2.0
// The messages of sessions, of one-time passwords, and of a phone's binding; and what all sealed ones have.
package import Octets

/// A sealed question and its tag; both are empty without a host key (with a Milagro server).
package struct TaggedQuestion: Equatable, Sendable {
    package static let none = TaggedQuestion(question: [], tag: [])
    /// The octets of a `SealedQuestion` or a `Bind`.
    package let question: [UInt8]
    /// 32 octets.
    package let tag: [UInt8]

    package init(question: [UInt8], tag: [UInt8]) {
        self.question = question
        self.tag = tag
    }

    package var isNone: Bool { question.isEmpty && tag.isEmpty }

    /// - Parameter isOptional: whether both may be empty.
    func passed(
        through fields: inout FrameFields, isOptional: Bool = false
    ) throws(FrameError) -> TaggedQuestion {
        let question = try fields.octets(question, (isOptional ? 0 : 1)...Bound.question)
        let tag = try fields.octets(tag, 32, or: 0)
        guard question.isEmpty == tag.isEmpty else { throw .badField }
        return TaggedQuestion(question: question, tag: tag)
    }
}

/// A session that mpind opened for a console, and mpind's tag.
package struct RelaySessionResponse: Equatable, Sendable {
    static let none = RelaySessionResponse(wid: [], number: [], life: 0, tag: [])
    /// 32 hexadecimal digits, as text.
    package let wid: [UInt8]
    /// The access number: seven digits, as text.
    package let number: [UInt8]
    /// The life of the session in seconds.
    package let life: UInt16
    package let tag: [UInt8]

    package init(wid: [UInt8], number: [UInt8], life: UInt16, tag: [UInt8]) {
        self.wid = wid
        self.number = number
        self.life = life
        self.tag = tag
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelaySessionResponse {
        RelaySessionResponse(
            wid: try fields.text(wid, 32...32), number: try fields.text(number, 7...7),
            life: try fields.number(life), tag: try fields.octets(tag, 32))
    }
}

/// Ends a session for which the host no longer waits. `wid` has 32 hexadecimal digits; `a` is the hash of the
/// session's question.
package struct RelayEndRequest: Equatable, Sendable {
    package let wid: [UInt8]
    package let a: QuestionHash

    package init(wid: [UInt8], a: QuestionHash) {
        self.wid = wid
        self.a = a
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayEndRequest {
        RelayEndRequest(wid: try fields.text(wid, 1...Bound.wid), a: try fields.fixed(a))
    }
}

/// A sealed question and the tags of the one-time password typed at this host: 32 octets for each identity of
/// the question, one after the other.
package struct RelayOTPRequest: Equatable, Sendable {
    package let sealed: TaggedQuestion
    package let tags: [UInt8]

    package init(_ sealed: TaggedQuestion, tags: [UInt8]) {
        self.sealed = sealed
        self.tags = tags
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayOTPRequest {
        RelayOTPRequest(try sealed.passed(through: &fields), tags: try fields.otpTags(tags))
    }
}

/// Reports that the approval code was right and the phone is bound.
package struct RelayBindDoneRequest: Equatable, Sendable {
    /// The hash of the `Bind`.
    package let a: QuestionHash
    /// 32 octets: `HostKey.bindDoneTag`.
    package let tag: [UInt8]

    package init(a: QuestionHash, tag: [UInt8]) {
        self.a = a
        self.tag = tag
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayBindDoneRequest {
        RelayBindDoneRequest(a: try fields.fixed(a), tag: try fields.octets(tag, 32))
    }
}

extension FrameFields {
    /// 32 octets for each identity of a question.
    mutating func otpTags(_ value: [UInt8]) throws(FrameError) -> [UInt8] {
        let tags = try octets(value, 0...Bound.identities * 32)
        guard tags.count.isMultiple(of: 32) else { throw .badField }
        return tags
    }
}
