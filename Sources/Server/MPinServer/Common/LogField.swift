// SPDX-License-Identifier: Apache-2.0
// A field of a log line.
import MPinWire
import Octets

/// One `key="value"` of the request's log line.
package struct LogField: Equatable, Sendable {
    package let name: String
    package let value: String
    /// Whether the value is written without quotes in JSON.
    let isNumber: Bool
    /// How many octets of the value are written. No stranger can make a line longer.
    let limit: Int

    package init(_ name: String, _ value: String) {
        (self.name, self.value, isNumber, limit) = (name, value, false, LogField.usualLimit)
    }

    /// A value of the administrator's settings, which is written as a whole.
    package init(_ name: String, setting value: String) {
        (self.name, self.value, isNumber, limit) = (name, value, false, .max)
    }

    package init(_ name: String, _ number: Int) {
        (self.name, value, isNumber, limit) = (name, String(number), true, LogField.usualLimit)
    }

    /// How many octets of a value are written that may come from others.
    static let usualLimit = 64
}

/// The first 8 hex digits of an id: what logs may show of an mpinId.
func id8(_ id: IdentityHash) -> String { hexText([UInt8](id.octets.prefix(4))) }
