// SPDX-License-Identifier: Apache-2.0
// Reads /etc/shadow: whether an account has a password that can be typed, and when the account expires.

/// What one line of /etc/shadow says about an account.
struct ShadowEntry: Equatable, Sendable {
    /// Whether there is a password that can be typed.
    let hasPassword: Bool
    /// Whether the password is empty.
    let hasEmptyPassword: Bool
    /// Whether the password field begins with `!`; then sshd without PAM refuses every login.
    let isLocked: Bool
    /// The day, counted from 1970-01-01, from which on the account is closed; nil: never.
    let end: Int?

    fileprivate init(_ fields: [ArraySlice<UInt8>]) {
        let password = fields[1]
        // The hash of a locked password begins with `!` or `*`. An empty field is not a password to type.
        let isClosed = password.first == UInt8(ascii: "!") || password.first == UInt8(ascii: "*")
        hasPassword = password.count > 2 && !isClosed
        hasEmptyPassword = password.isEmpty
        isLocked = password.first == UInt8(ascii: "!")
        let day = fields.count > 7 ? Int(String(decoding: fields[7], as: UTF8.self)) : nil
        if let day, day >= 0 { end = day } else { end = nil }
    }
}

/// The entries in the text of /etc/shadow, by account name. If a name is there twice, the first line counts.
func shadowEntries(_ text: [UInt8]) -> [String: ShadowEntry] {
    var entries: [String: ShadowEntry] = [:]
    for line in text.split(separator: 0x0a) {
        let fields = line.split(separator: 0x3a, omittingEmptySubsequences: false)
        guard fields.count > 2 else { continue }
        let name = String(decoding: fields[0], as: UTF8.self)
        if entries[name] == nil { entries[name] = ShadowEntry(fields) }
    }
    return entries
}

/// Whether an account has a password that can be typed, according to the text of /etc/shadow.
func hasPassword(_ name: String, shadow: [UInt8]) -> Bool {
    shadowEntries(shadow)[name]?.hasPassword ?? false
}
