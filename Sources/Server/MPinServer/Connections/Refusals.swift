// SPDX-License-Identifier: Apache-2.0
// Decides which refusals are logged one by one and which are only counted, so that a flood cannot hide other
// log lines.

/// Counts refusals by network, in windows of about a minute.
package struct Refusals: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
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

    /// The refusals of one network that were only counted, in about a minute.
    package struct Summary: Equatable, Sendable {
        let source: String
        let seconds: Int
        let counts: [(kind: Kind, count: Int)]

        package static func == (a: Summary, b: Summary) -> Bool {
            a.source == b.source && a.seconds == b.seconds && a.fields == b.fields
        }

        /// The fields of the log line: source, seconds, the total, and the count of each kind.
        package var fields: [LogField] {
            let all = counts.reduce(0) { $0 + $1.count }
            return [
                LogField("source", source), LogField("seconds", seconds),
                LogField("count", all),
            ] + counts.map { LogField($0.kind.rawValue, $0.count) }
        }
    }

    private struct Window {
        let begin: ContinuousClock.Instant
        var lines = 0
        var counts: [Kind: Int] = [:]
    }

    /// How many lines a network gets in a minute.
    package static let lines = 10
    /// How many lines root and the relays get, through which many users log in.
    static let privilegedLines = 100
    static let period = Duration.seconds(60)
    /// How many networks are counted separately in a minute; all further ones are counted together as
    /// "others".
    package static let most = 256

    private var windows: [Network: Window] = [:]
    private var others: Window?

    package init() {}

    /// Whether this refusal gets its own line; otherwise it is counted.
    package mutating func note(
        _ kind: Kind, _ source: Source, isPrivileged: Bool, now: ContinuousClock.Instant
    ) -> Bool {
        let network = source.network
        guard windows[network] != nil || windows.count < Refusals.most else {
            others = others ?? Window(begin: now)
            others?.counts[kind, default: 0] += 1
            return false
        }
        var window = windows[network] ?? Window(begin: now)
        let hasLine = window.lines < (isPrivileged ? Refusals.privilegedLines : Refusals.lines)
        if hasLine { window.lines += 1 } else { window.counts[kind, default: 0] += 1 }
        windows[network] = window
        return hasLine
    }

    /// The counts of windows that have ended, or of all windows if `isEnd`. Counting starts again from zero.
    package mutating func take(now: ContinuousClock.Instant, isEnd: Bool = false) -> [Summary] {
        let isOver = { (window: Window) in isEnd || now - window.begin >= Refusals.period }
        let ended = windows.filter { isOver($0.value) }
        for network in ended.keys { windows[network] = nil }
        var summaries = ended.map { summary(of: $0.key.text, window: $0.value, at: now) }.sorted {
            $0.source < $1.source
        }
        if let window = others, isOver(window) {
            summaries.append(summary(of: "others", window: window, at: now))
            others = nil
        }
        return summaries.filter { !$0.counts.isEmpty }
    }

    private func summary(of source: String, window: Window, at now: ContinuousClock.Instant) -> Summary {
        Summary(
            source: source, seconds: Int((now - window.begin) / .seconds(1)),
            counts: Kind.allCases.compactMap { kind in window.counts[kind].map { (kind, $0) } })
    }
}
