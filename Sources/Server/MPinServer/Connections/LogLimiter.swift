// SPDX-License-Identifier: Apache-2.0
// The log limiter: which refusals and answers get a line of their own, and which are only counted.

/// Why a connection or a request was refused.
package enum RefusalKind: String, CaseIterable, Sendable {
    /// A connection over its source's share.
    case share = "over-share"
    /// An idle connection that gave way to a new one.
    case gaveWay = "gave-way"
    /// The head of a request was not complete in time.
    case slow
    /// The head of a request was too long.
    case long
    /// The TLS handshake failed.
    case handshake
    /// An answer with a status from 400 to 599.
    case answer
}

/// Counts lines by network, in windows of about a minute.
package struct LogLimiter: Sendable {
    private struct Window {
        let begin: ContinuousClock.Instant
        var lines = 0
        var counts: [RefusalKind: Int] = [:]
    }

    /// How many lines a network gets in a minute.
    private static let lines = 10
    /// How many lines root and the relays get, through which many users log in.
    private static let privilegedLines = 100
    private static let period = Duration.seconds(60)
    /// How many networks are counted separately in a minute; all further ones are "others".
    private static let most = 256
    private static let others = "others"

    private var windows: [String: Window] = [:]

    package init() {}

    /// Whether this gets its own line; otherwise it is counted.
    package mutating func allows(
        _ kind: RefusalKind, _ client: ServedClient, now: ContinuousClock.Instant = .now
    ) -> Bool {
        var network = client.network.text
        let others = windows[LogLimiter.others] == nil ? 0 : 1
        if windows[network] == nil, windows.count - others >= LogLimiter.most { network = LogLimiter.others }
        var window = windows[network] ?? Window(begin: now)
        let most = client.isPrivileged ? LogLimiter.privilegedLines : LogLimiter.lines
        let isAllowed = network != LogLimiter.others && window.lines < most
        if isAllowed { window.lines += 1 } else { window.counts[kind, default: 0] += 1 }
        windows[network] = window
        return isAllowed
    }

    /// For each network what was only counted, as fields of a line, if its window has ended or `isEnd`:
    /// source, seconds, the total, and the count of each kind. Counting starts again from zero.
    package mutating func take(now: ContinuousClock.Instant = .now, isEnd: Bool = false) -> [[LogField]] {
        let ended = windows.filter { isEnd || now - $0.value.begin >= LogLimiter.period }
        for network in ended.keys { windows[network] = nil }
        return ended.filter { !$0.value.counts.isEmpty }.sorted { $0.key < $1.key }.map { network, window in
            [
                LogField("source", network), LogField("seconds", Int((now - window.begin) / .seconds(1))),
                LogField("count", window.counts.values.reduce(0, +)),
            ]
                + RefusalKind.allCases.compactMap { kind in
                    window.counts[kind].map { LogField(kind.rawValue, $0) }
                }
        }
    }
}
