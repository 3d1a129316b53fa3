// SPDX-License-Identifier: Apache-2.0
// Every sentence about a second device: how to reach the session, the prompts, and what went wrong.
import Octets

package enum PhoneSentence: Equatable, Sendable {
    /// The prompt. `orEnter`: a phone that shows no approval code may approve as well.
    case askCode(orPIN: Bool, orEnter: Bool)
    /// The same with the prompts of mpin.conf; `orPIN`: the one for a PIN, where a PIN is accepted, too.
    case own([UInt8], orPIN: [UInt8]?, orEnter: Bool)
    /// The page (`phone-address` without its scheme), which lists this login; `orScan`: beside a QR code.
    case open([UInt8], orScan: Bool)
    /// What to do with the access number (seven digits), and how many seconds it is valid; `orNew`: `r` opens
    /// another session.
    case enter([UInt8], beside: PhoneWay, seconds: Int, orNew: Bool = false)
    /// The prompt where only a one-time password is accepted; in remote services it begins with a newline, as
    /// `Sentence.askPINFromAfar` does.
    case askOTP, askOTPFromAfar
    /// What was typed has six digits, but is not a valid one-time password, or no longer.
    case wrongOTP
    /// What was typed does not have six digits.
    case noOTP
    /// What was typed is an approval code, but not the one that the phone shows.
    case wrongCode
    /// What was typed cannot be an approval code, and nothing else is accepted.
    case noCode
    /// The last of the wrong approval codes: the session is over, and a PIN may still be asked for.
    case codesUsedUp
    /// The right approval code, or Enter, without an approval: the server does not report whether the login
    /// was denied.
    case notApproved
    /// The access number has expired, and `r` brings another one.
    case expired
    /// The server opens no session because too many are waiting already.
    case noSession

    /// The sentence as octets, without a newline at its end.
    package var octets: [UInt8] {
        switch self {
        case .askCode(let orPIN, let orEnter):
            ascii(orPIN ? "PIN or approval code from your phone" : "Approval code from your phone")
                + ascii(orEnter ? ", or Enter if it shows none: " : ": ")
        case .own(let words, let pin, let orEnter):
            (pin ?? []) + ascii(pin == nil ? "" : " / ") + words + ascii(orEnter ? " / Enter: " : ": ")
        case .open(let page, let orScan):
            ascii("Open ") + page + ascii(" on your phone, or ")
                + ascii(orScan ? "scan this." : "the address above.")
        case .enter(let number, let way, let seconds, let orNew):
            way.words(grouped(number)) + ascii("; valid for ") + inSeconds(seconds)
                + ascii(orNew ? "; r: new code." : ".")
        case .askOTP: ascii("One-time password from your phone: ")
        case .askOTPFromAfar: ascii("\nOne-time password from your phone: ")
        case .wrongOTP: ascii("Wrong one-time password. Type it again, or take a new one on your phone.")
        case .noOTP: ascii("A one-time password has six digits.")
        case .wrongCode: ascii("Wrong approval code.")
        case .noCode: ascii("Type the approval code from your phone: six letters.")
        case .codesUsedUp: ascii("Too many wrong approval codes.")
        case .notApproved: ascii("Your phone has not approved this login, or has denied it.")
        case .expired: ascii("The access number has expired. Type r for a new one.")
        case .noSession: ascii("Too many logins wait for a phone. Try again in a minute.")
        }
    }
}

/// What is shown together with the access number.
package enum PhoneWay: Equatable, Sendable {
    /// `page`: below the sentence that names the page.
    case qrCode, address, page, nothing

    fileprivate func words(_ number: [UInt8]) -> [UInt8] {
        switch self {
        case .qrCode: ascii("Scan this, or enter ") + number + ascii(" on your phone")
        case .address: ascii("Open this, or enter ") + number + ascii(" on your phone")
        case .page: ascii("Choose ") + number + ascii(" there, or enter it")
        case .nothing: ascii("Enter ") + number + ascii(" on your phone")
        }
    }
}

/// Three digits, a blank and four digits.
/// An access number as the console shows it: three digits, a blank and four digits.
package func grouped(_ number: [UInt8]) -> [UInt8] {
    presentable([UInt8](number.prefix(3))) + ascii(" ") + presentable([UInt8](number.dropFirst(3)))
}
