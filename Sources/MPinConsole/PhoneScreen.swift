// SPDX-License-Identifier: Apache-2.0
// What a person sees who may log in with a second device: address, QR code, access number, prompt.

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
        address = phoneAddress.map { cleaned($0, limit: $0.count) + ascii("#") + wid }
        self.number = number
        self.seconds = seconds
    }

    fileprivate func instruction(beside way: PhoneWay) -> [UInt8] {
        PhoneSentence.enter(number, beside: way, seconds: seconds).octets
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

    /// - Parameters:
    ///   - orPIN: whether a PIN is another good answer.
    ///   - orEnter: whether Enter alone is one, once a phone that shows no letters has approved.
    ///   - drawing: nil if no QR code is wanted.
    package init(
        _ session: PhoneSession, orPIN: Bool, orEnter: Bool, drawing: QRDrawing?, on display: Display
    ) {
        prompt = PhoneSentence.askLetters(orPIN: orPIN, orEnter: orEnter).octets
        guard let address = session.address else {
            info = session.instruction(beside: .nothing)
            return
        }
        let scan = session.instruction(beside: .picture)
        // The number, the prompt, and above the picture a line of the address.
        let below = display.height(of: scan) + display.height(of: prompt)
        if let drawing, let code = QRCode(address), code.columns(drawing) <= display.columns,
            code.rows(drawing) + below + 1 <= display.rows
        {
            info = address + ascii("\n") + code.drawn(drawing) + ascii("\n") + scan
        } else {
            info = address + ascii("\n") + session.instruction(beside: .address)
        }
    }
}

private func isDigit(_ octet: UInt8) -> Bool { (0x30...0x39).contains(octet) }

private func isHexDigit(_ octet: UInt8) -> Bool { isDigit(octet) || (0x61...0x66).contains(octet | 0x20) }
