// SPDX-License-Identifier: Apache-2.0
// Draws a session for a phone, by the settings and by what is known about the terminal.
import CPlatform
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore
import Octets

struct SessionRendering {
    let settings: Settings
    private let style: QRStyle
    private let holdsTerminal: Bool

    /// - Parameters:
    ///   - user: the account's name; where there is no account, the name that was typed.
    ///   - holdsTerminal: the user is at this process's terminal, which is queried when a session is shown.
    init(_ settings: Settings, user: [UInt8], holdsTerminal: Bool) {
        self.settings = settings
        style = settings.qrStyle(for: user)
        self.holdsTerminal = holdsTerminal
    }

    /// The screen of a session; nil for one that cannot be shown.
    func screen(of phone: PhonePrompt) -> PhoneScreen? {
        let assumed = (settings.screen.columns, settings.screen.rows)
        let (display, isTerminal) = holdsTerminal ? ownDisplay(assumed) : (Display(assumed: assumed), false)
        var wishes = PhoneWishes(
            orPIN: phone.takes.pin, orEnter: phone.takes.enter, orNew: phone.takes.newCode)
        (wishes.pinPrompt, wishes.codePrompt) = (settings.pinPrompt, settings.codePrompt)
        wishes.level = settings.qrLevel
        wishes.isColoured = settings.qrIsColoured && isTerminal
        let session = PhoneScreenSession(
            phoneAddress: settings.phoneAddress, wid: phone.wid, number: phone.number,
            seconds: phone.secondsLeft)
        let drawing = drawing(on: display)
        return session.map {
            PhoneScreen($0, wishes, drawing: settings.qrIsLarge ? drawing?.larger : drawing, on: display)
        }
    }

    /// nil: no QR code is wanted.
    private func drawing(on display: Display) -> QRDrawing? {
        switch style {
        case .auto: display.drawing
        case .utf8: .utf8
        case .utf8Inverse: .utf8Inverse
        case .ascii: .ascii
        case .asciiInverse: .asciiInverse
        case .off: nil
        }
    }
}

/// What is known about the terminal, and whether there is one: a desktop's daemon has none. The kernel
/// reports the terminal and its size. The caller controls the locale, which is only compared with names.
private func ownDisplay(_ assumed: (columns: Int, rows: Int)) -> (Display, Bool) {
    var size = winsize()
    var isTerminal = false
    let terminal = unsafe mpin_open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
    if terminal >= 0 {
        isTerminal = unsafe mpin_terminal_size(terminal, &size) == 0
        close(terminal)
    }
    let display = Display(
        size: (Int(size.ws_col), Int(size.ws_row)),
        isUTF8: isUTF8Locale(
            lcAll: environment("LC_ALL"), lcCType: environment("LC_CTYPE"), lang: environment("LANG")),
        assumed: assumed)
    return (display, isTerminal)
}

private func environment(_ name: StaticString) -> [UInt8] {
    guard let value = unsafe mpin_getenv(ascii(name) + [0]) else { return [] }
    return unsafe octets(value)
}
