// SPDX-License-Identifier: Apache-2.0
// Time in the forms of the protocol: days since 1970 for permits, ISO texts in UTC for everything else.
import MPinDatabase

/// A point in time, in UTC.
package struct UnixTime: Equatable, Comparable, Sendable {
    /// Since 1970-01-01.
    let microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }
    package init(seconds: Int64) { self.microseconds = seconds * 1_000_000 }

    package static func < (a: UnixTime, b: UnixTime) -> Bool { a.microseconds < b.microseconds }
    static func + (time: UnixTime, seconds: Int64) -> UnixTime {
        UnixTime(microseconds: time.microseconds + seconds * 1_000_000)
    }

    package var seconds: Int64 { floorDivide(microseconds, 1_000_000).quotient }
    /// The "date" of time permits: whole days since 1970-01-01.
    package var day: UInt32 { UInt32(clamping: floorDivide(seconds, 86_400).quotient) }
    var hour: Int64 { floorDivide(seconds, 86_400).remainder / 3600 }

    /// `2026-11-20T23:44:23Z`, as signed D-TA requests have it.
    package var isoText: String { text(separator: "T") + "Z" }
    /// `2026-11-20T23:44:23.308399`, as PUT user answers it (UTC, no zone letter).
    var preciseText: String { text(separator: "T") + fraction }
    /// `2026-11-20 23:43:23.308187`, as an mpinId has it.
    var issuedText: String { text(separator: " ") + fraction }

    /// `Fri, 20 Nov 2026 23:43:23 GMT`, as an HTTP header has it.
    package var headerText: String {
        let (days, second) = floorDivide(seconds, 86_400)
        let date = civilDate(days)
        let weekday = weekdays[Int(floorDivide(days + 4, 7).remainder)]
        return weekday + ", " + padded(date.day, 2) + " " + months[Int(date.month) - 1] + " "
            + padded(date.year, 4) + " " + clock(second) + " GMT"
    }

    private var fraction: String {
        "." + padded(floorDivide(microseconds, 1_000_000).remainder, 6)
    }

    private func text(separator: String) -> String {
        let (days, second) = floorDivide(seconds, 86_400)
        let date = civilDate(days)
        return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2) + separator
            + clock(second)
    }

    /// Reads what `isoText` writes; nil for anything else.
    package init?(isoText text: String) {
        let signs = [UInt8](text.utf8)
        guard signs.count == 20, let year = number(signs[0..<4]), let month = number(signs[5..<7]),
            let day = number(signs[8..<10]), let hour = number(signs[11..<13]),
            let minute = number(signs[14..<16]), let second = number(signs[17..<19]),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let days = dayNumber(year: year, month: month, day: day)
        self.init(seconds: days * 86_400 + hour * 3600 + minute * 60 + second)
        guard isoText == text else { return nil }
    }
}

/// 1970-01-01, day 0, was a Thursday.
private let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
private let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]

/// A second of a day.
private func clock(_ second: Int64) -> String {
    padded(second / 3600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2)
}

private func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

private func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
        guard (0x30...0x39).contains(digit) else { return nil }
        value = value * 10 + Int64(digit - 0x30)
    }
    return value
}

/// Proleptic Gregorian calendar, with years that begin in March (H. Hinnant, "chrono-compatible low-level
/// date algorithms").
private func civilDate(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
}

private func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
    let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

/// A time in whole seconds since 1970, as administrators' messages have it.
func wholeSeconds(_ time: UnixMilliseconds) -> Int { Int(time / 1000) }
