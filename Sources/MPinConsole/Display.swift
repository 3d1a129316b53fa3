// SPDX-License-Identifier: Apache-2.0
// What is known of the terminal in front of the person: its size, and whether it shows UTF-8.
import Octets

package struct Display: Equatable, Sendable {
    package let columns: Int
    package let rows: Int
    package let isUTF8: Bool

    /// A terminal that nobody can ask, as in sshd: what is assumed of all of them.
    package init(assumed size: (columns: Int, rows: Int)) {
        (columns, rows) = size
        isUTF8 = true
    }

    /// A terminal that this process holds.
    /// - Parameters:
    ///   - size: what the kernel says of it; 0 where it does not know.
    ///   - assumed: what stands in for a size that is not known.
    package init(size: (columns: Int, rows: Int), isUTF8: Bool, assumed: (columns: Int, rows: Int)) {
        columns = size.columns > 0 ? size.columns : assumed.columns
        rows = size.rows > 0 ? size.rows : assumed.rows
        self.isUTF8 = isUTF8
    }

    /// `qr = auto`. Whether there is room for it is decided with the screen.
    package var drawing: QRDrawing { isUTF8 ? .utf8 : .ascii }

    /// The lines that a text without newlines takes, wrapped where the screen ends.
    func height(of text: [UInt8]) -> Int {
        let columns = max(columns, 1)
        return max(1, text.count / columns + (text.count.isMultiple(of: columns) ? 0 : 1))
    }
}

/// Whether the variables of a locale promise UTF-8. The first that says anything decides, as in locale(7).
/// They are the caller's and are compared, nothing else.
package func isUTF8Locale(lcAll: [UInt8], lcCType: [UInt8], lang: [UInt8]) -> Bool {
    let name = [lcAll, lcCType, lang].first { !$0.isEmpty } ?? []
    guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else { return false }
    let charset = name[(dot + 1)...].prefix { $0 != UInt8(ascii: "@") }
    let letters = charset.filter { $0 != UInt8(ascii: "-") }.map { $0 | 0x20 }
    return letters == ascii("utf8")
}
