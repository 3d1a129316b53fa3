// SPDX-License-Identifier: Apache-2.0
// Which audit records are kept for ever, and how many of the others.
package import MPinStorage

/// How long a record is kept, as a column of `audit`. Each class has a bound of its own, so that records for
/// which nobody needs a proof displace none of a login.
package enum AuditRetention: Int64, CaseIterable, Sendable {
    /// Records of administrators and of registrations.
    case forEver = 0
    /// What needed a proof: granted logins, and what their devices do with sessions.
    case logins = 1
    /// Wrong activation and join codes.
    case wrongCodes = 2
    /// What was refused, and what a device does without a PIN.
    case refusals = 3
    /// The newest granted login of an identity at a host. With the next one it becomes one of `logins`.
    case lastLogin = 4

    /// The retention of the record of an event.
    package init(_ event: AuditEvent) {
        let isGranted = event.fields.contains(AuditField("verdict", "granted"))
        switch event.kind {
        case "login": self = isGranted ? .lastLogin : .refusals
        case "session.approve", "session.bind", "code.redeem": self = isGranted ? .logins : .refusals
        case "session.deny", "session.reported", "session.logout": self = .logins
        case "code.wrong": self = .wrongCodes
        default: self = event.kind.hasPrefix("session.") ? .refusals : .forEver
        }
    }

    /// How many records are kept; nil if all are.
    var limit: Int64? {
        switch self {
        case .forEver, .lastLogin: nil
        case .logins: Limits.loginRecords
        case .wrongCodes: Limits.wrongCodeRecords
        case .refusals: Limits.refusalRecords
        }
    }

    /// SQL that returns a row if there are more records than are kept; nil if all are.
    package var excess: String? {
        limit.map {
            """
            SELECT number FROM audit WHERE retention = \(rawValue) ORDER BY host, subject, number
            LIMIT 1 OFFSET \($0)
            """
        }
    }

    /// SQL that counts the records of each host and subject, after the host $1 and the subject $2: a part of
    /// them, so that no request waits long for it.
    package var groups: String {
        """
        SELECT host, subject, COUNT(*), MAX(number) FROM audit
        WHERE retention = \(rawValue) AND (host, subject) > ($1, $2)
        GROUP BY host, subject ORDER BY host, subject LIMIT \(AuditRetention.page)
        """
    }

    /// How many groups that are.
    static let page = 200

    /// SQL that removes the $3 oldest records of the host $1 and the subject $2.
    package var removal: String {
        """
        DELETE FROM audit WHERE number IN (SELECT number FROM audit
            WHERE retention = \(rawValue) AND host = $1 AND subject = $2 ORDER BY number LIMIT $3)
        RETURNING 1
        """
    }
}
