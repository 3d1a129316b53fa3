// SPDX-License-Identifier: Apache-2.0
// Names and values in a message from the script.
import Octets

/// The fields `(NAME VALUE)*` of a message.
struct Members {
    private let fields: [[UInt8]]

    /// nil for a name without a value.
    init?(_ fields: ArraySlice<[UInt8]>) {
        guard fields.count.isMultiple(of: 2) else { return nil }
        self.fields = [[UInt8]](fields)
    }

    /// The first value with this name; nil if there is none.
    subscript(_ name: StaticString) -> [UInt8]? { all(name).first }

    /// The values with this name, in their order.
    func all(_ name: StaticString) -> [[UInt8]] {
        var values: [[UInt8]] = []
        for index in stride(from: 0, to: fields.count, by: 2) where fields[index].spells(name) {
            values.append(fields[index + 1])
        }
        return values
    }
}
