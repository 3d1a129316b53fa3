// SPDX-License-Identifier: Apache-2.0
// The types of the values of mpin.conf, and how they are read.
import MPinProof
import MPinWire
import Octets

/// Whether verdicts are sealed for this host, or come from a Milagro server, which seals nothing.
package enum AnswerForm: Equatable, Sendable { case sealed, unsealed }

package enum Method: Equatable, Sendable { case pin, phone, pinAndPhone, otp }

/// Who may type a PIN of this host in a remote login: a user whose public key was accepted before (`key`), a
/// user who enrolled a long PIN for it (`long`), or no user (`no`).
package enum RemotePIN: Equatable, Sendable { case key, long, no }

package enum PhoneCodeUse: Equatable, Sendable { case required, optional }

package enum Policy: Equatable, Sendable { case deny, ignore }

/// Accounts that never log in here, whatever the server's verdict.
package enum Never: Equatable, Sendable {
    /// uid 0 in remote logins; no account in local ones.
    case standard
    case nobody
    /// Names, or uids in decimal.
    case users([[UInt8]])
}

package enum QRStyle: Equatable, Sendable { case auto, utf8, utf8Inverse, ascii, asciiInverse, off }

package struct Screen: Equatable, Sendable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A path that begins with `/`; nil for other text.
func absolutePath(_ text: [UInt8]) -> [UInt8]? { isAbsolutePath(text) ? text : nil }

/// The items of a value; `all` alone stands for the empty list.
func list<T>(_ text: [UInt8], _ read: ([UInt8]) -> T?) -> [T]? {
    guard let words = listItems(text) else { return nil }
    if words.count == 1, words[0].spells("all") { return [] }
    let items = words.compactMap(read)
    return items.count == words.count && !items.isEmpty ? items : nil
}

/// The same for a list that is empty by default: `none` stands for the empty list. `all` is refused: for all
/// users there is `qr = off`, or a service without this module.
func someOf<T>(_ text: [UInt8], _ read: ([UInt8]) -> T?) -> [T]? {
    guard let items = listItems(text) else { return nil }
    if items.count == 1, items[0].spells("none") { return [] }
    if items.contains(where: { $0.spells("all") }) { return nil }
    return list(text, read)
}

/// The same for a list of exemptions. Exclusions alone are refused: they would exempt everybody else.
func exempt<T: Excluding>(_ text: [UInt8], _ read: ([UInt8]) -> T?) -> [T]? {
    guard let items = someOf(text, read), items.isEmpty || items.contains(where: { !$0.isExclusion }) else {
        return nil
    }
    return items
}

/// The text of a prompt without the blanks and the colon at its end, because every prompt ends in `: `. C1
/// control characters are refused, too: they control a terminal.
func promptWords(_ text: [UInt8]) -> [UInt8]? {
    guard text.count <= 60, isPlainText(text) else { return nil }
    var before: UInt8 = 0
    for octet in text {
        if before == 0xc2, octet < 0xa0 { return nil }
        before = octet
    }
    var words = text
    while words.last == 0x20 { words.removeLast() }
    if words.last == UInt8(ascii: ":") { words.removeLast() }
    return words.isEmpty ? nil : words
}

/// `off`, or 1 to 60 minutes: a number of seconds, with or without `s`, or a number of minutes with `m`.
func graceSeconds(_ text: [UInt8]) -> Int? {
    if text.spells("off") { return 0 }
    let unit = text.last == UInt8(ascii: "m") ? 60 : 1
    let hasUnit = unit == 60 || text.last == UInt8(ascii: "s")
    let digits = [UInt8](text.dropLast(hasUnit ? 1 : 0))
    guard let number = wholeNumber(digits, in: 1...3_600) else { return nil }
    return (60...3_600).contains(number * unit) ? number * unit : nil
}

/// Names of PAM services, or `none`. Values that only other keys accept, and patterns, are refused.
func serviceNames(_ text: [UInt8]) -> [[UInt8]]? {
    let names = words(text)
    if names.count == 1, names[0].spells("none") { return [] }
    let areNames = names.allSatisfy { name in
        !["all", "none", "yes", "no"].contains { name.spells($0) }
            && name.allSatisfy { isNameSign($0) }
    }
    return areNames && !names.isEmpty ? names : nil
}

private func isNameSign(_ octet: UInt8) -> Bool {
    (0x30...0x39).contains(octet) || (0x61...0x7a).contains(octet | 0x20)
        || [0x2d, 0x2e, 0x5f, 0x40, 0x2b].contains(octet)
}

extension Method {
    init?(_ text: [UInt8]) {
        let choices: [(StaticString, Method)] = [
            ("pin", .pin), ("phone", .phone), ("pin phone", .pinAndPhone), ("otp", .otp),
        ]
        let words = [UInt8](words(text).joined(separator: [0x20]))
        guard let method = choices.first(where: { words.spells($0.0) })?.1 else { return nil }
        self = method
    }
}

extension Never {
    init?(_ text: [UInt8]) {
        guard let names = listItems(text), !names.isEmpty, !names.contains([]) else { return nil }
        if names.count == 1, names[0].spells("none") {
            self = .nobody
        } else {
            self = .users(names)
        }
    }
}

extension Screen {
    /// `80x24`.
    init?(_ text: [UInt8]) {
        let parts = text.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
        guard parts.count == 2, let columns = wholeNumber([UInt8](parts[0]), in: 20...1_000),
            let rows = wholeNumber([UInt8](parts[1]), in: 5...1_000)
        else { return nil }
        self.init(columns: columns, rows: rows)
    }
}
