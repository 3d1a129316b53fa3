// SPDX-License-Identifier: Apache-2.0
// The verdict on an identity by its present state, and its words.
import MPin

extension IdentityRecord {
    /// The verdict on an identity whose proof was good, by its present state: a revoked or suspended one is
    /// `revoked`, a blocked one `blocked`.
    var standing: Verdict {
        isOut ? .revoked : blockedAt != nil ? .blocked : .granted
    }
}

extension Verdict {
    /// As `words`, but with those of a suspension if that is why `identity` is refused, and with those of a
    /// lock if it is not blocked.
    func words(of identity: IdentityRecord?) -> VerdictWords {
        switch self {
        case .revoked where identity?.isSuspended == true: .suspended
        case .blocked where identity?.blockedAt == nil: .locked
        case .granted, .wrong, .blocked, .revoked, .secretExpired, .notApproved: words
        }
    }
}
