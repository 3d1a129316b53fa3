// SPDX-License-Identifier: Apache-2.0
// How a phone's session looks here: by the settings, and by what is known of the terminal.
import CPlatform
import MPinConsole
import MPinLogin
import MPinProof

struct PhoneLook {
    private let settings: Settings
    private let style: QRStyle
    private let holdsTerminal: Bool

    /// - Parameters:
    ///   - user: the account's name; where there is no account, what was typed.
    ///   - holdsTerminal: the person sits at this process's terminal, which is asked when a session is to be
    ///     shown.
    init(_ settings: Settings, user: [UInt8], holdsTerminal: Bool) {
        self.settings = settings
        style = settings.qrStyle(for: user)
        self.holdsTerminal = holdsTerminal
    }

    /// nil for a session that cannot be shown.
    func screen(of phone: PhonePrompt) -> PhoneScreen? {
        let assumed = (settings.screen.columns, settings.screen.rows)
        let display = holdsTerminal ? ownDisplay(assumed) : Display(assumed: assumed)
        let session = PhoneSession(
            phoneAddress: settings.phoneAddress, wid: phone.wid, number: phone.number,
            seconds: phone.secondsLeft)
        return session.map {
            PhoneScreen(
                $0, orPIN: phone.takes.pin, orEnter: phone.takes.enter, drawing: drawing(on: display),
                on: display)
        }
    }

    /// nil: no picture is wanted.
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

/// The size is the kernel's word; the locale is the caller's, and is compared with names, nothing else.
private func ownDisplay(_ assumed: (columns: Int, rows: Int)) -> Display {
    var size = winsize()
    let terminal = unsafe mpin_open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
    if terminal >= 0 {
        _ = unsafe mpin_terminal_size(terminal, &size)
        close(terminal)
    }
    return Display(
        size: (Int(size.ws_col), Int(size.ws_row)),
        isUTF8: isUTF8Locale(
            lcAll: environment("LC_ALL"), lcCType: environment("LC_CTYPE"), lang: environment("LANG")),
        assumed: assumed)
}

private func environment(_ name: StaticString) -> [UInt8] {
    guard let value = unsafe mpin_getenv(ascii(name) + [0]) else { return [] }
    return unsafe octets(value)
}
