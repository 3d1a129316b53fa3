// SPDX-License-Identifier: Apache-2.0
// How a phone's session looks here: by the settings, and by what is known of the terminal.
import CPlatform
import MPinClient
import MPinConsole

struct PhoneLook {
    private let address: [UInt8]?
    /// nil: no picture is wanted.
    private let drawing: QRDrawing?
    private let display: Display

    /// - Parameter holdsTerminal: the person sits at this process's terminal, which can then be asked.
    init(_ settings: Settings, holdsTerminal: Bool) {
        address = settings.phoneAddress
        let assumed = (settings.screen.columns, settings.screen.rows)
        display = holdsTerminal ? ownDisplay(assumed) : Display(assumed: assumed)
        drawing =
            switch settings.qr {
            case .auto: display.drawing
            case .utf8: .utf8
            case .utf8Inverse: .utf8Inverse
            case .ascii: .ascii
            case .asciiInverse: .asciiInverse
            case .off: nil
            }
    }

    /// nil for a session that cannot be shown.
    func screen(of phone: PhonePrompt) -> PhoneScreen? {
        let session = PhoneSession(
            phoneAddress: address, wid: phone.wid, number: phone.number, seconds: phone.secondsLeft)
        return session.map {
            PhoneScreen(
                $0, orPIN: phone.takes.pin, orEnter: phone.takes.enter, drawing: drawing, on: display)
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
