// SPDX-License-Identifier: Apache-2.0
// The standing of an account: mpind's sealed statement whether its identities are revoked (seal.md, section
// 9).
package import Octets
import Secrets

/// Whether an account is revoked. The host requests it before it strikes out a backup code, so that a revoked
/// account cannot log in by one.
package struct SealedStanding: Equatable, Sendable {
    /// The length of `octets`.
    package static let count = 49
    /// The hash A of the question that is answered.
    package let a: QuestionHash
    /// Whether every identity of the question is revoked or belongs to a revoked or suspended user.
    package let isRevoked: Bool

    /// The answer to the question with this hash A.
    package init(a: QuestionHash, isRevoked: Bool) {
        (self.a, self.isRevoked) = (a, isRevoked)
    }

    package var octets: [UInt8] {
        var writer = SealWriter("mpin standing 1")
        writer.fixed(a)
        writer.number((isRevoked ? Verdict.revoked : .granted).rawValue)
        return writer.octets
    }

    /// Decodes `octets`; nil unless they are exactly what this type would write.
    package init?(decoding octets: [UInt8]) {
        guard var reader = SealReader(octets, label: "mpin standing 1"), let a: QuestionHash = reader.fixed(),
            let verdict = reader.number(UInt8.self).flatMap(Verdict.init), reader.isAtEnd
        else { return nil }
        switch verdict {
        case .granted: self.init(a: a, isRevoked: false)
        case .revoked: self.init(a: a, isRevoked: true)
        case .wrong, .blocked, .secretExpired, .notApproved: return nil
        }
    }
}

extension HostKey {
    /// The tag of a standing, 32 octets.
    package borrowing func tag(of standing: SealedStanding) throws(SealFailure) -> [UInt8] {
        try tagged(answerKey, standing.octets)
    }

    /// The standing, if it was sealed under this key for the question `a`; otherwise nil.
    package borrowing func open(standing: [UInt8], tag: [UInt8], to a: QuestionHash) -> SealedStanding? {
        guard let right = try? tagged(answerKey, standing), constantTimeEqual(tag, right),
            let standing = SealedStanding(decoding: standing), standing.a == a
        else { return nil }
        return standing
    }
}
