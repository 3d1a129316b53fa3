// SPDX-License-Identifier: Apache-2.0
// Approval codes and the tags of one-time passwords. Host and mpind both compute them; they are never sent to
// each other in the clear.
package import Octets
package import Secrets

/// The approval code, six letters that a second device shows (seal-devices.md, section 11).
package enum PhoneCode {
    package static let count = 6

    /// Whether the typed text has the form of an approval code, right or wrong, so that it is not taken for a
    /// PIN.
    package static func reads(_ typed: borrowing Secret) -> Bool {
        CodeAlphabet.reads(typed, count: count)
    }
}

/// The one-time password: six digits that a second device shows after a proof for this purpose alone.
package enum OTPDigits {
    package static let count = 6

    /// Whether the typed text has the form of a one-time password.
    package static func reads(_ typed: borrowing Secret) -> Bool {
        CodeAlphabet.reads(typed, count: count, among: CodeAlphabet.digits)
    }
}

extension HostKey {
    /// The approval code, six letters, of the session `wid` (32 hexadecimal digits, as text) that the
    /// question `a` opened.
    package borrowing func phoneCode(a: QuestionHash, wid: [UInt8]) throws(SealFailure) -> Secret {
        guard wid.count <= SealBound.text else { throw .malformed }
        var writer = SealWriter("mpin code 1")
        writer.fixed(a)
        writer.text(wid)
        return try sixLetters(codeKey, writer.octets)
    }

    /// Whether the typed text is that code; compared in constant time.
    package borrowing func isPhoneCode(
        _ typed: borrowing Secret, a: QuestionHash, wid: [UInt8]
    ) throws(SealFailure) -> Bool {
        try isCode(typed, phoneCode(a: a, wid: wid))
    }

    /// The tags of a typed one-time password, one of 32 octets for each of these identities, which might own
    /// it. Throws `malformed` unless the text is six digits.
    package borrowing func otpTags(
        of typed: borrowing Secret, a: QuestionHash, ids: [IdentityHash]
    ) throws(SealFailure) -> [UInt8] {
        let digits: Secret?
        do {
            digits = try CodeAlphabet.letters(
                of: typed, count: OTPDigits.count, among: CodeAlphabet.digits)
        } catch { throw .outOfMemory }
        guard let digits else { throw .malformed }
        var tags: [UInt8] = []
        for id in ids { tags += try otpTag(digits, a: a, id: id) }
        return tags
    }

    /// The tag, 32 octets, that identifies a one-time password of the identity `id` without revealing it
    /// (seal.md, section 6).
    package borrowing func otpTag(
        _ otp: borrowing Secret, a: QuestionHash, id: IdentityHash
    ) throws(SealFailure) -> [UInt8] {
        guard let count = UInt16(exactly: otp.count) else { throw .malformed }
        var writer = SealWriter("mpin otp 1")
        writer.fixed(a)
        writer.fixed(id)
        writer.number(count)
        do {
            return try hmac(key: codeKey, try Secret(joining: writer.octets, otp))
        } catch { throw .outOfMemory }
    }
}

/// The six letters of a code: the first 8 octets of HMAC-SHA-256 of `octets`, as a number whose last six
/// digits in base 20 become letters (seal-devices.md, section 11).
func sixLetters(_ key: borrowing Secret, _ octets: [UInt8]) throws(SealFailure) -> Secret {
    let digest = try derived(key, octets)
    var code = try secret(count: PhoneCode.count)
    code.withMutableBytes { code in
        digest.withBytes { digest in
            var rest: UInt64 = 0
            for index in 0..<8 {
                rest = rest << 8 | UInt64(unsafe digest.unsafeLoad(fromByteOffset: index, as: UInt8.self))
            }
            for index in (0..<PhoneCode.count).reversed() {
                let (letter, before) = CodeAlphabet.lastLetter(rest)
                code.storeBytes(of: letter, toByteOffset: index, as: UInt8.self)
                rest = before
            }
        }
    }
    return code
}

/// Whether the typed text is the code `right`, in upper or lower case, with or without blanks and hyphens;
/// compared in constant time.
func isCode(_ typed: borrowing Secret, _ right: consuming Secret) throws(SealFailure) -> Bool {
    let letters: Secret?
    do { letters = try CodeAlphabet.letters(of: typed, count: PhoneCode.count) } catch {
        throw .outOfMemory
    }
    guard let letters else { return false }
    return constantTimeEqual(letters, right)
}
