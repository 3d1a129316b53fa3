// SPDX-License-Identifier: Apache-2.0
// How a verdict is expressed: its HTTP status, the message for clients, and the word in logs.
import MPin
import MPinWire

/// A verdict as the log, the audit trail and the metrics name it.
enum VerdictWord: String, CaseIterable, Sendable {
    case granted
    case wrong
    case locked
    case blocked
    case revoked
    case suspended
    case secretExpired = "secret-expired"
    case notApproved = "not-approved"
}

/// What represents a verdict in an answer without a seal, and in logs.
struct VerdictWords: Sendable {
    /// The HTTP status.
    let status: Int
    /// The message for the client.
    let text: String
    let word: VerdictWord
    /// The word in the log and in the audit trail.
    var log: String { word.rawValue }

    /// Logs, and answers without a seal, distinguish a suspension from a revocation.
    static let suspended = VerdictWords(status: 403, text: "Suspended", word: .suspended)
    /// Too many wrong PINs, for a time.
    static let locked = VerdictWords(status: 403, text: "Locked", word: .locked)
    /// A block that only an administrator ends. At 410 a Milagro client erases its token, so a lock that ends
    /// by itself has another status.
    static let blockedForGood = VerdictWords(status: 410, text: "Blocked", word: .blocked)
}

extension Verdict {
    var words: VerdictWords {
        switch self {
        case .granted: VerdictWords(status: 200, text: "Authentication successful", word: .granted)
        case .wrong: VerdictWords(status: 401, text: "Wrong PIN.", word: .wrong)
        // A sealed answer says for how long; with an identity, `words(of:)` tells the two apart.
        case .blocked: VerdictWords(status: 403, text: "Locked or blocked", word: .blocked)
        case .revoked: VerdictWords(status: 403, text: "Revoked", word: .revoked)
        case .secretExpired: VerdictWords(status: 409, text: "Client secret expired", word: .secretExpired)
        case .notApproved: VerdictWords(status: 408, text: "Not approved", word: .notApproved)
        }
    }
}
