// SPDX-License-Identifier: Apache-2.0
// `mpind user add --qr`: the enrolment QR code on the administrator's terminal.
import ArgumentParser
import Glibc
import MPinConsole
import MPinWire
import Octets

/// A new activation code as a QR code.
struct EnrolmentQRCode {
    let request: AddUserRequest
    let options: AdminOptions

    /// The account that the name is made of, if it is one that `mpin setup` gives.
    private var account: String { shellWord(String(request.userId.split(separator: "@").first ?? "ACCOUNT")) }

    /// Draws the QR code on the alternate screen, until Enter is pressed or the code expires. The terminal is
    /// checked before mpind is asked, so no code is made without one.
    func draw() throws {
        let isUTF8 = isUTF8Locale(
            lcAll: variable("LC_ALL"), lcCType: variable("LC_CTYPE"), lang: variable("LANG"))
        guard var screen = QRCodeTerminal.qrCodes(isUTF8: isUTF8, term: variable("TERM")) else {
            writeToStandardError(
                "mpind: there is no terminal to draw a QR code on. With --print, the address is printed: "
                    + "anyone who reads it can enrol under this name.")
            throw ExitCode(2)
        }
        let (code, address) = try requested()
        let name = [UInt8](presentable(code.userId).utf8)
        let use = "The code, for 'sudo mpin enroll \(account) --phone' on a host: "
        let page = QRCodePage.enrolment(
            [UInt8](address.utf8), of: name, step: [UInt8]("Enrol a phone.".utf8),
            more: [[UInt8]((use + code.activationCode).utf8)],
            prompt: [UInt8]("Press Enter to remove the QR code: ".utf8))
        let now = time(nil)
        let left = min(max(now, code.expires), now + 600) - now
        let end = screen.show(page, until: pageSeconds() + left)
        screen.endQRCodes()
        if end == .brokenOff {
            let ended = EndCodeRequest(userId: code.userId, activationCode: code.activationCode)
            let _: UserResponse = try options.answer(AdminRoute.endCode, ended)
            show("Cancelled: the code for \(code.userId) has ended.")
            return try flushed()
        }
        show(
            end == .time
                ? "The QR code for \(code.userId) has expired."
                : "The QR code for \(code.userId) is good for one enrolment, until \(time(code.expires)).")
        show(
            "When the phone is enrolled, on a host: sudo mpin enroll \(account) --bind --identity "
                + shellWord(code.userId))
        try flushed()
    }

    /// Prints the code and the address instead (--print).
    func printAddress() throws {
        let (code, address) = try requested()
        showActivationCode(code)
        show("Open this on the phone: \(address)")
        try flushed()
    }

    /// Requests a new code and the address of its QR code from mpind.
    private func requested() throws -> (code: AddUserResponse, address: String) {
        let code: AddUserResponse = try options.answer(AdminRoute.users, request)
        guard let address = code.address else {
            writeToStandardError(
                "mpind: a phone cannot find this server. Set `public-url` in mpind.conf, and restart it.")
            throw ExitCode(2)
        }
        return (code, address)
    }
}

private func variable(_ name: String) -> [UInt8] {
    unsafe getenv(name).map { unsafe [UInt8](String(cString: $0).utf8) } ?? []
}
