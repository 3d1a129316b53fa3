// SPDX-License-Identifier: Apache-2.0
// What a user brings from a console to a second device: the access number, or the address in the QR code.
import MPinWire
import Octets

/// The name of the session for which a second device answers.
package enum Scanned: Equatable, Sendable {
    /// The access number: seven digits with a correct check digit.
    case number([UInt8])
    /// The session's 32 hexadecimal digits, and the origin of the address that contains them.
    case session(wid: [UInt8], origin: [UInt8])

    /// Why a typed text names no session.
    package enum Fault: Error, Equatable {
        /// The text has only digits, but is not a valid access number.
        case wrongNumber
        case notAnAddress
    }

    /// Reads a typed or scanned text. Blanks, tabs and hyphens in a number are ignored. Of an address, only
    /// the session is used, and the origin for a comparison.
    package init(_ typed: [UInt8]) throws(Fault) {
        let digits = typed.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x2d }
        if digits.allSatisfy(isDigit) {
            guard AccessNumber.isValid(digits) else { throw .wrongNumber }
            self = .number(digits)
        } else {
            guard let session = Scanned.session(of: typed) else { throw .notAnAddress }
            self = session
        }
    }

    private static func session(of address: [UInt8]) -> Scanned? {
        guard let hash = address.firstIndex(of: UInt8(ascii: "#")) else { return nil }
        let wid = lowered([UInt8](address[(hash + 1)...]))
        guard wid.count == 32, octets(fromHex: wid) != nil,
            let rest = lowered([UInt8](address[..<hash])).dropping("https://"),
            let authority = URLAuthority(plain: rest)
        else { return nil }
        return .session(wid: wid, origin: authority.origin("https://", defaultPort: 443))
    }

    /// The origin of the address; nil for a number.
    package var origin: [UInt8]? {
        switch self {
        case .number: nil
        case .session(_, let origin): origin
        }
    }

    /// The name of the session: seven digits or 32 hexadecimal digits, as text.
    package var wid: [UInt8] {
        switch self {
        case .number(let number): number
        case .session(let wid, _): wid
        }
    }
}
