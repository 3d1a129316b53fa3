// SPDX-License-Identifier: Apache-2.0
// Every sentence about a second device: how it comes to the login, what is asked, what went wrong.
import Octets

package enum PhoneSentence: Equatable, Sendable {
    /// The prompt. `orEnter`: a phone that shows no approval code may approve as well.
    case askCode(orPIN: Bool, orEnter: Bool)
    /// The same in the words of mpin.conf; `orPIN`: those for a PIN, where one is another good answer.
    case own([UInt8], orPIN: [UInt8]?, orEnter: Bool)
    /// What to do with the access number (seven digits), and how many seconds it lives; `orNew`: `r` brings
    /// another one.
    case enter([UInt8], beside: PhoneWay, seconds: Int, orNew: Bool = false)
    /// The prompt where a one-time password is the one answer; in remote services it begins with a newline,
    /// as `Sentence.askPINFromAfar` does.
    case askOTP, askOTPFromAfar
    /// Six digits, and no password that lives, or not any more.
    case wrongOTP
    /// What was typed is no six digits.
    case noOTP
    /// An approval code, and not that which the phone shows.
    case wrongCode
    /// What was typed is no approval code, and nothing else is asked for.
    case noCode
    /// The last of the wrong approval codes: the session is over, a PIN may still be asked for.
    case codesUsedUp
    /// The right approval code, or Enter, without an approval: the server does not say whether somebody
    /// denied it.
    case notApproved
    /// The access number has outlived its time, and `r` brings another one.
    case expired
    /// The server opens no session, for too many wait already.
    case noSession

    /// The sentence as octets, without a newline at its end.
    package var octets: [UInt8] {
        switch self {
        case .askCode(let orPIN, let orEnter):
            ascii(orPIN ? "PIN or approval code from your phone" : "Approval code from your phone")
                + ascii(orEnter ? ", or Enter if it shows none: " : ": ")
        case .own(let words, let pin, let orEnter):
            (pin ?? []) + ascii(pin == nil ? "" : " / ") + words + ascii(orEnter ? " / Enter: " : ": ")
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

/// What the access number stands beside.
package enum PhoneWay: Equatable, Sendable {
    case picture, address, nothing

    fileprivate func words(_ number: [UInt8]) -> [UInt8] {
        switch self {
        case .picture: ascii("Scan this, or enter ") + number + ascii(" on your phone")
        case .address: ascii("Open this, or enter ") + number + ascii(" on your phone")
        case .nothing: ascii("Enter ") + number + ascii(" on your phone")
        }
    }
}

/// Three digits and four, as telephone numbers are read out.
private func grouped(_ number: [UInt8]) -> [UInt8] {
    presentable([UInt8](number.prefix(3))) + ascii(" ") + presentable([UInt8](number.dropFirst(3)))
}
