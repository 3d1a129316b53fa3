// SPDX-License-Identifier: Apache-2.0
// The audit trail: one structured record for each login and each administrative act.

/// A named value of an audit record, for administrators to read.
package struct AuditField: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What happened; the database adds the time. A part that does not apply is an empty text.
package struct AuditEvent: Equatable, Sendable {
    /// The kind of event: "login", "user.add", "user.revoke", "host.join" ...
    package let kind: String
    /// What it concerns: the first 8 hex digits of an id, a userID or a host's name.
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

/// Which audit records to read; a nil property does not restrict the selection.
package struct AuditQuery: Equatable, Sendable {
    /// Only records with a smaller number: used to continue a list.
    package var before: Int64?
    /// Only records with a greater number: used to follow the trail.
    package var after: Int64?
    /// Only records that have this userID as their subject or in the field `user`.
    package var userID: String?
    /// Only records of this time or later.
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

/// An event as the database stored it.
package struct AuditRecord: Equatable, Sendable {
    /// Increases by one from record to record; a gap means that records were removed.
    package let number: Int64
    package let at: UnixMilliseconds
    package let event: AuditEvent

    package init(number: Int64, at: UnixMilliseconds, event: AuditEvent) {
        self.number = number
        self.at = at
        self.event = event
    }
}
