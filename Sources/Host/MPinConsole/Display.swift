// SPDX-License-Identifier: Apache-2.0
// What is known about the user's terminal: its size, and whether it shows UTF-8.
import Octets

package struct Display: Equatable, Sendable {
    package let columns: Int
    package let rows: Int
    package let isUTF8: Bool

    /// A terminal that cannot be queried, as in sshd: the assumed size, and UTF-8.
    package init(assumed size: (columns: Int, rows: Int)) {
        (columns, rows) = size
        isUTF8 = true
    }

    /// The terminal of this process.
    /// - Parameters:
    ///   - size: the size that the kernel reports; 0 if it does not know.
    ///   - assumed: the size to use where the kernel does not know it.
    package init(size: (columns: Int, rows: Int), isUTF8: Bool, assumed: (columns: Int, rows: Int)) {
        columns = size.columns > 0 ? size.columns : assumed.columns
        rows = size.rows > 0 ? size.rows : assumed.rows
        self.isUTF8 = isUTF8
    }

    /// The drawing for `qr = auto`. Whether there is room for it is decided with the screen.
    package var drawing: QRDrawing { isUTF8 ? .utf8 : .ascii }

    /// The number of lines that a text without newlines takes, wrapped at the right edge of the screen.
    func height(of text: [UInt8]) -> Int {
        let columns = max(columns, 1)
        return max(1, text.count / columns + (text.count.isMultiple(of: columns) ? 0 : 1))
    }
}

/// Whether the locale's variables name UTF-8. The first that is not empty decides, as in locale(7). The
/// caller controls them, so they are only compared.
package func isUTF8Locale(lcAll: [UInt8], lcCType: [UInt8], lang: [UInt8]) -> Bool {
    let name = [lcAll, lcCType, lang].first { !$0.isEmpty } ?? []
    guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else { return false }
    let charset = name[(dot + 1)...].prefix { $0 != UInt8(ascii: "@") }
    let letters = charset.filter { $0 != UInt8(ascii: "-") }.map { $0 | 0x20 }
    return letters == ascii("utf8")
}
