// SPDX-License-Identifier: Apache-2.0
// The schemas of the two databases, made of the tables of the topics.
package import MPinDatabase

extension Schema {
    /// The database of mpind. The kinds are "mPin" and "mPbk" in ASCII.
    package static let server = Schema(
        applicationID: 0x6d50_696e, version: 20,
        script: registrationTables + loginTables + hostTables + closingTables + auditTables + sessionTables
            + oneTimePasswordTables + applicationTables + browserTables,
        tuning: tuning,
        // Users in the middle of a login begin again.
        fleeting: [
            "pass_ones", "verdicts", "otps", "otp_tries", "otp_questions", "application_sessions",
            "authorization_codes", "awaited", "lookups", "closings",
        ])
    /// The book of an authority.
    package static let authorityBook = Schema(applicationID: 0x6d50_626b, version: 1, script: bookTables)
}

/// Rows of `identities` change at each login, and new versions of a row fit beside the old one. Tables whose
/// rows live for seconds are vacuumed long before a fifth of them is dead, which is the default.
private let tuning =
    "ALTER TABLE identities SET (fillfactor = 70);"
    + [
        "pass_ones", "verdicts", "nonces", "heads", "tries", "sessions", "browsers", "lookups", "otps",
        "otp_tries", "otp_questions", "registrations", "application_sessions", "authorization_codes",
    ].map { "ALTER TABLE \($0) SET (autovacuum_vacuum_scale_factor = 0.01, fillfactor = 90);" }.joined()
