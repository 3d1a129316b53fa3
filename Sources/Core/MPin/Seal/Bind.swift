// SPDX-License-Identifier: Apache-2.0
// Binding a phone to an account of a host: the question, mpind's answer, the approval code, and the
// confirmation (seal-devices.md, section 15).
package import Octets
package import Secrets

/// The question of a host that wants to bind a phone to an account. It names no identity: mpind reports which
/// identity approved, and the approval code proves to the host that it belongs to the user's own phone.
package struct Bind: Equatable, Sendable {
    /// The host's registered name.
    package let host: [UInt8]
    /// From `SealedQuestion.nonce(at:random:)`.
    package let nonce: QuestionNonce
    /// The account to which the phone is bound.
    package let account: [UInt8]
    /// As in `SealedQuestion`.
    package let source: [UInt8]
    /// The userID under which the phone must be enrolled; if it is empty, any userID.
    package let userID: [UInt8]
    /// The life of the session in seconds.
    package let life: UInt16
    /// The encoding that is sealed.
    package let octets: [UInt8]
    /// A: SHA-256 of `octets`; it names the question from here on.
    package let a: QuestionHash

    /// nil unless the texts have at most 255 octets, and host, account and source at least one.
    package init?(
        host: [UInt8], nonce: QuestionNonce, account: [UInt8], source: [UInt8], userID: [UInt8], life: UInt16
    ) {
        let texts = [host, account, source, userID]
        guard texts.allSatisfy({ $0.count <= SealBound.text }),
            texts.prefix(3).allSatisfy({ !$0.isEmpty })
        else { return nil }
        (self.host, self.nonce, self.account, self.source) = (host, nonce, account, source)
        (self.userID, self.life) = (userID, life)
        var writer = SealWriter("mpin bind 1")
        writer.text(host)
        writer.fixed(nonce)
        for text in texts.dropFirst() { writer.text(text) }
        writer.number(life)
        octets = writer.octets
        a = QuestionHash(sha256: octets)
    }

    /// Decodes `octets`; nil unless they are exactly what this type would write.
    package init?(decoding octets: [UInt8]) {
        guard var reader = SealReader(octets, label: "mpin bind 1"),
            let host = reader.text(), let nonce: QuestionNonce = reader.fixed(), let account = reader.text(),
            let source = reader.text(), let userID = reader.text(), let life = reader.number(UInt16.self),
            reader.isAtEnd
        else { return nil }
        self.init(host: host, nonce: nonce, account: account, source: source, userID: userID, life: life)
    }

    /// When the host made the question: its own clock, in seconds since 1970-01-01 UTC.
    package var seconds: UInt64 { SealedQuestion.seconds(ofNonce: nonce) }
}

/// mpind's sealed answer to a bind question: which identity approved (seal-devices.md, section 15).
package struct SealedBindAnswer: Equatable, Sendable {
    /// The possible lengths of `octets`: from an empty userID to the longest.
    package static let counts = 94...94 + SealBound.text
    /// The hash A of the question that is answered.
    package let a: QuestionHash
    package let verdict: Verdict
    /// The hash of the identity that approved; 32 zero octets unless granted.
    package let id: IdentityHash
    /// Empty unless granted.
    package let userID: [UInt8]
    /// When the identity was registered, in seconds since 1970-01-01 UTC; 0 unless granted.
    package let registered: UInt64

    /// nil unless the userID has at most 255 octets.
    package init?(a: QuestionHash, verdict: Verdict, id: IdentityHash, userID: [UInt8], registered: UInt64) {
        guard userID.count <= SealBound.text else { return nil }
        (self.a, self.verdict, self.id) = (a, verdict, id)
        (self.userID, self.registered) = (userID, registered)
    }

    /// An answer that binds no phone: no identity approved, or one approved that is not permitted to.
    package init(a: QuestionHash, refused verdict: Verdict) {
        (self.a, self.verdict, self.id) = (a, verdict, .zero)
        (self.userID, self.registered) = ([], 0)
    }

    package var octets: [UInt8] {
        var writer = SealWriter("mpin bind answer 1")
        writer.fixed(a)
        writer.number(verdict.rawValue)
        writer.fixed(id)
        writer.text(userID)
        writer.number(registered)
        return writer.octets
    }

    /// Decodes `octets`; nil unless they are exactly what this type would write.
    package init?(decoding octets: [UInt8]) {
        guard var reader = SealReader(octets, label: "mpin bind answer 1"),
            let a: QuestionHash = reader.fixed(),
            let verdict = reader.number(UInt8.self).flatMap(Verdict.init),
            let id: IdentityHash = reader.fixed(),
            let userID = reader.text(), let registered = reader.number(UInt64.self), reader.isAtEnd
        else { return nil }
        self.init(a: a, verdict: verdict, id: id, userID: userID, registered: registered)
    }
}

extension HostKey {
    /// The tag of a bind question, 32 octets.
    package borrowing func tag(of bind: Bind) throws(SealFailure) -> [UInt8] {
        try tagged(askKey, bind.octets)
    }

    /// Whether a host with this key sealed the question; compared in constant time.
    package borrowing func verifies(_ tag: [UInt8], of bind: Bind) -> Bool {
        matches(tag, try? self.tag(of: bind))
    }

    /// The tag of mpind's answer to a bind question, 32 octets.
    package borrowing func tag(of answer: SealedBindAnswer) throws(SealFailure) -> [UInt8] {
        try tagged(answerKey, answer.octets)
    }

    /// The answer, if it was sealed under this key for the question `a`; otherwise nil. The caller must check
    /// whether it grants.
    package borrowing func open(bindAnswer: [UInt8], tag: [UInt8], to a: QuestionHash) -> SealedBindAnswer? {
        guard matches(tag, try? tagged(answerKey, bindAnswer)),
            let answer = SealedBindAnswer(decoding: bindAnswer), answer.a == a
        else { return nil }
        return answer
    }

    /// The approval code, six letters, that the phone of the identity `id` shows. Another phone shows another
    /// code.
    package borrowing func bindCode(
        a: QuestionHash, wid: [UInt8], id: IdentityHash
    ) throws(SealFailure) -> Secret {
        guard wid.count <= SealBound.text else { throw .malformed }
        var writer = SealWriter("mpin bind code 1")
        writer.fixed(a)
        writer.text(wid)
        writer.fixed(id)
        return try sixLetters(codeKey, writer.octets)
    }

    /// Whether the typed text is that code; compared in constant time.
    package borrowing func isBindCode(
        _ typed: borrowing Secret, a: QuestionHash, wid: [UInt8], id: IdentityHash
    ) throws(SealFailure) -> Bool {
        try isCode(typed, bindCode(a: a, wid: wid, id: id))
    }

    /// The tag, 32 octets, by which the host confirms to mpind that the approval code was right and that the
    /// phone of `id` is bound (seal-devices.md, section 15).
    package borrowing func bindDoneTag(a: QuestionHash, id: IdentityHash) throws(SealFailure) -> [UInt8] {
        var writer = SealWriter("mpin bind done 1")
        writer.fixed(a)
        writer.fixed(id)
        return try tagged(askKey, writer.octets)
    }

    /// Whether a host with this key confirmed that the phone of `id` is bound.
    package borrowing func verifies(bindDone tag: [UInt8], a: QuestionHash, id: IdentityHash) -> Bool {
        matches(tag, try? bindDoneTag(a: a, id: id))
    }
}
