// SPDX-License-Identifier: Apache-2.0
// What a person sees who may log in with a second device: address, QR code, access number, prompt.
import Octets

/// A session that waits for its approval, as far as the console shows it.
package struct PhoneSession: Equatable, Sendable {
    /// Where a phone goes; nil if no page is set up: then the number stands alone.
    package let address: [UInt8]?
    /// Seven digits.
    package let number: [UInt8]
    /// What is left of its life.
    package let seconds: Int

    /// nil unless `wid` is 32 hex digits and `number` seven digits: nothing else of a server's is shown. The
    /// check of the number and the seal over both are the login's to verify.
    /// - Parameter phoneAddress: root's setting, the address before its `#`.
    package init?(phoneAddress: [UInt8]?, wid: [UInt8], number: [UInt8], seconds: Int) {
        guard wid.count == 32, wid.allSatisfy(isHexDigit),
            number.count == 7, number.allSatisfy(isDigit)
        else { return nil }
        address = phoneAddress.map { presentable($0, limit: $0.count) + ascii("#") + wid }
        self.number = number
        self.seconds = seconds
    }

    fileprivate func instruction(beside way: PhoneWay, _ wishes: PhoneWishes) -> [UInt8] {
        PhoneSentence.enter(number, beside: way, seconds: seconds, orNew: wishes.orNew).octets
    }
}

/// How the screens of a login look, beside what its terminal takes.
package struct PhoneWishes {
    /// Whether a PIN is another good answer.
    package var orPIN: Bool
    /// Whether Enter alone is one, once a phone that shows no approval code has approved.
    package var orEnter: Bool
    /// Whether `r` brings another session.
    package var orNew: Bool
    /// Words of mpin.conf for the prompt, without a colon; nil: ours.
    package var pinPrompt: [UInt8]?
    package var codePrompt: [UInt8]?
    /// Of the picture, 0 to 3 (`QRCode.init`).
    package var level = 0
    /// Black on white, whatever colours the terminal has.
    package var isColoured = false

    package init(orPIN: Bool, orEnter: Bool, orNew: Bool) {
        (self.orPIN, self.orEnter, self.orNew) = (orPIN, orEnter, orNew)
    }

    fileprivate var prompt: [UInt8] {
        guard let codePrompt else { return PhoneSentence.askCode(orPIN: orPIN, orEnter: orEnter).octets }
        let pin = orPIN ? pinPrompt ?? ascii("PIN") : nil
        return PhoneSentence.own(codePrompt, orPIN: pin, orEnter: orEnter).octets
    }

    /// The largest of what is wanted that fits: less of it may be lost only where nothing fits otherwise.
    /// - Parameter below: the rows that something else takes.
    fileprivate func picture(
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

/// The texts of one screen. What must be seen stands last: if a long address needs more lines than there are,
/// its beginning scrolls away, not the code.
package struct PhoneScreen: Equatable, Sendable {
    /// Lines to be shown before the prompt, for applications that show messages; no newline at the end.
    package let info: [UInt8]
    package let prompt: [UInt8]

    /// All of it as one prompt, for sshd. It begins with a newline because ssh writes `(user@host) ` in front
    /// of the first line of a prompt.
    package var wholePrompt: [UInt8] { ascii("\n") + info + ascii("\n") + prompt }

    /// - Parameter drawing: nil if no QR code is wanted.
    package init(
        _ session: PhoneSession, _ wishes: PhoneWishes, drawing: QRDrawing?, on display: Display
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
        let scan = session.instruction(beside: .picture, wishes)
        // The number, the prompt, and above the picture a line of the address.
        let below = display.height(of: scan) + display.height(of: prompt) + 1
        if let picture = wishes.picture(of: address, drawing, on: display, below: below) {
            info = address + ascii("\n") + picture + ascii("\n") + scan
        } else {
            info = address + ascii("\n") + session.instruction(beside: .address, wishes)
        }
    }
}

private func isHexDigit(_ octet: UInt8) -> Bool { isDigit(octet) || (0x61...0x66).contains(octet | 0x20) }
