// SPDX-License-Identifier: Apache-2.0
// Verdicts in the words of clients and of logs, and what becomes of one after its proof was good.
import MPin
import MPinStorage
import MPinWire

extension MpinRecord {
    /// What may have become of it since its proof was good: not granted if it was revoked, suspended or
    /// blocked. Who is suspended hears what the revoked hear.
    var standing: Verdict {
        revokedAt != nil || isSuspended ? .revoked : blockedAt != nil ? .blocked : .granted
    }
}

extension Verdict {
    /// Of a lock that ends by itself, too.
    var status: Int {
        switch self {
        case .granted: 200
        case .wrong: 401
        case .blocked: 403
        case .revoked: 403
        case .secretExpired: 409
        case .notApproved: 408
        }
    }

    var text: String {
        switch self {
        case .granted: "Authentication successful"
        case .wrong: "Wrong PIN."
        case .blocked: "Blocked"
        case .revoked: "Revoked"
        case .secretExpired: "Client secret expired"
        case .notApproved: "Not approved"
        }
    }

    var logText: String {
        switch self {
        case .granted: "granted"
        case .wrong: "wrong"
        case .blocked: "blocked"
        case .revoked: "revoked"
        case .secretExpired: "secret-expired"
        case .notApproved: "not-approved"
        }
    }

    /// The same where logs and clients without a seal know a suspension from a revocation.
    func text(of mpin: MpinRecord?) -> String { isSuspension(of: mpin) ? "Suspended" : text }

    func logText(of mpin: MpinRecord?) -> String {
        isSuspension(of: mpin) ? Verdict.suspendedText : logText
    }

    static let suspendedText = "suspended"

    private func isSuspension(of mpin: MpinRecord?) -> Bool { self == .revoked && mpin?.isSuspended == true }
}
