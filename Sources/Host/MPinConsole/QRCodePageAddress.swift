// SPDX-License-Identifier: Apache-2.0
// The enrolment QR code: its address and its text. `mpin enroll --phone` and `mpind user add --qr` show the
// same one.
import Octets

/// The address that a phone opens when it scans the enrolment QR code.
/// - Parameters:
///   - place: the address of the server's page, up to its `#`.
///   - code: the activation code; hyphens and blanks in it are left out.
package func enrolmentAddress(at place: [UInt8], userID: [UInt8], code: [UInt8]) -> [UInt8] {
    let plain = code.filter { $0 != UInt8(ascii: "-") && $0 != 0x20 }
    return withPath(place) + ascii("#enrol?user=") + percentEncoded(userID) + ascii("&code=")
        + percentEncoded(plain)
}

/// The address that a phone opens when it scans the QR code of a session.
package func sessionAddress(at place: [UInt8], wid: [UInt8]) -> [UInt8] {
    withPath(place) + ascii("#") + presentable(wid)
}

/// Adds the path `/` to an address without a path.
private func withPath(_ place: [UInt8]) -> [UInt8] {
    let slashes = place.count { $0 == UInt8(ascii: "/") }
    return slashes == 2 ? place + ascii("/") : place
}

extension QRCodePage {
    /// The enrolment QR code.
    /// - Parameter more: further paragraphs at the end.
    package static func enrolment(
        _ address: [UInt8], of userID: [UInt8], step: [UInt8], more: [[UInt8]] = [], prompt: [UInt8]
    ) -> QRCodePage {
        let words = [
            step, [],
            ascii("Scan this with the camera of the phone of ") + userID + ascii("."), [],
            ascii("Whoever scans it first can enrol under this name: show it to nobody else."), [],
            ascii("The phone shows server and name, and asks for a new PIN twice. Then it says that it is")
                + ascii(" enrolled."),
        ]
        let rest = more.flatMap { [[], $0] }
        return QRCodePage(address: address, words: words + rest, prompt: prompt)
    }
}
