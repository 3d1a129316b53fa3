// SPDX-License-Identifier: Apache-2.0
// The messages after a successful login: the wrong PINs since the last login, and how few tries are left.
import CPlatform
import Octets

package enum TriesSentence: Equatable, Sendable {
    /// The number of wrong PINs since the last login.
    /// - Parameters:
    ///   - last: the time of the last wrong PIN; nil if unknown.
    ///   - source: a numeric address, `local:` and a uid, or nothing.
    ///   - here: the machine that `local:` stands for.
    case wrong(Int, last: Moment?, source: [UInt8], here: Machine)
    /// How many wrong tries are left before the PIN is blocked; that of a host may also be refused from
    /// strange sources.
    case fewLeft(Int, on: Machine)

    /// The host of the login, or the server that an own device speaks to.
    package enum Machine: Equatable, Sendable { case host, server }

    /// All messages; none if there were no wrong PINs and many tries are left.
    package static func all(
        wrong: Int, lastSeconds: UInt64, source: [UInt8], left: Int?, _ machine: Machine
    ) -> [TriesSentence] {
        var sentences: [TriesSentence] = []
        if wrong > 0 {
            sentences.append(
                .wrong(wrong, last: Moment(seconds: lastSeconds), source: source, here: machine))
        }
        if let left { sentences.append(.fewLeft(left, on: machine)) }
        return sentences
    }

    /// The sentence as ASCII octets, without a newline at its end.
    package var octets: [UInt8] {
        switch self {
        case .wrong(let count, let last, let source, let here):
            let number = decimal(count) + ascii(count == 65_535 ? " or more" : "")
            let when = last.map { ascii(" on ") + $0.octets } ?? []
            let place = when + from(source, here)
            return number + ascii(count == 1 ? " wrong PIN" : " wrong PINs")
                + ascii(" since your last login")
                + (place.isEmpty ? [] : ascii(count == 1 ? "," : ", the last") + place) + ascii(".")
        case .fewLeft(let left, let machine):
            return ascii(left == 1 ? "Only 1 wrong try is" : "Only ")
                + (left == 1 ? [] : decimal(left) + ascii(" wrong tries are"))
                + ascii(" left before this PIN is blocked")
                + ascii(machine == .host ? ", or refused from new places. " : ". ")
                + ascii(
                    machine == .host
                        ? "A new PIN (sudo mpin change-pin) resets the count."
                        : "Enrolling this device again, with a new code, resets the count.")
        }
    }

    private func from(_ source: [UInt8], _ here: Machine) -> [UInt8] {
        guard !source.isEmpty else { return [] }
        guard source.starts(with: ascii("local:")) else { return ascii(" from ") + presentable(source) }
        return ascii(here == .host ? " from this machine (" : " from the server's machine (")
            + presentable(source) + ascii(")")
    }
}

/// A time in the time zone of this machine.
package struct Moment: Equatable, Sendable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    /// Whether it is in the current year, which the text then leaves out.
    package let isThisYear: Bool

    package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, isThisYear: Bool) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.isThisYear) = (hour, minute, isThisYear)
    }

    /// - Parameter seconds: since 1970-01-01 UTC. nil for 0 and for times that cannot be represented.
    package init?(seconds: UInt64) {
        guard seconds > 0, seconds < 1 << 37, let then = Moment(local: time_t(seconds)),
            let now = Moment(local: time(nil))
        else { return nil }
        self.init(
            year: then.year, month: then.month, day: then.day, hour: then.hour, minute: then.minute,
            isThisYear: then.year == now.year)
    }

    private init?(local seconds: time_t) {
        var seconds = seconds
        var fields = unsafe tm()
        guard unsafe localtime_r(&seconds, &fields) != nil else { return nil }
        unsafe self.init(
            year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
            hour: Int(fields.tm_hour), minute: Int(fields.tm_min), isThisYear: false)
    }

    /// `21 Nov 14:02`, or `21 Nov 2025 14:02`.
    package var octets: [UInt8] {
        let names: [StaticString] = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let name = names.indices.contains(month - 1) ? ascii(names[month - 1]) : ascii("?")
        return decimal(day) + ascii(" ") + name + ascii(" ")
            + (isThisYear ? [] : decimal(year) + ascii(" ")) + twoDigits(hour) + ascii(":")
            + twoDigits(minute)
    }
}

private func twoDigits(_ number: Int) -> [UInt8] { (number < 10 ? ascii("0") : []) + decimal(number) }
