// SPDX-License-Identifier: Apache-2.0
// Which audit records are kept for ever, and how many of the others.
import MPinStorage

/// How long the records of a kind are kept, as a column of `audit`. Records that strangers can cause are
/// counted apart, so they never displace others.
package enum AuditRetention: Int64, CaseIterable, Sendable {
    /// Records of administrators and of registrations.
    case forEver = 0
    /// Logins, what devices do with sessions, and the codes of applications.
    case logins = 1
    /// Wrong activation and join codes.
    case wrongCodes = 2

    /// The retention of a record of this kind.
    package init(kind: String) {
        switch kind {
        case "login", "code.redeem": self = .logins
        case "code.wrong": self = .wrongCodes
        default: self = kind.hasPrefix("session.") ? .logins : .forEver
        }
    }

    /// How many of the newest records are kept; nil if all are.
    private var limit: Int64? {
        switch self {
        case .forEver: nil
        case .logins: Limits.loginRecords
        case .wrongCodes: Limits.wrongCodeRecords
        }
    }

    /// SQL that returns the number of the newest record that is not kept, or no row; nil if all are kept. It
    /// passes over the index of those that are kept, so it is for a transaction that holds up no other.
    package var bound: String? {
        limit.map { limit in
            """
            SELECT number FROM audit WHERE retention = \(rawValue)
                ORDER BY number DESC LIMIT 1 OFFSET \(limit)
            """
        }
    }

    /// SQL that removes a few records, the oldest first, up to the number $1, and returns a row for each.
    package var removal: String {
        """
        DELETE FROM audit WHERE number IN (SELECT number FROM audit
            WHERE retention = \(rawValue) AND number <= $1 ORDER BY number LIMIT \(PurgeStatement.step))
        RETURNING 1
        """
    }
}
