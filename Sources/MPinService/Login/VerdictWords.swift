// SPDX-License-Identifier: Apache-2.0
// How a verdict is told: its status, and the words of clients and of logs.
import MPin
import MPinStorage
import MPinWire

/// What stands for a verdict where nothing is sealed.
struct VerdictWords: Sendable {
    /// Of HTTP.
    let status: Int
    /// What a client is told.
    let text: String
    /// The word of the log and of the audit trail.
    let log: String

    /// Where logs and clients without a seal know a suspension from a revocation.
    static let suspended = VerdictWords(status: 403, text: "Suspended", log: "suspended")
    /// Until an administrator unlocks it. At 410 a Milagro client erases its token, so no lock that ends by
    /// itself has that status.
    static let blockedForGood = VerdictWords(status: 410, text: "Blocked", log: "blocked")
}

extension Verdict {
    var words: VerdictWords {
        switch self {
        case .granted: VerdictWords(status: 200, text: "Authentication successful", log: "granted")
        case .wrong: VerdictWords(status: 401, text: "Wrong PIN.", log: "wrong")
        // A lock that ends by itself, too.
        case .blocked: VerdictWords(status: 403, text: "Blocked", log: "blocked")
        case .revoked: VerdictWords(status: 403, text: "Revoked", log: "revoked")
        case .secretExpired: VerdictWords(status: 409, text: "Client secret expired", log: "secret-expired")
        case .notApproved: VerdictWords(status: 408, text: "Not approved", log: "not-approved")
        }
    }

    /// The words for whoever is suspended differ from those for the revoked.
    func words(of mpin: MpinRecord?) -> VerdictWords {
        self == .revoked && mpin?.isSuspended == true ? .suspended : words
    }
}

extension MpinRecord {
    /// What may have become of it since its proof was good: not granted if it was revoked, suspended or
    /// blocked. Who is suspended hears what the revoked hear.
    var standing: Verdict {
        revokedAt != nil || isSuspended ? .revoked : blockedAt != nil ? .blocked : .granted
    }
}
