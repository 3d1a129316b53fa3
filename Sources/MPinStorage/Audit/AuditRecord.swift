// SPDX-License-Identifier: Apache-2.0
// The audit trail: one structured record for each login and each administrative act.

/// A named value of an audit record, for people.
package struct AuditField: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What happened; the database adds the time. Empty text where a thing has no such part.
package struct AuditEvent: Equatable, Sendable {
    /// What it is: "login", "user.add", "user.revoke", "host.join" ...
    package let kind: String
    /// Whom it concerns: the first 8 hex digits of an id, a userID or a host's name.
    package let subject: String
    package let host: String
    package let source: String
    /// The attempt id, 16 hex digits.
    package let attempt: String
    package let fields: [AuditField]

    package init(
        kind: String, subject: String, host: String = "", source: String = "", attempt: String = "",
        fields: [AuditField] = []
    ) {
        self.kind = kind
        self.subject = subject
        self.host = host
        self.source = source
        self.attempt = attempt
        self.fields = fields
    }
}

/// Which audit records somebody wants to read; nil selects all.
package struct AuditQuery: Equatable, Sendable {
    /// Records with a smaller number: continues a list.
    package var before: Int64?
    /// Records with a greater number: follows the trail.
    package var after: Int64?
    /// Records of this userID, as their subject or in the field `user`.
    package var userID: String?
    package var since: UnixMilliseconds?

    package init(
        before: Int64? = nil, after: Int64? = nil, userID: String? = nil, since: UnixMilliseconds? = nil
    ) {
        self.before = before
        self.after = after
        self.userID = userID
        self.since = since
    }
}

package struct AuditRecord: Equatable, Sendable {
    /// Counts up; a gap means that records were removed.
    package let number: Int64
    package let at: UnixMilliseconds
    package let event: AuditEvent

    package init(number: Int64, at: UnixMilliseconds, event: AuditEvent) {
        self.number = number
        self.at = at
        self.event = event
    }
}
