// SPDX-License-Identifier: Apache-2.0
// The audit trail: one structured record for each login and each administrative act.
import MPinDatabase

/// A named value of an audit record, for administrators to read.
struct AuditField: Equatable, Sendable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What happened; the database adds the time. A part that does not apply is an empty text.
struct AuditEvent: Equatable, Sendable {
    /// The kind of event: "login", "user.add", "user.revoke", "host.join" ...
    let kind: String
    /// What it concerns: the first 8 hex digits of an id, a userID or a host's name.
    let subject: String
    var host: String = ""
    var source: String = ""
    /// The attempt id, 16 hex digits.
    var attempt: String = ""
    var fields: [AuditField] = []
}

/// Which audit records to read; a nil property does not restrict the selection.
struct AuditQuery: Equatable, Sendable {
    /// Only records with a smaller number: used to continue a list.
    var before: Int64? = nil
    /// Only records with a greater number: used to follow the trail.
    var after: Int64? = nil
    /// Only records that have this userID as their subject or in the field `user`.
    var userID: String? = nil
    /// Only records of this time or later.
    var since: UnixMilliseconds? = nil
}

/// An event as the database stored it.
struct AuditRecord: Equatable, Sendable {
    /// Increases by one from record to record; a gap means that records were removed.
    let number: Int64
    let at: UnixMilliseconds
    let event: AuditEvent
}
