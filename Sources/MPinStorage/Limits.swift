// SPDX-License-Identifier: Apache-2.0
// How long things live and how often they may be tried, said once for every engine and for the service.

/// A point of time by the database's clock: milliseconds since 1970-01-01 UTC.
package typealias UnixMilliseconds = Int64

package enum Limits {
    package static let second: UnixMilliseconds = 1000
    package static let minute = 60 * second
    package static let hour = 60 * minute
    package static let day = 24 * hour

    /// Activation and join codes.
    package static let codeLife = 24 * hour
    /// An activation code in a picture, which everybody near the screen can see.
    package static let pictureCodeLife = 10 * minute
    /// An activation code from the first issue of a secret for it, if no login spends it before.
    package static let issuedCodeLife = hour
    /// So many secrets are issued for one code: the last one spends it.
    package static let issuesPerCode: Int64 = 5
    /// A registration that began with such a code, however often it is renewed.
    package static let pictureRegistrationLife = hour
    /// What was enrolled by it, until somebody confirms it.
    package static let unconfirmedLife = day
    /// Wrong ones of an hour, from one source and from one network; then every code from there is refused.
    /// A code has 69 bits, so this is no bound for guesses: it keeps floods out of the audit trail.
    package static let wrongCodesPerSource: Int64 = 10
    package static let wrongCodesPerNetwork: Int64 = 50
    /// A pending registration, with every renewal, and how many may wait for an administrator's confirmation.
    package static let registrationLife = hour
    package static let renewedRegistrationLife = day
    package static let registrationsPerSource: Int64 = 10
    package static let registrationsInAll: Int64 = 1000
    /// From pass 1 to pass 2, and how many pass-1 records one source may keep at a time.
    package static let passOneLife = 15 * second
    package static let passOnesPerSource: Int64 = 256
    /// From pass 2 to the redemption of its authOTT.
    package static let verdictLife = minute
    /// A session that a second device approves, at most by default and at most of all, and how many of them a
    /// host may have at a time.
    package static let sessionLife = 90 * second
    package static let longestSessionLife = 5 * minute
    package static let sessionsPerHost: Int64 = 200
    /// Of these, how many one source may have: nobody takes the way of a second device from all others.
    package static let sessionsPerSource: Int64 = 20
    /// So long after its end a console still hears that nobody approved, and a device can log out.
    package static let endedSessionLife = 10 * minute
    package static let approvedSessionLife = day
    /// So long the owner of a device is not asked again about logins that somebody else began, from the same
    /// source at the same host.
    package static let reportLife = hour
    /// A one-time password, from the redemption of the login that made it, and how many questions may be
    /// told of it: from one source, and in all.
    package static let otpLife = 2 * minute
    package static let otpQuestionsPerSource: Int64 = 5
    package static let otpQuestions: Int64 = 50
    /// An application's session, how many of them may live, how many of one application, and how many of one
    /// source.
    package static let applicationSessionLife = 5 * minute
    package static let applicationSessionsInAll: Int64 = 10_000
    package static let applicationSessionsPerApplication: Int64 = 2000
    package static let applicationSessionsPerSource: Int64 = 256
    package static let authorizationCodeLife = minute
    /// Nothing that an opening of the database voids lives longer.
    package static let longestBriefLife = applicationSessionLife
    /// Live sessions of browsers, which anybody may open: from one source, and in all. With more of them a
    /// guessed number would hit one too often.
    package static let browsersPerSource: Int64 = 200
    package static let browsersInAll: Int64 = 2000
    /// A browser's session is answered for so long after its number has run out for people.
    package static let browserGrace = 5 * second
    /// Look-ups of sessions by their number: a minute's from one source, an hour's wrong ones from one
    /// network. A device that shows its tag is a source and a network of its own.
    package static let lookUpsPerSource: Int64 = 10
    package static let wrongLookUpsPerNetwork: Int64 = 50
    /// A sealed question is refused 10 minutes off the clock, so its nonce is remembered for twice that and
    /// a minute more, for the clock is read before the nonce is taken.
    package static let nonceLife = 21 * minute
    /// Both epochs of a host's key answer for so long after a rotation.
    package static let previousEpochLife = 7 * day
    /// Wrong tries by one identity from strange sources together, in any 24 hours.
    package static let strangeTriesADay: Int64 = 10
    /// Wrong tries in all since the PIN was set or unlocked: then a device's PIN, or known sources of a
    /// host's PIN, are blocked, and strange sources of a host's PIN are refused.
    package static let triesInAll: Int64 = 100
    /// So few of them left are worth telling after a login.
    package static let scarceTries: Int64 = 30
    /// Of `triesInAll` a right proof gives back so many, and all right proofs in a span of time so many.
    package static let returnedTries: Int64 = 3
    package static let returnedTriesInSpan: Int64 = 20
    package static let returnedTriesSpan = 30 * day
    /// How long a source stays known after a login from it, and how many of an identity's do.
    package static let knownSourceLife = 90 * day
    package static let knownSources: Int64 = 64
    /// What nobody tried again from one source is forgotten after a day (never while it is locked).
    package static let headLife = day
    /// Counts that one source may leave for ids that nobody has; the oldest are forgotten first.
    package static let unknownHeadsPerSource: Int64 = 256
    /// Logins, what devices did to sessions and applications with codes, among so many of the newest audit
    /// records stay in the database; whatever administrators did, and every registration, stays for ever.
    package static let loginRecords: Int64 = 100_000
    /// So many of the newest records of wrong activation and join codes stay.
    package static let wrongCodeRecords: Int64 = 1000
}

/// What an administrator may set: but for a session nothing lives longer than by default, and no lock is
/// looser.
package struct Lives: Equatable, Sendable {
    /// Activation and join codes.
    package var code = Limits.codeLife
    package var pictureCode = Limits.pictureCodeLife
    /// A pending registration, with every renewal.
    package var registration = Limits.registrationLife
    package var otp = Limits.otpLife
    package var applicationSession = Limits.applicationSessionLife
    package var authorizationCode = Limits.authorizationCodeLife
    /// A session that a second device approves.
    package var session = Limits.sessionLife
    package var locks = Locks()

    package init() {}
}
