// SPDX-License-Identifier: Apache-2.0
// QR codes as text: their size, their capacity, and whether readers read them.
import MPinConsole
import Testing

@Suite struct QRCodeTests {
    /// Octets of a text in lower case, and in upper case, where more fit; rows and columns of both drawings.
    @Test(arguments: [
        (17, 25, (13, 25), (23, 46)), (32, 47, (15, 29), (27, 54)), (53, 77, (17, 33), (31, 62)),
        (78, 114, (19, 37), (35, 70)), (106, 154, (21, 41), (39, 78)), (154, 224, (25, 49), (47, 94)),
    ])
    func `a code has the size that the table gives`(
        lower: Int, upper: Int, blocks: (Int, Int), ascii: (Int, Int)
    ) throws {
        for (letter, count) in [("a", lower), ("A", upper)] {
            let code = try #require(QRCode(text(letter, count)))
            for drawing in QRDrawing.allCases {
                let (rows, columns) = drawing == .utf8 || drawing == .utf8Inverse ? blocks : ascii
                #expect(code.rows(drawing) == rows && code.columns(drawing) == columns)
                let lines = String(decoding: code.drawn(drawing), as: UTF8.self)
                    .split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.count == rows && lines.allSatisfy { $0.count == columns })
            }
            let larger = try #require(QRCode(text(letter, count + 1)))
            #expect(larger.side > code.side)
        }
    }

    @Test func `text that is too long, or not an address, has no code`() {
        #expect(QRCode(text("a", 2_953)) != nil)
        #expect(QRCode(text("a", 2_954)) == nil)
        for other in ["", "a b", "a\nb", "a\u{0}b", "ä", "\u{1b}[2J", "a\u{7f}"] {
            #expect(QRCode(Array(other.utf8)) == nil)
        }
    }

    @Test func `a drawing is made of blocks, number signs and blanks`() throws {
        let code = try #require(QRCode(text("a", 60)))
        for drawing in QRDrawing.allCases {
            let ink: Set<Character> =
                switch drawing {
                case .ascii, .asciiInverse: ["#"]
                case .large, .largeInverse: ["█"]
                case .utf8, .utf8Inverse: ["█", "▀", "▄"]
                }
            let drawn = String(decoding: code.drawn(drawing), as: UTF8.self)
            #expect(Set(drawn) == ink.union([" ", "\n"]))
        }
    }

    @Test(arguments: QRDrawing.allCases, [33, 63, 78, 106, 300])
    func `a reader reads every drawing`(drawing: QRDrawing, count: Int) throws {
        let address = address(count, UInt64(count))
        let code = try #require(QRCode(Array(address.utf8)))
        #expect(try code.image(drawing, lightInk: isUpright(drawing)).read() == address)
    }

    @Test(arguments: 0...3, QRDrawing.allCases)
    func `a reader reads every level, and a coloured QR code`(level: Int, drawing: QRDrawing) throws {
        let address = address(63, UInt64(level))
        let code = try #require(QRCode(Array(address.utf8), level: level))
        #expect(try code.image(drawing, lightInk: isUpright(drawing)).read() == address)
        #expect(try code.image(drawing, lightInk: false, isColoured: true).read() == address)
    }

    @Test func `a higher level makes a QR code larger`() throws {
        let sides = try (0...3).map { try #require(QRCode(text("a", 63), level: $0)).side }
        #expect(sides == sides.sorted() && sides[0] < sides[3])
    }

    /// The default is for light text on a dark screen: drawn the other way round, it would be invisible to
    /// cameras that do not read inverted codes.
    @Test(arguments: QRDrawing.allCases)
    func `a drawing for the other kind of screen is not read`(drawing: QRDrawing) throws {
        let code = try #require(QRCode(Array(address(63, 7).utf8)))
        #expect(try code.image(drawing, lightInk: !isUpright(drawing)).read().isEmpty)
    }
}

extension QRCode {
    /// Colours are removed: `lightInk` says which ones they are.
    fileprivate func image(_ drawing: QRDrawing, lightInk: Bool, isColoured: Bool = false) -> ScreenImage {
        let text = String(decoding: drawn(drawing, isColoured: isColoured), as: UTF8.self)
        let frame = "\n\n\n" + text.replacing(#/\x1b\[[0-9;]*m/#, with: "") + "\n\n\n"
        return ScreenImage(frame, columns: columns(drawing) + 12, lightInk: lightInk)
    }
}

private func isUpright(_ drawing: QRDrawing) -> Bool {
    drawing == .utf8 || drawing == .ascii || drawing == .large
}

private func text(_ letter: String, _ count: Int) -> [UInt8] {
    Array(String(repeating: letter, count: count).utf8)
}

/// An address of `count` octets: letters, `#` and 32 hex digits that depend on the seed.
private func address(_ count: Int, _ seed: UInt64) -> String {
    var state = seed
    let wid = (0..<32).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return Array("0123456789abcdef")[Int(state >> 60)]
    }
    return String(repeating: "m", count: count - 33) + "#" + String(wid)
}
