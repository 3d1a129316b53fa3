// SPDX-License-Identifier: Apache-2.0
// Times as users type them: days, times in UTC, ages and durations.
import FoundationEssentials
import MPinServer
import Octets

/// Parses times in the options of commands.
enum TimeArgument {
    /// Seconds of a duration such as 90s, 30m, 12h or 7d; nil for anything else.
    static func seconds(ofSpan text: String) -> Int? {
        guard let unit = text.last, let seconds = ["s": 1, "m": 60, "h": 3600, "d": 86_400][unit],
            let count = wholeNumber(Array(text.utf8.dropLast()), in: 0...1_000_000)
        else { return nil }
        return count * seconds
    }

    /// Seconds since 1970 of a time, or of the beginning of a day; nil for anything else.
    static func seconds(ofTime text: String) -> Int? {
        let full = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        return (try? Date(full, strategy: .iso8601)).map { Int($0.timeIntervalSince1970) }
    }

    /// The same, or the time that long ago, as `--since` takes them.
    static func seconds(ofStart text: String) -> Int? {
        if let span = seconds(ofSpan: text) { return Int(Date().timeIntervalSince1970) - span }
        return seconds(ofTime: text)
    }

    /// The error message for a `--since` that is none of these.
    static func unclearStart(_ text: String) -> String {
        "--since \(text): say a day (2026-11-21), a time (2026-11-21T14:02:00Z) or an age (12h)."
    }
}

/// Seconds since 1970 as text in UTC (ISO 8601).
func time(_ seconds: Int) -> String { UnixTime(seconds: Int64(seconds)).isoText }
