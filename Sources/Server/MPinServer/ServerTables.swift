// SPDX-License-Identifier: Apache-2.0
// The schema of the server's database, made of the tables of the topics, and how it is opened.
package import MPinDatabase

extension Schema {
    /// The database of mpind. The kind is "mPin" in ASCII.
    package static let server = Schema(
        applicationID: 0x6d50_696e, version: 21,
        script: registrationTables + loginTables + hostTables + closingTables + auditTables + sessionTables
            + oneTimePasswordTables + applicationTables + browserTables,
        tuning: tuning,
        // Users in the middle of a login begin again.
        fleeting: [
            "pass_ones", "verdicts", "otps", "otp_tries", "otp_questions", "application_sessions",
            "authorization_codes", "awaited", "lookups", "closings", "session_devices",
        ])
}

extension ServerDatabase {
    /// Opens the database, or makes it if it does not exist. Unless it was closed in order, the short-lived
    /// records are voided: a user in the middle of a login must begin again.
    package init(
        sqlite location: SQLiteLocation, lives: Lives = Lives(),
        clock: (@Sendable () -> UnixMilliseconds)? = nil, observer: (any StorageObserver)? = nil
    ) throws(StorageError) {
        let database = try Database(
            sqlite: location, as: .server, clock: clock, observer: observer,
            first: { t throws(StorageError) in try t.voidUnlessClosedInOrder() },
            last: { t throws(StorageError) in try t.noteOrderlyClosing() })
        self.init(database, lives: lives)
    }

    /// Opens the database, and makes its tables if it is empty. Nothing is voided: what was committed is
    /// there after a crash too, except the last commits that did not wait for the disk.
    package init(
        postgres place: PostgresPlace, lives: Lives = Lives(),
        clock: (@Sendable () -> UnixMilliseconds)? = nil, observer: (any StorageObserver)? = nil
    ) throws(PostgresFailure) {
        self.init(
            try Database(postgres: place, as: .server, clock: clock, observer: observer), lives: lives)
    }
}

/// Rows of `identities` change at each login, and new versions of a row fit beside the old one. Tables whose
/// rows live for seconds are vacuumed long before a fifth of them is dead, which is the default.
private let tuning =
    "ALTER TABLE identities SET (fillfactor = 70);"
    + [
        "pass_ones", "verdicts", "nonces", "heads", "tries", "sessions", "session_devices", "browsers",
        "lookups", "otps", "otp_tries", "otp_questions", "registrations", "application_sessions",
        "authorization_codes",
    ].map { "ALTER TABLE \($0) SET (autovacuum_vacuum_scale_factor = 0.01, fillfactor = 90);" }.joined()

extension SharedPlaces {
    /// The places of every table.
    static let all = [consoles, browsers, applications, registrations]
}
