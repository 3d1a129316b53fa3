// SPDX-License-Identifier: Apache-2.0
// The settings of mpind.conf for lives and locks, which are whole numbers. Lives are in seconds and never
// longer than the default, except a session's; locks are never less strict than the default.
import MPinDatabase
import MPinWire
import Octets

/// A setting, its bounds, and how its value is stored.
private struct Bounded: Sendable {
    let key: StaticString
    let bounds: ClosedRange<Int64>
    let take: @Sendable (inout Lives, Int64) -> Void

    init(
        _ key: StaticString, _ bounds: ClosedRange<Int64>,
        take: @escaping @Sendable (inout Lives, Int64) -> Void
    ) {
        (self.key, self.bounds, self.take) = (key, bounds, take)
    }

    /// A setting in seconds, which is stored in milliseconds; `most` is in milliseconds.
    init(
        life key: StaticString, atLeast least: Int64, atMost most: UnixMilliseconds,
        _ take: @escaping @Sendable (inout Lives, UnixMilliseconds) -> Void
    ) {
        self.init(key, least...most / Limits.second) { take(&$0, $1 * Limits.second) }
    }
}

private let bounded: [Bounded] = [
    Bounded(life: "code-life", atLeast: 60, atMost: Limits.codeLife) { $0.code = $1 },
    Bounded(life: "qr-code-life", atLeast: 60, atMost: Limits.qrCodeLife) { $0.qrCode = $1 },
    Bounded(life: "registration-life", atLeast: 60, atMost: Limits.registrationLife) { $0.registration = $1 },
    Bounded(life: "otp-life", atLeast: 20, atMost: Limits.otpLife) { $0.otp = $1 },
    Bounded(life: "application-session-life", atLeast: 30, atMost: Limits.applicationSessionLife) {
        $0.applicationSession = $1
    },
    Bounded(life: "authorization-code-life", atLeast: 5, atMost: Limits.authorizationCodeLife) {
        $0.authorizationCode = $1
    },
    Bounded(life: "session-life", atLeast: 30, atMost: Limits.longestSessionLife) { $0.session = $1 },
    Bounded("lock-after", 1...Locks().after) { $0.locks.after = $1 },
    Bounded(life: "lock-first", atLeast: Locks().first / Limits.second, atMost: Locks.longestOfAll) {
        $0.locks.first = $1
        $0.locks.longest = max($0.locks.longest, $1)
    },
    // After `lock-first`, which also raises `longest`: if both are set, this value counts.
    Bounded(life: "lock-longest", atLeast: Locks().longest / Limits.second, atMost: Locks.longestOfAll) {
        $0.locks.longest = $1
    },
]

extension Lives {
    static var keys: [StaticString] { bounded.map { $0.key } }

    init(_ section: Section) throws(KeyError) {
        self.init()
        for setting in bounded {
            guard let entry = try section.one(setting.key) else { continue }
            let chosen = try value(entry) { number($0, setting.bounds) }
            setting.take(&self, chosen)
        }
    }

    /// The bounds of one of these settings; nil for others.
    static func bounds(of key: [UInt8]) -> ClosedRange<Int64>? {
        bounded.first { key.spells($0.key) }?.bounds
    }
}
