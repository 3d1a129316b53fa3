// SPDX-License-Identifier: Apache-2.0
// Lifetimes and limits of tries, for every engine and for the service.
import MPinDatabase

/// Fixed limits. All times are in milliseconds.
enum Limits {
    static let second: UnixMilliseconds = 1000
    static let minute = 60 * second
    static let hour = 60 * minute
    static let day = 24 * hour

    /// Activation and join codes.
    static let codeLife = 24 * hour
    /// An activation code in a QR code, which everyone near the screen can see.
    static let qrCodeLife = 10 * minute
    /// An activation code after the first client secret was issued for it, unless a login spends it earlier.
    static let issuedCodeLife = hour
    /// How many client secrets are issued for one code; the last one spends it.
    static let issuesPerCode: Int64 = 5
    /// A registration that began with the code in a QR code, however often it is renewed.
    static let qrCodeRegistrationLife = hour
    /// How long an identity that was enrolled by a QR code may stay unconfirmed.
    static let unconfirmedLife = day
    /// How many wrong codes in an hour are counted, from one source and from one network. Later ones leave
    /// nothing, and a right code is good all the same: a code has 69 bits, so no count is needed against
    /// guessing (T 18).
    static let wrongCodesPerSource: Int64 = 10
    static let wrongCodesPerNetwork: Int64 = 50
    /// How long a pending registration lives (in all, if it is renewed), and how many may wait for a
    /// confirmation.
    static let registrationLife = hour
    static let renewedRegistrationLife = day
    static let registrationsPerSource: Int64 = 10
    static let registrationsInAll: Int64 = 1000
    /// How often an external RPA is asked again about one registration that waits, and the time between two
    /// such requests: it may send a mail to the named user.
    static let resendsPerRegistration: Int64 = 5
    /// The time between two such requests.
    static let resendPause = minute
    /// The time between pass 1 and pass 2, and how many pass-1 records one source may have at a time.
    static let passOneLife = 15 * second
    static let passOnesPerSource: Int64 = 256
    /// The time between pass 2 and the redemption of its ticket (authOTT).
    static let verdictLife = minute
    /// A session that a second device approves: its default life, its longest life, and how many sessions a
    /// host may have at a time.
    static let sessionLife = 90 * second
    static let longestSessionLife = 5 * minute
    static let sessionsPerHost: Int64 = 200
    /// How many of these one source may have, so that one source cannot use up all sessions of a host.
    static let sessionsPerSource: Int64 = 20
    /// How long after a session expires the console can still learn that nobody approved it, and how long
    /// after that a device can log out of an approved one.
    static let endedSessionLife = 10 * minute
    static let approvedSessionLife = day
    /// How long a device's owner is not asked again about logins from a source that they reported, at the
    /// same host.
    static let reportLife = hour
    /// The life of a one-time password from the redemption of the login that made it, and how many questions
    /// about it are answered: from one source, and in all.
    static let otpLife = 2 * minute
    static let otpQuestionsPerSource: Int64 = 5
    static let otpQuestions: Int64 = 50
    /// The life of an application's session, and how many of one application may be live: in all, of one
    /// source.
    static let applicationSessionLife = 5 * minute
    static let sessionsPerApplication: Int64 = 2000
    static let applicationSessionsPerSource: Int64 = 256
    static let authorizationCodeLife = minute
    /// The longest life of any record that SQLite voids when it opens the database after a crash.
    static let longestBriefLife = applicationSessionLife
    /// Live sessions of browsers, which anyone may open: from one source, and in all. With more of them, a
    /// guessed number would too often be one of a live session.
    static let browsersPerSource: Int64 = 200
    static let browsersInAll: Int64 = 2000
    /// How long a browser's session is still answered after its number has expired for users.
    static let browserGrace = 5 * second
    /// Look-ups of sessions by number: all in a minute from one source, and wrong ones in an hour from one
    /// network. A device that shows its tag is a source and a network of its own.
    static let lookUpsPerSource: Int64 = 10
    static let wrongLookUpsPerNetwork: Int64 = 50
    /// How many logins the list of what waits has, and how many of them from one source. How often a device
    /// may ask for it in a minute.
    static let listedSessions: Int64 = 5
    static let listedPerSource: Int64 = 2
    static let listsPerMinute = 60
    /// A sealed question is refused if it is more than 10 minutes off the clock, so its nonce is remembered
    /// for twice that time. The extra minutes are there because the clock is read before the nonce is taken,
    /// and because the clocks of two servers with one database may differ by two minutes.
    static let nonceLife = 24 * minute
    /// How long the key of the previous epoch of a host is accepted after a rotation.
    static let previousEpochLife = 7 * day
    /// Wrong tries against one identity from all strange sources of one kind together, in any 24 hours.
    static let strangeTriesADay: Int64 = 10
    /// Wrong tries in all since the PIN was set or unlocked. At this number a device's PIN, or a host's PIN
    /// that is tried from known sources, is blocked. Strange sources of a host's PIN have as many in any
    /// `strangeTriesSpan`; then they are refused until the first of these tries is older.
    static let triesInAll: Int64 = 100
    /// The span in which strange tries count.
    static let strangeTriesSpan = 90 * day
    /// If no more than this many of them remain, the user is told after a login. When strange sources have
    /// made so many, the audit trail has a record of it.
    static let scarceTries: Int64 = 50
    /// How many of `triesInAll` a right proof gives back, and how many all right proofs give back within a
    /// span.
    static let returnedTries: Int64 = 3
    static let returnedTriesInSpan: Int64 = 20
    static let returnedTriesSpan = 30 * day
    /// How long a source stays known after a login from it, and how many sources of one identity do. The
    /// last ones from which the owner logged in stay known longer.
    static let knownSourceLife = 90 * day
    static let knownSources: Int64 = 64
    /// How long the last sources stay known.
    static let lastSourceLife = 365 * day
    /// How many sources are the last ones.
    static let lastSources: Int64 = 2
    /// When a row of wrong tries from one source is forgotten after its last try (never while it is locked).
    static let headLife = day
    /// How many counts of unknown and revoked ids one source may leave, and all sources together; the oldest
    /// are forgotten first.
    static let unknownHeadsPerSource: Int64 = 256
    /// The counts of all sources together.
    static let unknownHeadsInAll: Int64 = 10_000
    /// How many audit records are kept of granted logins (besides the last one of each identity at each
    /// host), of devices' acts on sessions and of applications' codes. Records of administrators and of
    /// registrations are never removed.
    static let loginRecords: Int64 = 100_000
    /// How many are kept of refused logins, and of what devices do without a PIN.
    static let refusalRecords: Int64 = 20_000
    /// How many are kept of wrong activation and join codes.
    static let wrongCodeRecords: Int64 = 1000
    /// The most rows that one run removes, so that no request waits long for it.
    static let rowsOfPurge = 100
}

/// The lifetimes and locks that an administrator may set. No lifetime but that of a session may be longer
/// than the default, and no lock less strict.
package struct Lives: Equatable, Sendable {
    /// Activation and join codes.
    var code = Limits.codeLife
    var qrCode = Limits.qrCodeLife
    /// A pending registration, counted from its last renewal.
    var registration = Limits.registrationLife
    var otp = Limits.otpLife
    var applicationSession = Limits.applicationSessionLife
    var authorizationCode = Limits.authorizationCodeLife
    /// A session that a second device approves.
    var session = Limits.sessionLife
    var locks = Locks()
}
