// SPDX-License-Identifier: Apache-2.0
// `mpin doctor --screen`: draws a QR code as a login would, so that you can test with a phone which mode
// works.
import CPlatform
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore

/// How a test QR code is drawn.
package enum ScreenMode: String, CaseIterable {
    /// As a login on this terminal would.
    case auto
    /// In half blocks of UTF-8.
    case utf8
    /// In characters of ASCII.
    case ascii
    /// In half blocks, with light and dark exchanged.
    case utf8Inverse = "utf8-inverse"
    /// In characters of ASCII, with light and dark exchanged.
    case asciiInverse = "ascii-inverse"
    /// In full blocks of UTF-8.
    case large
    /// In full blocks, with light and dark exchanged.
    case largeInverse = "large-inverse"
    /// In every mode.
    case every = "all"

    fileprivate func drawings(on display: Display) -> [QRDrawing] {
        switch self {
        case .auto: [display.drawing]
        case .utf8: [.utf8]
        case .utf8Inverse: [.utf8Inverse]
        case .ascii: [.ascii]
        case .asciiInverse: [.asciiInverse]
        case .large: [.large]
        case .largeInverse: [.largeInverse]
        case .every: QRDrawing.allCases
        }
    }
}

struct ScreenReport: Encodable {
    /// The value of `qr`; `large` or `large-inverse` for the UTF-8 modes with `qr-size = large`.
    let mode: String
    let columns: Int
    let rows: Int
    /// Whether a login on this terminal has room for the QR code.
    let fits: Bool
    let text: String
    private let qrCode: String
    private let terminal: String
    /// The lines of mpin.conf that choose this mode.
    private let settings: [String]
    private let otherwise: String

    private enum CodingKeys: CodingKey { case mode, columns, rows, fits, text }

    fileprivate init(
        _ code: QRCode, by drawing: QRDrawing, of session: PhoneScreenSession, on display: Display
    ) {
        mode = drawing.word
        columns = code.columns(drawing)
        rows = code.rows(drawing)
        qrCode = String(decoding: code.drawn(drawing), as: UTF8.self)
        text = String(decoding: session.address ?? [], as: UTF8.self)
        terminal = "\(display.columns)x\(display.rows)"
        settings = drawing.settings
        otherwise =
            drawing.isLarge
            ? "a login draws the small one where that fits" : "a login shows address and number alone"
        // A login makes the same decision.
        let screen = PhoneScreen(
            session, PhoneWishes(orPIN: true, orEnter: false, orNew: true), drawing: drawing, on: display)
        fits = screen.info.count > code.drawn(drawing).count
    }

    var lines: [String] {
        let quoted = settings.map { "'\($0)'" }.joined(separator: " and ")
        let room = fits ? "fits" : "does not fit with the prompt, and \(otherwise)"
        let way = settings.joined(separator: ", ")
        return [
            "\(way): \(columns) columns, \(rows) rows; on this terminal (\(terminal)) it \(room).",
            qrCode,
            "If your phone reads '\(text)', set \(quoted) in mpin.conf.", "",
        ]
    }
}

extension QRDrawing {
    fileprivate var word: String {
        switch self {
        case .utf8: "utf8"
        case .utf8Inverse: "utf8-inverse"
        case .ascii: "ascii"
        case .asciiInverse: "ascii-inverse"
        case .large: "large"
        case .largeInverse: "large-inverse"
        }
    }

    fileprivate var isLarge: Bool { self == .large || self == .largeInverse }

    fileprivate var settings: [String] {
        switch self {
        case .large: ["qr = utf8", "qr-size = large"]
        case .largeInverse: ["qr = utf8-inverse", "qr-size = large"]
        case .utf8, .utf8Inverse, .ascii, .asciiInverse: ["qr = \(word)"]
        }
    }
}

/// Test QR codes of an address that is as long as a real one but names no session. Without valid settings the
/// address is that of an example server.
func drawnScreens(
    _ mode: ScreenMode, _ settings: Result<Settings, SettingsError>
) throws(Failure) -> [ScreenReport] {
    var address = [UInt8]("https://login.example.org/m".utf8)
    var assumed = Screen(columns: 80, rows: 24)
    if case .success(let settings) = settings {
        address = settings.phoneAddress ?? address
        assumed = settings.screen
    }
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 32)
    let number = [UInt8](repeating: UInt8(ascii: "0"), count: 7)
    guard let session = PhoneScreenSession(phoneAddress: address, wid: zeros, number: number, seconds: 90),
        let code = QRCode(session.address ?? [])
    else { throw Failure(.settings, "'phone-address' is too long for a QR code.") }
    let display = currentDisplay(assumed)
    return mode.drawings(on: display).map { ScreenReport(code, by: $0, of: session, on: display) }
}

/// The terminal at standard output; without one, the assumed size.
private func currentDisplay(_ assumed: Screen) -> Display {
    var size = winsize()
    let isTerminal = unsafe mpin_terminal_size(STDOUT_FILENO, &size) == 0
    return Display(
        size: isTerminal ? (Int(size.ws_col), Int(size.ws_row)) : (0, 0),
        isUTF8: isUTF8Locale(
            lcAll: variable("LC_ALL"), lcCType: variable("LC_CTYPE"), lang: variable("LANG")),
        assumed: (assumed.columns, assumed.rows))
}
