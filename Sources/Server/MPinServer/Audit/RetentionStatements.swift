// SPDX-License-Identifier: Apache-2.0
// Which audit records are kept for ever, and how many of the others.

/// How long a record is kept, as a column of `audit`. Each class has a bound of its own, so that records for
/// which nobody needs a proof displace none of a login.
enum AuditRetention: Int64, CaseIterable, Sendable {
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
    init(_ event: AuditEvent) {
        let isGranted = event.fields.contains(AuditField("verdict", "granted"))
        switch event.kind {
        case "login": self = isGranted ? .lastLogin : .refusals
        case "session.approve", "session.bind", "code.redeem": self = isGranted ? .logins : .refusals
        case "session.deny", "session.reported", "session.logout": self = .logins
        case "code.wrong": self = .wrongCodes
        default: self = event.kind.hasPrefix("session.") ? .refusals : .forEver
        }
    }

    /// How many records are kept, of which hosts and subjects have shares; nil if there are no shares.
    var limit: Int64? {
        switch self {
        case .forEver, .lastLogin, .wrongCodes: nil
        case .logins: Limits.loginRecords
        case .refusals: Limits.refusalRecords
        }
    }

    /// SQL that returns the number of the newest record of a wrong code that goes. Strangers choose for whose
    /// name they try a code, so these records have no shares: the oldest go.
    static let lastWrongCode = """
        SELECT number FROM audit WHERE retention = \(wrongCodes.rawValue)
        ORDER BY number DESC LIMIT 1 OFFSET \(Limits.wrongCodeRecords)
        """

    /// SQL that removes a few records of wrong codes, up to the number $1.
    static let wrongCodeRemoval = """
        DELETE FROM audit WHERE number IN (SELECT number FROM audit
            WHERE retention = \(wrongCodes.rawValue) AND number <= $1
            ORDER BY number LIMIT \(Limits.rowsOfPurge))
        RETURNING 1
        """

    /// SQL that returns a row if there are more records than are kept; nil if there are no shares.
    var excess: String? {
        limit.map {
            """
            SELECT number FROM audit WHERE retention = \(rawValue) ORDER BY host, subject, number
            LIMIT 1 OFFSET \($0)
            """
        }
    }

    /// SQL that counts the records of each host and subject, after the host $1 and the subject $2: a part of
    /// them, so that no request waits long for it.
    var groups: String {
        """
        SELECT host, subject, COUNT(*), MAX(number) FROM audit
        WHERE retention = \(rawValue) AND (host, subject) > ($1, $2)
        GROUP BY host, subject ORDER BY host, subject LIMIT \(AuditRetention.page)
        """
    }

    /// How many groups that are.
    static let page = 200

    /// SQL that returns the number of a record of the host $1 and the subject $2: of the oldest after $3
    /// older ones.
    var lastToGo: String {
        """
        SELECT number FROM audit WHERE retention = \(rawValue) AND host = $1 AND subject = $2
        ORDER BY number LIMIT 1 OFFSET $3
        """
    }

    /// SQL that removes a few records of the host $1 and the subject $2, up to the number $3: two servers
    /// that do so at one time remove no more than one.
    var removal: String {
        """
        DELETE FROM audit WHERE number IN (SELECT number FROM audit
            WHERE retention = \(rawValue) AND host = $1 AND subject = $2 AND number <= $3
            ORDER BY number LIMIT \(Limits.rowsOfPurge))
        RETURNING 1
        """
    }
}
