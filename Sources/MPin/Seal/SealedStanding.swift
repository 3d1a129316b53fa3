// SPDX-License-Identifier: Apache-2.0
// Whether an account's identities are revoked, as mpind seals it (seal.md, section 9).
import Secrets

/// Asked before a backup code is struck out: a revoked account has no last way in.
package struct SealedStanding: Equatable, Sendable {
    /// Octets of `octets`.
    package static let count = 49
    /// Hash of the question that is answered.
    package let a: [UInt8]
    /// Every identity of the question is revoked, or belongs to a revoked user.
    package let isRevoked: Bool

    /// nil unless `a` has 32 octets.
    package init?(a: [UInt8], isRevoked: Bool) {
        guard a.count == 32 else { return nil }
        (self.a, self.isRevoked) = (a, isRevoked)
    }

    package var octets: [UInt8] {
        var writer = SealWriter("mpin standing 1")
        writer.fixed(a)
        writer.number((isRevoked ? Verdict.revoked : .granted).rawValue)
        return writer.octets
    }

    /// Reads `octets`; nil for whatever this type would not write itself.
    package init?(decoding octets: [UInt8]) {
        guard var reader = SealReader(octets, label: "mpin standing 1"), let a = reader.fixed(32),
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
    /// The tag of what mpind says of an account, 32 octets.
    package borrowing func tag(of standing: SealedStanding) throws(SealFailure) -> [UInt8] {
        try tagged(answerKey, standing.octets)
    }

    /// The standing, if it was sealed under this key for the question `a`; nil for anything else.
    package borrowing func open(standing: [UInt8], tag: [UInt8], to a: [UInt8]) -> SealedStanding? {
        guard let right = try? tagged(answerKey, standing), constantTimeEqual(tag, right),
            let standing = SealedStanding(decoding: standing), standing.a == a
        else { return nil }
        return standing
    }
}
