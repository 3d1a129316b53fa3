// SPDX-License-Identifier: Apache-2.0
// Every sentence that a user sees at a login. A server sends only numbers; all texts are here.
import Octets

/// A prompt or message at a console. Texts from root's files are cleaned of control characters, too.
package enum Sentence: Equatable, Sendable {
    /// The prompt of a local login; the label comes from root's file, nil if there is none.
    case askPIN(label: [UInt8]?)
    /// The prompt of a remote service, the same for every user. It begins with a newline, because ssh writes
    /// `(user@host) ` in front of the first line of a prompt.
    case askPINFromAfar
    /// The prompt of mpin.conf for a PIN or a one-time password: UTF-8 without control characters.
    case own([UInt8], label: [UInt8]?, fromAfar: Bool)
    /// The PIN is wrong.
    case wrongPIN(triesLeft: Int?)
    /// What was typed cannot be a PIN, so nothing was done with it.
    case noPIN
    /// A prompt or message about a second device.
    case phone(PhoneSentence)
    case backup(BackupSentence)
    /// A message after a successful login.
    case tries(TriesSentence)
    /// The answer or the proof came too late.
    case tooLate
    /// Too many wrong PINs; `seconds` until the lock ends by itself, nil if an administrator must unlock it.
    case blocked(seconds: Int?, help: [UInt8]?)
    /// Revoked for good, or suspended until an administrator resumes it: not every server reports which.
    case revoked(help: [UInt8]?)
    /// The client secret belongs to an epoch that has ended.
    case enrolAgain(help: [UInt8]?)
    case unreachable
    /// The other end could not prove that it is the server; `fault` is the reason. Only for local logins.
    case untrusted(fault: [UInt8])
    /// A fault of this host, or between it and the server; the attempt id, in hex, identifies the log line.
    case broken(attempt: [UInt8])
    /// The only refusal of remote services, whatever the reason.
    case refused

    /// The sentence as octets, without a newline at its end; ASCII, except for texts of mpin.conf.
    package var octets: [UInt8] {
        switch self {
        case .own(let words, let label, let fromAfar): ownPrompt(words, label: label, fromAfar: fromAfar)
        case .askPIN(.some(let label)): ascii("PIN for ") + presentable(label) + ascii(": ")
        case .askPIN(.none): ascii("PIN: ")
        case .askPINFromAfar: ascii("\nM-Pin PIN: ")
        case .wrongPIN(let triesLeft): ascii("Wrong PIN.") + left(triesLeft)
        case .noPIN: ascii("That is not a PIN.")
        case .phone(let sentence): sentence.octets
        case .backup(let sentence): sentence.octets
        case .tries(let sentence): sentence.octets
        case .tooLate: ascii("That took too long. Try again.")
        case .blocked(.some(let seconds), let help):
            ascii("Too many wrong PINs: locked for ") + duration(seconds) + ascii(".") + ask(help)
        case .blocked(.none, let help):
            ascii("Too many wrong PINs: blocked until an administrator unlocks you.") + ask(help)
        case .revoked(let help):
            ascii("Your M-Pin login is revoked or suspended. Ask your administrator.") + ask(help)
        case .enrolAgain(let help):
            ascii("Your M-Pin enrolment has expired. You must be enrolled again.") + ask(help)
        case .unreachable: ascii("Cannot reach the M-Pin server. Try again later.")
        case .untrusted(let fault):
            ascii("The M-Pin server cannot be trusted: ") + presentable(fault, limit: 120)
                + ascii(". Tell the administrator.")
        case .broken(let attempt):
            ascii("M-Pin failed on this host. Tell the administrator this number: ") + presentable(attempt)
                + ascii(".")
        case .refused: ascii("M-Pin did not let you in.")
        }
    }
}

private func ownPrompt(_ words: [UInt8], label: [UInt8]?, fromAfar: Bool) -> [UInt8] {
    var prompt = fromAfar ? ascii("\n") : []
    prompt += words
    if let label { prompt += ascii(" (") + presentable(label) + ascii(")") }
    return prompt + ascii(": ")
}

private func left(_ tries: Int?) -> [UInt8] {
    guard let tries else { return [] }
    return tries == 1 ? ascii(" One try left.") : ascii(" Tries left: ") + decimal(tries) + ascii(".")
}

private func ask(_ help: [UInt8]?) -> [UInt8] {
    guard let help, !help.isEmpty else { return [] }
    return ascii(" ") + presentable(help, limit: 200)
}

/// Seconds up to one minute, minutes below two hours, then hours; rounded up, so that the wait is not longer
/// than shown.
private func duration(_ seconds: Int) -> [UInt8] {
    if seconds <= 60 { return inSeconds(seconds) }
    let minutes = seconds / 60 + (seconds % 60 == 0 ? 0 : 1)
    if minutes < 120 { return decimal(minutes) + ascii(minutes == 1 ? " minute" : " minutes") }
    return decimal(minutes / 60 + (minutes % 60 == 0 ? 0 : 1)) + ascii(" hours")
}

func inSeconds(_ seconds: Int) -> [UInt8] {
    decimal(max(seconds, 1)) + ascii(seconds <= 1 ? " second" : " seconds")
}
