// SPDX-License-Identifier: Apache-2.0
// The test whether a PIN can be read as a date.
import Secrets

extension PINPolicy {
    /// Whether a PIN can be read as a date in digits: day and month in either order, alone or with a year
    /// after them, or a year followed by month and day; or a year alone. A year is from 1900 to 2099, and
    /// beside day and month it may have two digits. Dots, hyphens, slashes and blanks are ignored.
    static func readsAsDate(_ octets: RawSpan) -> Bool {
        var count = 0
        var value = 0
        for index in 0..<octets.byteCount {
            let octet = unsafe octets.unsafeLoad(fromByteOffset: index, as: UInt8.self)
            switch octet {
            case 0x20, 0x2d, 0x2e, 0x2f: continue
            case 0x30...0x39: break
            default: return false
            }
            count += 1
            guard count <= 8 else { return false }
            value = value * 10 + Int(octet - 0x30)
        }
        let (head, middle, tail) = (value / 10_000, value / 100 % 100, value % 100)
        switch count {
        case 4: return isCentury(middle) || isDay(middle, month: tail) || isDay(tail, month: middle)
        case 6: return isDay(head, month: middle) || isDay(middle, month: head) || isDay(tail, month: middle)
        case 8:
            let (first, second) = (head / 100, head % 100)
            return isCentury(middle) && (isDay(first, month: second) || isDay(second, month: first))
                || isCentury(first) && isDay(tail, month: middle)
        default: return false
        }
    }
}

/// Whether a number is the first two digits of a year from 1900 to 2099.
private func isCentury(_ number: Int) -> Bool { number == 19 || number == 20 }

private func isDay(_ day: Int, month: Int) -> Bool {
    switch month {
    case 2: (1...29).contains(day)
    case 4, 6, 9, 11: (1...30).contains(day)
    case 1...12: (1...31).contains(day)
    default: false
    }
}
