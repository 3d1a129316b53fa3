// SPDX-License-Identifier: Apache-2.0
// The settings of mpind.conf for lives and locks, which are whole numbers. Lives are in seconds and never
// longer than the default, except a session's; locks are never less strict than the default.
import MPinDatabase
import MPinWire

extension Lives {
    /// The rows about lives and locks.
    mutating func readSettings(_ row: inout RowReader) {
        row.seconds("code-life", &code, 60, Limits.codeLife)
        row.seconds("qr-code-life", &qrCode, 60, Limits.qrCodeLife)
        row.seconds("registration-life", &registration, 60, Limits.registrationLife)
        row.seconds("otp-life", &otp, 20, Limits.otpLife)
        row.seconds("application-session-life", &applicationSession, 30, Limits.applicationSessionLife)
        row.seconds("authorization-code-life", &authorizationCode, 5, Limits.authorizationCodeLife)
        row.seconds("session-life", &session, 30, Limits.longestSessionLife)
        row.number("lock-after", &locks.after, 1...Locks().after)
        row.seconds("lock-first", &locks.first, Locks().first / Limits.second, Locks.longestOfAll)
        locks.longest = max(locks.longest, locks.first)
        // After `lock-first`, which also raises `longest`: if both are set, this value counts.
        row.seconds("lock-longest", &locks.longest, Locks().longest / Limits.second, Locks.longestOfAll)
    }
}

extension RowReader {
    /// A setting in seconds, which is stored in milliseconds, as `most` is.
    fileprivate mutating func seconds(
        _ key: StaticString, _ life: inout UnixMilliseconds, _ least: Int64, _ most: UnixMilliseconds
    ) {
        var seconds = life / Limits.second
        number(key, &seconds, least...most / Limits.second)
        life = seconds * Limits.second
    }
}
