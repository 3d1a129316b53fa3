// SPDX-License-Identifier: Apache-2.0
// The screen of a login with a second device: address, QR code, access number, prompt.
import Octets

/// What the console shows of a session that waits for approval.
package struct PhoneScreenSession: Equatable, Sendable {
    /// The address that the phone opens; nil if no page is set up: then only the number is shown.
    package let address: [UInt8]?
    /// The page as people type it: `phone-address` without its scheme and the slash at its end.
    private let page: [UInt8]
    /// Seven digits.
    package let number: [UInt8]
    /// The rest of its lifetime, in seconds.
    package let seconds: Int

    /// nil unless `wid` is 32 hex digits and `number` seven digits: nothing else from a server is shown. The
    /// caller must have verified the number's checksum and the seal over both.
    /// - Parameter phoneAddress: the setting `phone-address`, the address up to its `#`.
    package init?(phoneAddress: [UInt8]?, wid: [UInt8], number: [UInt8], seconds: Int) {
        guard wid.count == 32, wid.allSatisfy(isHexDigit),
            number.count == 7, number.allSatisfy(isDigit)
        else { return nil }
        let place = phoneAddress.map { presentable($0, limit: $0.count) }
        address = place.map { $0 + ascii("#") + wid }
        let page = [UInt8]((place ?? []).dropFirst(ascii("https://").count))
        self.page = page.last == UInt8(ascii: "/") ? [UInt8](page.dropLast()) : page
        self.number = number
        self.seconds = seconds
    }

    fileprivate func openPage(orScan: Bool) -> [UInt8] { PhoneSentence.open(page, orScan: orScan).octets }

    fileprivate func instruction(beside way: PhoneWay, _ wishes: PhoneWishes) -> [UInt8] {
        PhoneSentence.enter(number, beside: way, seconds: seconds, orNew: wishes.orNew).octets
    }
}

/// How the screens of a login look, apart from what depends on the terminal.
package struct PhoneWishes {
    /// Whether a PIN is accepted, too.
    package var orPIN: Bool
    /// Whether Enter alone is accepted, once a phone that shows no approval code has approved.
    package var orEnter: Bool
    /// Whether `r` opens another session.
    package var orNew: Bool
    /// The prompts of mpin.conf, without a colon; nil: the standard ones.
    package var pinPrompt: [UInt8]?
    package var codePrompt: [UInt8]?
    /// The error correction level of the QR code, 0 to 3 (`QRCode.init`).
    package var level = 0
    /// Draw black on white, whatever colours the terminal has.
    package var isColoured = false

    package init(orPIN: Bool, orEnter: Bool, orNew: Bool) {
        (self.orPIN, self.orEnter, self.orNew) = (orPIN, orEnter, orNew)
    }

    fileprivate var prompt: [UInt8] {
        guard let codePrompt else { return PhoneSentence.askCode(orPIN: orPIN, orEnter: orEnter).octets }
        let pin = orPIN ? pinPrompt ?? ascii("PIN") : nil
        return PhoneSentence.own(codePrompt, orPIN: pin, orEnter: orEnter).octets
    }

    /// The QR code as the largest drawing that fits; nil if none does. Error correction is reduced to level L
    /// only if nothing fits otherwise.
    /// - Parameter below: the number of rows that other lines take.
    fileprivate func qrCode(
        of address: [UInt8], _ drawing: QRDrawing?, on display: Display, below: Int
    ) -> [UInt8]? {
        for level in self.level == 0 ? [0] : [self.level, 0] {
            guard let code = QRCode(address, level: level) else { continue }
            var next = drawing
            while let drawing = next {
                if code.columns(drawing) <= display.columns, code.rows(drawing) + below <= display.rows {
                    return code.drawn(drawing, isColoured: isColoured)
                }
                next = drawing.smaller
            }
        }
        return nil
    }
}

/// The texts of one screen. What the user must see comes last: if a long address needs more lines than there
/// are, its beginning scrolls away and not the QR code.
package struct PhoneScreen: Equatable, Sendable {
    /// Lines to be shown before the prompt, for applications that show messages; no newline at the end.
    package let info: [UInt8]
    package let prompt: [UInt8]

    /// All of it as one prompt, for sshd. It begins with a newline because ssh writes `(user@host) ` in front
    /// of the first line of a prompt.
    package var wholePrompt: [UInt8] { ascii("\n") + info + ascii("\n") + prompt }

    /// - Parameter drawing: nil if no QR code is wanted.
    package init(
        _ session: PhoneScreenSession, _ wishes: PhoneWishes, drawing: QRDrawing?, on display: Display
    ) {
        prompt = wishes.prompt
        guard session.seconds > 0 else {
            info = PhoneSentence.expired.octets
            return
        }
        guard let address = session.address else {
            info = session.instruction(beside: .nothing, wishes)
            return
        }
        let newline = ascii("\n")
        // The rows of the number and the prompt, and one row of the address above the QR code.
        let scan = session.instruction(beside: .qrCode, wishes)
        let below = display.height(of: scan) + display.height(of: prompt) + 1
        let qrCode = wishes.qrCode(of: address, drawing, on: display, below: below)
        let above = qrCode.map { $0.count { $0 == newline[0] } + 2 } ?? display.height(of: address)
        // The page is named only where that pushes nothing off the screen.
        let open = session.openPage(orScan: qrCode != nil)
        let enter = session.instruction(beside: .page, wishes)
        let rows =
            above + display.height(of: open) + display.height(of: enter) + display.height(of: prompt)
        let short = qrCode == nil ? session.instruction(beside: .address, wishes) : scan
        info =
            address + newline + (qrCode.map { $0 + newline } ?? [])
            + (rows <= display.rows ? open + newline + enter : short)
    }
}

private func isHexDigit(_ octet: UInt8) -> Bool { isDigit(octet) || (0x61...0x66).contains(octet | 0x20) }
