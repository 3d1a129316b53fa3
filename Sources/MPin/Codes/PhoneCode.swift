// SPDX-License-Identifier: Apache-2.0
// What nobody sends because both ends can compute it: the phone's code, and tags of one-time passwords.
package import Secrets

/// The approval code, six letters that a second device shows (seal-devices.md, section 11).
package enum PhoneCode {
    package static let count = 6

    /// Whether what was typed can only be a phone's code, right or wrong, and so is no PIN.
    package static func reads(_ typed: borrowing Secret) -> Bool {
        CodeAlphabet.reads(typed, count: count)
    }
}

/// The six digits that a second device shows who made a proof for nothing else.
package enum OneTimePassword {
    package static let count = 6

    /// Whether what was typed can be one.
    package static func reads(_ typed: borrowing Secret) -> Bool {
        CodeAlphabet.reads(typed, count: count, among: CodeAlphabet.digits)
    }
}

extension HostKey {
    /// The code of the session `wid` (32 hex digits, as text) that the question `a` opened: six letters.
    package borrowing func phoneCode(a: [UInt8], wid: [UInt8]) throws(SealFailure) -> Secret {
        guard a.count == 32, wid.count <= SealBound.text else { throw .malformed }
        var writer = SealWriter("mpin code 1")
        writer.fixed(a)
        writer.text(wid)
        return try sixLetters(codeKey, writer.octets)
    }

    /// Whether what was typed is that code; compared in constant time.
    package borrowing func isPhoneCode(
        _ typed: borrowing Secret, a: [UInt8], wid: [UInt8]
    ) throws(SealFailure) -> Bool {
        try isCode(typed, phoneCode(a: a, wid: wid))
    }

    /// The tags that what was typed has if it is the password of one of these identities: 32 octets for each.
    package borrowing func otpTags(
        of typed: borrowing Secret, a: [UInt8], ids: [[UInt8]]
    ) throws(SealFailure) -> [UInt8] {
        let digits: Secret?
        do {
            digits = try CodeAlphabet.letters(
                of: typed, count: OneTimePassword.count, among: CodeAlphabet.digits)
        } catch { throw .outOfMemory }
        guard let digits else { throw .malformed }
        var tags: [UInt8] = []
        for id in ids { tags += try otpTag(digits, a: a, id: id) }
        return tags
    }

    /// The tag that names a one-time password of the identity `id` without showing it (seal.md, section 6).
    package borrowing func otpTag(
        _ otp: borrowing Secret, a: [UInt8], id: [UInt8]
    ) throws(SealFailure) -> [UInt8] {
        guard a.count == 32, id.count == 32, let count = UInt16(exactly: otp.count) else { throw .malformed }
        var writer = SealWriter("mpin otp 1")
        writer.fixed(a)
        writer.fixed(id)
        writer.number(count)
        do {
            return try hmac(key: codeKey, try Secret(joining: writer.octets, otp))
        } catch { throw .outOfMemory }
    }
}

/// The six letters of a code: HMAC-SHA-256 of `octets`, its first 8 octets in base 20 (seal.md, section 1).
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

/// Whether what was typed is the code `right`, in any spelling; compared in constant time.
func isCode(_ typed: borrowing Secret, _ right: consuming Secret) throws(SealFailure) -> Bool {
    let letters: Secret?
    do { letters = try CodeAlphabet.letters(of: typed, count: PhoneCode.count) } catch {
        throw .outOfMemory
    }
    guard let letters else { return false }
    return constantTimeEqual(letters, right)
}
