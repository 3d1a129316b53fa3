// SPDX-License-Identifier: Apache-2.0
// How a verdict is expressed: its HTTP status, the message for clients, and the word in logs.
import MPin
import MPinStorage
import MPinWire

/// What represents a verdict in an answer without a seal, and in logs.
struct VerdictWords: Sendable {
    /// The HTTP status.
    let status: Int
    /// The message for the client.
    let text: String
    /// The word of the log and of the audit trail.
    let log: String

    /// Logs, and answers without a seal, distinguish a suspension from a revocation.
    static let suspended = VerdictWords(status: 403, text: "Suspended", log: "suspended")
    /// A block that only an administrator ends. At 410 a Milagro client erases its token, so a lock that ends
    /// by itself has another status.
    static let blockedForGood = VerdictWords(status: 410, text: "Blocked", log: "blocked")
}

extension Verdict {
    var words: VerdictWords {
        switch self {
        case .granted: VerdictWords(status: 200, text: "Authentication successful", log: "granted")
        case .wrong: VerdictWords(status: 401, text: "Wrong PIN.", log: "wrong")
        // Also for a lock that ends by itself.
        case .blocked: VerdictWords(status: 403, text: "Blocked", log: "blocked")
        case .revoked: VerdictWords(status: 403, text: "Revoked", log: "revoked")
        case .secretExpired: VerdictWords(status: 409, text: "Client secret expired", log: "secret-expired")
        case .notApproved: VerdictWords(status: 408, text: "Not approved", log: "not-approved")
        }
    }

    /// As `words`, but with those of a suspension if that is why `mpin` is refused.
    func words(of mpin: MpinRecord?) -> VerdictWords {
        self == .revoked && mpin?.isSuspended == true ? .suspended : words
    }
}

extension MpinRecord {
    /// The verdict on an identity whose proof was good, by its present state: a revoked or suspended one is
    /// `revoked`, a blocked one `blocked`.
    var standing: Verdict {
        revokedAt != nil || isSuspended ? .revoked : blockedAt != nil ? .blocked : .granted
    }
}
