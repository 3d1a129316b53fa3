// SPDX-License-Identifier: Apache-2.0
// A QR code as text. The characters draw the light modules, unless the drawing is inverse or coloured by
// escape sequences.
import Octets

/// How modules become characters. The plain drawings suit light text on a dark screen, the inverse ones dark
/// text on a light screen.
package enum QRDrawing: Equatable, Sendable, CaseIterable {
    /// Half blocks in UTF-8: a character is two modules, one above the other.
    case utf8, utf8Inverse
    /// A module is two ASCII characters.
    case ascii, asciiInverse
    /// A module is two full blocks in UTF-8.
    case large, largeInverse

    /// The modules of quiet zone on each side, the fewest that scanners still accept.
    fileprivate var margin: Int { isWide ? 1 : 2 }

    /// Whether a module is two characters and one line.
    fileprivate var isWide: Bool {
        switch self {
        case .ascii, .asciiInverse, .large, .largeInverse: true
        case .utf8, .utf8Inverse: false
        }
    }

    fileprivate var isInverse: Bool {
        switch self {
        case .utf8, .ascii, .large: false
        case .utf8Inverse, .asciiInverse, .largeInverse: true
        }
    }

    /// The two characters of a drawn module in a wide drawing.
    fileprivate var ink: [UInt8] {
        switch self {
        case .ascii, .asciiInverse: Octets.ascii("##")
        case .utf8, .utf8Inverse, .large, .largeInverse: halfBlocks(true, true) + halfBlocks(true, true)
        }
    }

    /// The same drawing with modules of twice the size, where there is one.
    package var larger: QRDrawing {
        switch self {
        case .utf8: .large
        case .utf8Inverse: .largeInverse
        case .ascii, .asciiInverse, .large, .largeInverse: self
        }
    }

    /// The drawing to use where this one does not fit; nil: none.
    var smaller: QRDrawing? {
        switch self {
        case .large: .utf8
        case .largeInverse: .utf8Inverse
        case .utf8, .utf8Inverse, .ascii, .asciiInverse: nil
        }
    }
}

extension QRCode {
    package func columns(_ drawing: QRDrawing) -> Int {
        (side + 2 * drawing.margin) * (drawing.isWide ? 2 : 1)
    }

    package func rows(_ drawing: QRDrawing) -> Int {
        let modules = side + 2 * drawing.margin
        return drawing.isWide ? modules : (modules + 1) / 2
    }

    /// The lines of the drawing, with a newline between them and none at the end.
    /// - Parameter isColoured: draw the dark modules, black on white by escape sequences; the terminal's own
    ///   colours are restored after each line.
    package func drawn(_ drawing: QRDrawing, isColoured: Bool = false) -> [UInt8] {
        var text: [UInt8] = []
        let drawsDark = isColoured || drawing.isInverse
        for line in 0..<rows(drawing) {
            if line > 0 { text.append(UInt8(ascii: "\n")) }
            if isColoured { text += ascii("\u{1b}[0;30;47m") }
            for column in -drawing.margin..<side + drawing.margin {
                if drawing.isWide {
                    let module = isDark(column: column, row: line - drawing.margin)
                    text += module == drawsDark ? drawing.ink : ascii("  ")
                } else {
                    let row = 2 * line - drawing.margin
                    let upper = isDark(column: column, row: row) == drawsDark
                    let lower = isDark(column: column, row: row + 1) == drawsDark
                    text += halfBlocks(upper, lower)
                }
            }
            if isColoured { text += ascii("\u{1b}[0m") }
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
