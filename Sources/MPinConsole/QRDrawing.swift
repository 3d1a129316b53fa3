// SPDX-License-Identifier: Apache-2.0
// A QR code as text, without any escape sequence: what is drawn is light, unless the screen is inverse.

/// How modules become characters. The upright ways suit light text on a dark screen, the inverse ones dark
/// text on a light screen.
package enum QRDrawing: Equatable, Sendable, CaseIterable {
    /// Half blocks of UTF-8: a character is two modules, one above the other.
    case utf8, utf8Inverse
    /// A module is two characters of ASCII.
    case ascii, asciiInverse

    /// Modules of quiet zone on each side: as few as readers still accept.
    fileprivate var margin: Int { isASCII ? 1 : 2 }

    fileprivate var isASCII: Bool {
        switch self {
        case .ascii, .asciiInverse: true
        case .utf8, .utf8Inverse: false
        }
    }

    /// Whether a character is drawn for a module of this colour.
    fileprivate func draws(dark: Bool) -> Bool {
        switch self {
        case .utf8, .ascii: !dark
        case .utf8Inverse, .asciiInverse: dark
        }
    }
}

extension QRCode {
    package func columns(_ drawing: QRDrawing) -> Int {
        (side + 2 * drawing.margin) * (drawing.isASCII ? 2 : 1)
    }

    package func rows(_ drawing: QRDrawing) -> Int {
        let modules = side + 2 * drawing.margin
        return drawing.isASCII ? modules : (modules + 1) / 2
    }

    /// The lines of the drawing, with a newline between them and none at the end.
    package func drawn(_ drawing: QRDrawing) -> [UInt8] {
        var text: [UInt8] = []
        for line in 0..<rows(drawing) {
            if line > 0 { text.append(UInt8(ascii: "\n")) }
            for column in -drawing.margin..<side + drawing.margin {
                if drawing.isASCII {
                    let module = isDark(column: column, row: line - drawing.margin)
                    text += ascii(drawing.draws(dark: module) ? "##" : "  ")
                } else {
                    let row = 2 * line - drawing.margin
                    let upper = drawing.draws(dark: isDark(column: column, row: row))
                    let lower = drawing.draws(dark: isDark(column: column, row: row + 1))
                    text += halfBlocks(upper, lower)
                }
            }
        }
        return text
    }
}

/// A full block, the upper or the lower half of one, or a blank.
private func halfBlocks(_ upper: Bool, _ lower: Bool) -> [UInt8] {
    switch (upper, lower) {
    case (true, true): [0xE2, 0x96, 0x88]
    case (true, false): [0xE2, 0x96, 0x80]
    case (false, true): [0xE2, 0x96, 0x84]
    case (false, false): [0x20]
    }
}
