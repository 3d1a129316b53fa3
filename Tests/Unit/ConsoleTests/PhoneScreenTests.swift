// SPDX-License-Identifier: Apache-2.0
// Screens of a login that a second device approves: recorded in files, and checked for size.
import Foundation
import MPinConsole
import TestSupport
import Testing

private let wid = "0f5bf3c28bb4e04d9d2f4c1e7a60b938"
private let place = "https://mpin.example.org/phone"

/// A screen and the file that holds it.
struct Shown: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var address: String? = place
    var drawing: QRDrawing? = .utf8
    var size = (columns: 80, rows: 24)
    var seconds = 90
    var orPIN = true
    var orEnter = false
    var level = 0
    var isColoured = false

    var screen: PhoneScreen {
        get throws {
            let session = try #require(makeSession(place: address, seconds: seconds))
            let display = Display(size: size, isUTF8: true, assumed: (80, 24))
            var wishes = PhoneWishes(orPIN: orPIN, orEnter: orEnter, orNew: true)
            (wishes.level, wishes.isColoured) = (level, isColoured)
            return PhoneScreen(session, wishes, drawing: drawing, on: display)
        }
    }

    static let all = [
        Shown(testDescription: "utf8-80x24"),
        Shown(testDescription: "utf8-80x24-106-octets", address: long(106)),
        Shown(testDescription: "utf8-80x24-too-long", address: long(140)),
        Shown(testDescription: "utf8-80x22-without-page", size: (80, 22)),
        Shown(testDescription: "utf8-80x23", size: (80, 23)),
        Shown(testDescription: "utf8-80x21-too-low", size: (80, 21)),
        Shown(testDescription: "utf8-40x24", size: (40, 24), seconds: 1),
        Shown(testDescription: "utf8-36x40-too-narrow", size: (36, 40)),
        Shown(testDescription: "utf8-inverse-120x40", drawing: .utf8Inverse, size: (120, 40)),
        Shown(testDescription: "ascii-80x24-too-low", drawing: .ascii),
        Shown(testDescription: "ascii-120x40", drawing: .ascii, size: (120, 40)),
        Shown(testDescription: "ascii-inverse-120x40", drawing: .asciiInverse, size: (120, 40)),
        Shown(testDescription: "large-120x40", drawing: .large, size: (120, 40)),
        Shown(testDescription: "large-inverse-120x40", drawing: .largeInverse, size: (120, 40)),
        Shown(testDescription: "off", drawing: nil, orPIN: false),
        Shown(testDescription: "number-alone", address: nil),
        Shown(testDescription: "code-alone", orPIN: false),
        Shown(testDescription: "code-or-enter", orPIN: false, orEnter: true),
        Shown(testDescription: "pin-code-or-enter", address: nil, orEnter: true),
    ]

    /// An address that fills a code of `count` octets.
    fileprivate static func long(_ count: Int) -> String {
        place + "/" + String(repeating: "x", count: count - 33 - place.count - 1)
    }
}

@Suite struct PhoneScreenTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Screens")

    /// `MPIN_GOLDEN=update` writes the files again; review them then.
    @Test(arguments: Shown.all)
    func `a screen equals the one in its file`(shown: Shown) throws {
        let text = Data(try shown.screen.wholePrompt) + Data("\n".utf8)
        let file = Self.folder.appending(path: shown.testDescription + ".txt")
        if ProcessInfo.processInfo.environment["MPIN_GOLDEN"] == "update" { try text.write(to: file) }
        #expect(try Data(contentsOf: file) == text, "\(String(decoding: text, as: UTF8.self))")
    }

    @Test func `every file belongs to a screen`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Shown.all.map { $0.testDescription + ".txt" }))
    }

    @Test(arguments: Shown.all)
    func `a screen fits, and its code leads to the address`(shown: Shown) throws {
        let screen = try shown.screen
        let lines = String(decoding: screen.info + Array("\n".utf8) + screen.prompt, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let heights = lines.map { ($0.count + shown.size.columns - 1) / shown.size.columns }
        guard let drawing = shown.drawing, let place = shown.address, lines.count > 4 else {
            #expect(lines.count == (shown.address == nil ? 2 : 4))
            return
        }
        let address = place + "#" + wid
        // The last line of the address, the code, the page, the number and the prompt must fit.
        #expect(heights.dropFirst().reduce(1, +) <= shown.size.rows)
        #expect(heights.dropFirst().dropLast(3).allSatisfy { $0 == 1 })
        #expect(lines[0] == address)
        let lightInk = drawing == .utf8 || drawing == .ascii || drawing == .large
        let image = ScreenImage(
            "\n" + lines.joined(separator: "\n"), columns: shown.size.columns, lightInk: lightInk)
        #expect(try image.read() == address)
    }

    /// Octets of the address, size of the screen, drawing, and whether a code is drawn.
    @Test(arguments: [
        (106, (80, 24), QRDrawing.utf8, true), (107, (80, 24), .utf8, false), (106, (80, 23), .utf8, false),
        (78, (80, 22), .utf8, true), (106, (41, 26), .utf8, true), (106, (40, 60), .utf8, false),
        (106, (80, 24), .utf8Inverse, true), (107, (80, 24), .utf8Inverse, false),
        (154, (80, 28), .utf8, true), (154, (80, 27), .utf8, false),
        (46, (80, 24), .ascii, false), (46, (80, 33), .ascii, false), (46, (80, 34), .ascii, true),
        (46, (62, 35), .ascii, true), (46, (61, 60), .ascii, false), (46, (80, 34), .asciiInverse, true),
        (106, (120, 42), .ascii, true), (106, (120, 41), .ascii, false),
        (106, (80, 24), .large, true), (106, (80, 24), .largeInverse, true), (107, (80, 24), .large, false),
    ])
    func `a code is drawn where code, number and prompt fit`(
        octets: Int, size: (Int, Int), drawing: QRDrawing, drawn: Bool
    ) throws {
        // Without digits, because a run of digits can make the code smaller.
        let session = try #require(
            makeSession(
                place: String(repeating: "m", count: octets - 33), wid: String(repeating: "a", count: 32)))
        let display = Display(size: size, isUTF8: true, assumed: (80, 24))
        let wishes = PhoneWishes(orPIN: true, orEnter: false, orNew: true)
        let screen = PhoneScreen(session, wishes, drawing: drawing, on: display)
        #expect((screen.info.split(separator: UInt8(ascii: "\n")).count > 3) == drawn)
    }

    /// Octets of the address, size of the screen, and whether the page is named below the code.
    @Test(arguments: [
        (0, (80, 24), true), (0, (80, 23), true), (0, (80, 22), false), (0, (40, 25), true),
        (0, (40, 24), false), (106, (80, 26), true), (106, (80, 25), false),
    ])
    func `the page is named where it has room below the code`(octets: Int, size: (Int, Int), isNamed: Bool)
        throws
    {
        let address = octets == 0 ? place : Shown.long(octets)
        let screen = try Shown(testDescription: "", address: address, size: size).screen
        let lines = String(decoding: screen.info, as: UTF8.self).split(separator: "\n")
        #expect(lines.count > 19)
        #expect(lines.contains { $0.hasPrefix("Open mpin.example.org/phone") } == isNamed)
    }

    @Test func `upper case allows longer addresses, and the digits of a session never enlarge a code`() throws
    {
        #expect(try #require(QRCode(Array(String(repeating: "A", count: 154).utf8))).side == 37)
        var random = SplitMix(seed: 32)
        for _ in 0..<500 {
            let digits = String((0..<32).compactMap { _ in "0123456789abcdef".randomElement(using: &random) })
            let address = String(repeating: "m", count: 106 - 33) + "#" + digits
            #expect(try #require(QRCode(Array(address.utf8))).side <= 37, "\(digits)")
        }
    }

    @Test func `without a QR code a screen has plain lines that a screen reader can read`() throws {
        let screen = try Shown(testDescription: "", drawing: nil).screen
        let lines = String(decoding: screen.wholePrompt, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 4 && lines[0] == "\(place)#\(wid)")
        #expect(lines[1] == "Open mpin.example.org/phone on your phone, or the address above.")
        #expect(lines[2] == "Choose 323 2212 there, or enter it; valid for 90 seconds; r: new code.")
        #expect(screen.wholePrompt.allSatisfy { $0 == 0x0a || (0x20...0x7e).contains($0) })
    }

    @Test(arguments: [((30, 8), false), ((30, 9), true), ((40, 7), true), ((40, 6), false)])
    func `on a small screen the address stays, and the page is named where it has room`(
        size: (Int, Int), isNamed: Bool
    ) throws {
        let screen = try Shown(testDescription: "", address: "https://login.example.org/", size: size).screen
        let lines = String(decoding: screen.wholePrompt, as: UTF8.self).split(separator: "\n")
        #expect(lines.reduce(0) { $0 + ($1.count + size.0 - 1) / size.0 } <= size.1 || !isNamed)
        #expect(lines[1].hasPrefix(isNamed ? "Open login.example.org on" : "Open this, or enter 323 2212"))
    }

    @Test func `a large code is drawn where it fits, and otherwise a small one`() throws {
        let small = try Shown(testDescription: "").screen
        #expect(try Shown(testDescription: "", drawing: .large).screen == small)
        let large = try Shown(testDescription: "", drawing: .large, size: (80, 40)).screen
        #expect(large.info.split(separator: UInt8(ascii: "\n")).count == 38)
        let low = try Shown(testDescription: "", drawing: .large, size: (80, 38)).screen
        #expect(low.info.split(separator: UInt8(ascii: "\n")).count == 37)
        let inverse = try Shown(testDescription: "", drawing: .utf8Inverse).screen
        #expect(try Shown(testDescription: "", drawing: .largeInverse).screen == inverse)
    }

    @Test func `a level that does not fit is replaced by L`() throws {
        let low = try Shown(testDescription: "").screen
        #expect(try Shown(testDescription: "", level: 3).screen == low)
        let room = (columns: 120, rows: 60)
        let screens = try (0...3).map { try Shown(testDescription: "", size: room, level: $0).screen }
        #expect(Set(screens.map { String(decoding: $0.info, as: UTF8.self) }).count == 4)
        #expect(screens[0].info.count < screens[3].info.count)
    }

    @Test func `colours enclose each line of the QR code, and nothing else`() throws {
        let screen = try Shown(testDescription: "", isColoured: true).screen
        let lines = String(decoding: screen.info, as: UTF8.self).split(separator: "\n")
        let (start, end) = ("\u{1b}[0;30;47m", "\u{1b}[0m")
        let qrCode = lines.dropFirst().dropLast(2)
        #expect(qrCode.count == 19)
        #expect(qrCode.allSatisfy { $0.hasPrefix(start) && $0.hasSuffix(end) && $0.count == 51 })
        #expect(!lines[0].contains("\u{1b}") && lines.last?.contains("\u{1b}") == false)
        #expect(!screen.prompt.contains(0x1b))
        let plain = String(decoding: screen.info, as: UTF8.self).replacing(start, with: "").replacing(
            end, with: "")
        let inverse = try Shown(testDescription: "", drawing: .utf8Inverse).screen
        #expect(Array(plain.utf8) == inverse.info)
    }

    @Test func `an expired session is not shown, and r requests a new one`() throws {
        let screen = try Shown(testDescription: "", seconds: 0).screen
        #expect(
            String(decoding: screen.wholePrompt, as: UTF8.self)
                == "\nThe access number has expired. Type r for a new one.\nPIN or approval code from "
                + "your phone: "
        )
        let last = PhoneWishes(orPIN: true, orEnter: false, orNew: false)
        let shown = PhoneScreen(
            try #require(makeSession()), last, drawing: nil, on: Display(assumed: (80, 24)))
        #expect(!String(decoding: shown.info, as: UTF8.self).contains("r: new code"))
    }

    @Test func `an organisation's own prompt texts are shown, in any language`() throws {
        let session = try #require(makeSession())
        func prompt(_ pin: String?, _ code: String?, orPIN: Bool, orEnter: Bool = false) -> String {
            var wishes = PhoneWishes(orPIN: orPIN, orEnter: orEnter, orNew: true)
            wishes.pinPrompt = pin.map { Array($0.utf8) }
            wishes.codePrompt = code.map { Array($0.utf8) }
            let screen = PhoneScreen(session, wishes, drawing: nil, on: Display(assumed: (80, 24)))
            return String(decoding: screen.prompt, as: UTF8.self)
        }
        #expect(prompt(nil, "Zeichen vom Gerät", orPIN: false) == "Zeichen vom Gerät: ")
        #expect(prompt(nil, "Zeichen", orPIN: true) == "PIN / Zeichen: ")
        #expect(prompt("Zahl", "Zeichen", orPIN: true, orEnter: true) == "Zahl / Zeichen / Enter: ")
        #expect(prompt("Geheimzahl", nil, orPIN: true) == "PIN or approval code from your phone: ")
    }

    @Test func `one prompt contains the messages and the short prompt`() throws {
        let screen = try Shown(testDescription: "").screen
        let newline = Array("\n".utf8)
        #expect(screen.wholePrompt == newline + screen.info + newline + screen.prompt)
        #expect(screen.info.first != newline[0] && screen.info.last != newline[0])
        #expect(!screen.prompt.contains(newline[0]))
    }

    @Test(arguments: [
        "", String(wid.dropLast()), wid + "0", wid.dropLast() + "\u{1b}", wid.dropLast() + "g",
        "https://evil.example/#" + wid.prefix(10), String(repeating: "0", count: 10_000),
    ])
    func `malformed session digits from a server are not shown`(wid: String) {
        #expect(makeSession(wid: wid) == nil)
    }

    @Test(arguments: [
        "", "323221", "32322122", "323221\u{202e}", "\u{9b}32212", "323\n212", "323 221",
        String(repeating: "1", count: 10_000),
    ])
    func `a malformed number from a server is not shown`(number: String) {
        #expect(makeSession(number: number) == nil)
    }

    @Test(arguments: [
        ("https://login.example.org/", "login.example.org"),
        ("https://login.example.org", "login.example.org"),
        ("https://LOGIN.EXAMPLE.ORG:8443/m/", "LOGIN.EXAMPLE.ORG:8443/m"),
    ])
    func `the page is named without its scheme`(address: String, page: String) throws {
        let screen = try Shown(testDescription: "", address: address, drawing: nil).screen
        #expect(String(decoding: screen.info, as: UTF8.self).contains("\nOpen \(page) on your phone, or"))
    }

    @Test func `no setting reaches the screen as a control sequence`() throws {
        let session = try #require(makeSession(place: "https://a/\u{1b}[2J\u{7}\n\u{202e}"))
        #expect(try #require(session.address).allSatisfy { (0x20...0x7E).contains($0) })
    }
}

private func makeSession(
    place: String? = place, wid: String = wid, number: String = "3232212", seconds: Int = 90
) -> PhoneScreenSession? {
    PhoneScreenSession(
        phoneAddress: place.map { Array($0.utf8) }, wid: Array(wid.utf8), number: Array(number.utf8),
        seconds: seconds)
}
