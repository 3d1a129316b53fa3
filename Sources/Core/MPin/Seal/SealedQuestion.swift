// SPDX-License-Identifier: Apache-2.0
// The sealed question of a login host: who wants to log in where, with which identities (seal.md, section 3).
package import Octets
import Secrets

/// A question that a login host asks mpind once, sealed under its key (`ask`). Its SHA-256 is A, which names
/// the question from then on.
package struct SealedQuestion: Equatable, Sendable {
    /// The service of a session that binds a phone (Bind.swift).
    package static let bindService = ascii("bind")
    /// The service of a question that seals an enrolment.
    package static let enrollService = ascii("enroll")
    /// The service of a question whose login authorises a new PIN.
    package static let changePINService = ascii("change-pin")
    /// The service of questions of `mpin test` and of the login that ends an enrolment.
    package static let ownService = ascii("mpin-command")
    /// The service of a question whether an account's identities are revoked.
    package static let standingService = ascii("standing")
    /// Services that are each reserved for one call: no login runs under such a name.
    package static let reservedServices = [
        bindService, enrollService, changePINService, ascii("move"), standingService, ascii("browser"),
        ascii("application"), ascii("push"), ascii("webauthn"),
    ]
    /// Whether a PAM service may have this name: a question of it is neither one of mpin's own commands nor
    /// one for a reserved call.
    package static func mayBePAM(_ service: [UInt8]) -> Bool {
        service != ownService && !reservedServices.contains(service)
    }
    /// Bit 0 of `flags`: the host accepts proofs without `seen`.
    package static let acceptsUnseen: UInt8 = 1
    /// Bit 1 of `flags`: the login shows its user no notice, so mpind keeps the notice for a later one.
    package static let showsNoNotice: UInt8 = 2

    /// The host's registered name.
    package let host: [UInt8]
    /// From `nonce(at:random:)`.
    package let nonce: QuestionNonce
    /// The PAM service, or one of the names above.
    package let service: [UInt8]
    /// The account that wants to log in.
    package let account: [UInt8]
    /// A numeric address, or `local:` and the caller's real uid (seal.md, section 3, lists all forms).
    package let source: [UInt8]
    /// The terminal as PAM names it; may be empty.
    package let tty: [UInt8]
    /// Bits such as `acceptsUnseen`.
    package let flags: UInt8
    /// How long the session or the one-time password question lives, in seconds.
    package let life: UInt16
    /// The hashes of the identities that may answer.
    package let ids: [IdentityHash]
    /// The encoding that is sealed.
    package let octets: [UInt8]
    /// A: SHA-256 of `octets`; it names the question from here on.
    package let a: QuestionHash

    /// nil unless the texts have at most 255 octets (host, service and account at least one), and there are
    /// at most 64 ids.
    package init?(
        host: [UInt8], nonce: QuestionNonce, service: [UInt8], account: [UInt8], source: [UInt8],
        tty: [UInt8],
        flags: UInt8, life: UInt16, ids: [IdentityHash]
    ) {
        let texts = [host, service, account, source, tty]
        guard texts.allSatisfy({ $0.count <= SealBound.text }),
            texts.prefix(3).allSatisfy({ !$0.isEmpty }), ids.count <= SealBound.identities
        else { return nil }
        (self.host, self.nonce, self.service, self.account) = (host, nonce, service, account)
        (self.source, self.tty, self.flags, self.life, self.ids) = (source, tty, flags, life, ids)
        var writer = SealWriter("mpin ask 1")
        writer.text(host)
        writer.fixed(nonce)
        for text in texts.dropFirst() { writer.text(text) }
        writer.number(flags)
        writer.number(life)
        writer.number(UInt16(clamping: ids.count))
        for id in ids { writer.fixed(id) }
        octets = writer.octets
        a = QuestionHash(sha256: octets)
    }

    /// Decodes `octets`; nil unless they are exactly what this type would write.
    package init?(decoding octets: [UInt8]) {
        guard var reader = SealReader(octets, label: "mpin ask 1"),
            let host = reader.text(), let nonce: QuestionNonce = reader.fixed(), let service = reader.text(),
            let account = reader.text(), let source = reader.text(), let tty = reader.text(),
            let flags = reader.number(UInt8.self), let life = reader.number(UInt16.self),
            let count = reader.number(UInt16.self)
        else { return nil }
        var ids: [IdentityHash] = []
        for _ in 0..<count {
            guard let id: IdentityHash = reader.fixed() else { return nil }
            ids.append(id)
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            host: host, nonce: nonce, service: service, account: account, source: source, tty: tty,
            flags: flags, life: life, ids: ids)
    }

    /// A nonce of 32 octets: the time in seconds since 1970-01-01 UTC and 24 random octets; nil for another
    /// number of random octets.
    package static func nonce(at seconds: UInt64, random: [UInt8]) -> QuestionNonce? {
        QuestionNonce(bigEndian(seconds) + random)
    }

    /// When the host made the question: its own clock, in seconds since 1970-01-01 UTC.
    package var seconds: UInt64 { SealedQuestion.seconds(ofNonce: nonce) }

    /// The time in a nonce, in seconds since 1970-01-01 UTC.
    static func seconds(ofNonce nonce: QuestionNonce) -> UInt64 {
        nonce.octets.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
