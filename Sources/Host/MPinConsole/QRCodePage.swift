// SPDX-License-Identifier: Apache-2.0
// A page of the terminal with a QR code and a text beside or above it, placed so that it never scrolls.
import Octets

/// What a page shows.
package struct QRCodePage: Equatable, Sendable {
    /// The address in the QR code; nil: a page without a QR code.
    package let address: [UInt8]?
    /// The text in paragraphs; an empty one is a blank line. `init` removes control characters.
    package let words: [[UInt8]]
    /// The text before the cursor.
    package let prompt: [UInt8]

    package init(address: [UInt8]?, words: [[UInt8]], prompt: [UInt8]) {
        self.address = address
        self.words = words.map { presentable($0, limit: 1_024) }
        self.prompt = presentable(prompt, limit: 200)
    }

    /// The rows of this page on a terminal. The prompt is the last one, and the row below it stays free, so
    /// that Enter does not scroll the QR code into the terminal's scrollback.
    /// - Parameter seconds: the rest of the QR code's lifetime; nil: the page does not show it.
    package func rows(on display: Display, seconds: Int?) -> QRCodeRows {
        let left = seconds.map { ascii("This QR code is good for ") + clock($0) + ascii(".") }
        guard let address else {
            return QRCodeRows(wrapped(words, display.columns), prompt, qrCode: nil, isWhole: true)
        }
        let drawing = display.drawing
        guard let code = QRCode(address) else {
            return tooSmall(ascii("The address is too long for a QR code."), display)
        }
        let (width, height) = (code.columns(drawing), code.rows(drawing))
        let all = words + (left.map { [[], $0] } ?? [])
        let room = display.columns - width - gap
        let beside = wrapped(all, room)
        let qrCode = code.drawn(drawing).split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).map { [UInt8]($0) }
        if room >= narrowest, max(beside.count, height) + 3 <= display.rows {
            return QRCodeRows(beside, prompt, qrCode: .init(rows: qrCode, width: width, isBeside: true))
        }
        let above = wrapped(all, display.columns)
        if width <= display.columns, above.count + height + 3 <= display.rows {
            return QRCodeRows(above, prompt, qrCode: .init(rows: qrCode, width: width, isBeside: false))
        }
        let needed = max(wrapped(all, narrowest).count, height) + 3
        return tooSmall(
            ascii("This window is too small for the QR code. It needs ")
                + decimal(width + gap + narrowest) + ascii(" columns and ") + decimal(needed)
                + ascii(" rows: enlarge it, or make its letters smaller."), display)
    }

    private func tooSmall(_ why: [UInt8], _ display: Display) -> QRCodeRows {
        QRCodeRows(wrapped([why], display.columns), prompt, qrCode: nil, isWhole: false)
    }
}

/// The columns between QR code and text, and the fewest columns for a text beside the QR code.
private let gap = 2
private let narrowest = 28

/// A page, row by row.
package struct QRCodeRows: Equatable, Sendable {
    struct Drawing: Equatable, Sendable {
        let rows: [[UInt8]]
        /// In columns, because a block has three octets.
        let width: Int
        let isBeside: Bool
    }

    let words: [[UInt8]]
    let qrCode: Drawing?
    package let prompt: [UInt8]
    /// Whether the page itself is shown; false: a sentence why it cannot be shown.
    package let isWhole: Bool

    fileprivate init(_ words: [[UInt8]], _ prompt: [UInt8], qrCode: Drawing?, isWhole: Bool = true) {
        (self.words, self.prompt, self.qrCode, self.isWhole) = (words, prompt, qrCode, isWhole)
    }

    /// The number of rows above the prompt.
    package var height: Int {
        guard let qrCode else { return words.count + 1 }
        let both = (words.count, qrCode.rows.count)
        return (qrCode.isBeside ? max(both.0, both.1) : both.0 + both.1) + 1
    }

    /// One row. Escape sequences make the QR code light on dark, whatever colours the terminal has.
    package func octets(ofRow row: Int) -> [UInt8] {
        guard let qrCode else { return words.indices.contains(row) ? words[row] : [] }
        if qrCode.isBeside {
            let beside = words.indices.contains(row) ? words[row] : []
            let isQRCode = qrCode.rows.indices.contains(row)
            let blanks = [UInt8](repeating: 0x20, count: gap + (isQRCode ? 0 : qrCode.width))
            return (isQRCode ? coloured(qrCode.rows[row]) : []) + blanks + beside
        }
        if words.indices.contains(row) { return words[row] }
        let inside = row - words.count
        return qrCode.rows.indices.contains(inside) ? coloured(qrCode.rows[inside]) : []
    }
}

private func coloured(_ row: [UInt8]) -> [UInt8] {
    ascii("\u{1b}[0;1;37;40m") + row + ascii("\u{1b}[0m")
}

/// Lines of at most `columns` octets, broken at blanks where possible.
private func wrapped(_ paragraphs: [[UInt8]], _ columns: Int) -> [[UInt8]] {
    guard columns > 0 else { return [] }
    var lines: [[UInt8]] = []
    for paragraph in paragraphs {
        var rest = paragraph[...]
        while rest.count > columns {
            let line = rest.prefix(columns)
            let end = rest[rest.startIndex + columns] == 0x20 ? line.endIndex : line.lastIndex(of: 0x20)
            let cut = end.flatMap { $0 > rest.startIndex ? $0 : nil } ?? line.endIndex
            lines.append([UInt8](rest[..<cut]))
            rest = rest[cut...].drop { $0 == 0x20 }
        }
        lines.append([UInt8](rest))
    }
    return lines
}

/// Minutes and seconds, like 9:07.
private func clock(_ seconds: Int) -> [UInt8] {
    let seconds = max(seconds, 0)
    let rest = decimal(seconds % 60)
    return decimal(seconds / 60) + ascii(rest.count < 2 ? ":0" : ":") + rest
}
