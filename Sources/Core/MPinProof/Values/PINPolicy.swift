// SPDX-License-Identifier: Apache-2.0
// The rules for PINs: which texts can be a PIN at all, and which PINs enrolment refuses.
import MPin
package import MPinWire
import Octets
package import Secrets

/// Why enrolment refuses a PIN.
package enum PINFault: Equatable, Sendable {
    /// It has fewer than four characters, or fewer than ten for remote logins.
    case tooShort
    /// It has fewer characters than the server requires, which is the associated number.
    case shorterThanAsked(Int)
    /// It has more than 128 octets.
    case tooLong
    /// It has an octet outside 20-7E.
    case foreignCharacter
    /// It repeats one or two characters.
    case repeated
    /// Each character is the one before it plus one, or each is the one before it minus one; 0 follows 9.
    case counted
    /// It is a year from 1900 to 2099.
    case year
    /// It can be read as a date, and the server refuses dates.
    case date
    /// It is the name of the account, in upper or lower case.
    case accountName
    /// It has six or sixteen letters of the code alphabet, like an approval code or a backup code.
    case readsAsCode
}

/// Which PINs are accepted. Lengths are in octets.
package enum PINPolicy {
    package static let longest = 128
    /// The shortest PIN that enrolment accepts.
    package static let shortest = 4
    /// The shortest PIN that enrolment accepts for remote logins.
    package static let shortestRemote = 10

    /// Whether an answer to a prompt can be a PIN; no proof is made with any other answer.
    package static func canBePIN(_ answer: borrowing Secret) -> Bool {
        (1...longest).contains(answer.count) && isPrintable(answer) && !readsAsCode(answer)
    }

    /// What is wrong with a new PIN; nil if nothing is.
    package static func fault(
        of pin: borrowing Secret, account: [UInt8], remote: Bool, demand: PINDemand = .none
    ) -> PINFault? {
        let least = remote ? shortestRemote : shortest
        if demand.length > least, pin.count < demand.length { return .shorterThanAsked(demand.length) }
        if pin.count < least { return .tooShort }
        if pin.count > longest { return .tooLong }
        if !isPrintable(pin) { return .foreignCharacter }
        if readsAsCode(pin) { return .readsAsCode }
        return pin.withBytes { octets in
            if repeats(octets, 1) || repeats(octets, 2) { return .repeated }
            if counts(octets, 1) || counts(octets, -1) { return .counted }
            if isYear(octets) { return .year }
            if demand.refusesDates, readsAsDate(octets) { return .date }
            return equals(octets, account) ? .accountName : nil
        }
    }

    /// Which of the server's requirements a PIN violates, whatever else may be wrong with it. Characters are
    /// counted as in UTF-8.
    package static func fault(of pin: borrowing Secret, by demand: PINDemand) -> PINFault? {
        pin.withBytes { octets in
            var count = 0
            for index in 0..<octets.byteCount where octet(octets, index) & 0xc0 != 0x80 { count += 1 }
            if demand != .none, count < demand.length { return .shorterThanAsked(demand.length) }
            return demand.refusesDates && readsAsDate(octets) ? .date : nil
        }
    }

    private static func isPrintable(_ pin: borrowing Secret) -> Bool {
        pin.withBytes { octets in
            (0..<octets.byteCount).allSatisfy { (0x20...0x7e).contains(octet(octets, $0)) }
        }
    }

    private static func readsAsCode(_ pin: borrowing Secret) -> Bool {
        CodeAlphabet.reads(pin, count: 6) || CodeAlphabet.reads(pin, count: 16)
    }

    private static func octet(_ octets: RawSpan, _ index: Int) -> UInt8 {
        unsafe octets.unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }

    private static func repeats(_ octets: RawSpan, _ period: Int) -> Bool {
        (period..<octets.byteCount).allSatisfy { octet(octets, $0) == octet(octets, $0 - period) }
    }

    private static func counts(_ octets: RawSpan, _ step: Int) -> Bool {
        (1..<octets.byteCount).allSatisfy { index in
            let before = Int(octet(octets, index - 1))
            let now = Int(octet(octets, index))
            let wraps = step == 1 ? before == 0x39 && now == 0x30 : before == 0x30 && now == 0x39
            return now == before + step || wraps
        }
    }

    private static func isYear(_ octets: RawSpan) -> Bool {
        guard octets.byteCount == 4 else { return false }
        let isDigits = (0..<4).allSatisfy { (0x30...0x39).contains(octet(octets, $0)) }
        let century = (octet(octets, 0), octet(octets, 1))
        return isDigits && (century == (0x31, 0x39) || century == (0x32, 0x30))
    }

    /// Whether both are equal, ignoring the case of ASCII letters.
    private static func equals(_ octets: RawSpan, _ name: [UInt8]) -> Bool {
        guard octets.byteCount == name.count else { return false }
        return name.indices.allSatisfy { lowered(octet(octets, $0)) == lowered(name[$0]) }
    }

    private static func lowered(_ octet: UInt8) -> UInt8 {
        (0x41...0x5a).contains(octet) ? octet + 0x20 : octet
    }
}
