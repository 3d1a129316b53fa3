// SPDX-License-Identifier: Apache-2.0
// What /etc/shadow says of accounts: whether a password can be typed, and whether the account has ended.

package struct ShadowEntry: Equatable, Sendable {
    /// Whether there is one that can be typed.
    package let hasPassword: Bool
    /// Whether nothing need be typed.
    package let hasEmptyPassword: Bool
    /// Whether its password begins with a bang, for which sshd without PAM lets in by nothing.
    package let isLocked: Bool
    /// The day since 1970 from which on the account is closed; nil: it has no end.
    package let end: Int?

    fileprivate init(_ fields: [ArraySlice<UInt8>]) {
        let password = fields[1]
        // An empty field is no password either; a hash that is locked begins with a bang.
        let isClosed = password.first == UInt8(ascii: "!") || password.first == UInt8(ascii: "*")
        hasPassword = password.count > 2 && !isClosed
        hasEmptyPassword = password.isEmpty
        isLocked = password.first == UInt8(ascii: "!")
        let day = fields.count > 7 ? Int(String(decoding: fields[7], as: UTF8.self)) : nil
        if let day, day >= 0 { end = day } else { end = nil }
    }
}

/// The accounts of a text of /etc/shadow, by their names; the first line of each counts.
package func shadowEntries(_ text: [UInt8]) -> [String: ShadowEntry] {
    var entries: [String: ShadowEntry] = [:]
    for line in text.split(separator: 0x0a) {
        let fields = line.split(separator: 0x3a, omittingEmptySubsequences: false)
        guard fields.count > 2 else { continue }
        let name = String(decoding: fields[0], as: UTF8.self)
        if entries[name] == nil { entries[name] = ShadowEntry(fields) }
    }
    return entries
}

/// Whether an account has a password that can be typed, by the text of /etc/shadow.
package func hasPassword(_ name: String, shadow: [UInt8]) -> Bool {
    shadowEntries(shadow)[name]?.hasPassword ?? false
}
