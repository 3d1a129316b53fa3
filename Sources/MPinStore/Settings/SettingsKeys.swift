// SPDX-License-Identifier: Apache-2.0
// Applies one section of mpin.conf, or the module's arguments, to settings.
import MPinProof
import MPinWire
import Octets

extension Settings {
    private static var keys: [StaticString] {
        [
            "backend", "backend-address", "ca-file", "also-origin", "answer", "method", "remote-pin",
            "phone-address",
            "phone-code", "backup-codes", "backup-code-offline", "tries", "deadline", "connect-timeout",
            "call-timeout",
            "unenrolled",
            "never", "users", "groups", "networks", "qr", "qr-off-users",
            "exempt-users", "exempt-groups", "exempt-from", "grace",
            "screen", "help", "relay", "store", "remote",
            "pin-prompt", "code-prompt", "qr-size", "qr-ecc", "qr-colour", "proxy",
        ]
    }

    /// Applies a section: its keys replace the values before. Keys that may repeat replace the whole list.
    mutating func apply(_ section: Section) throws(KeyError) {
        try section.allow(only: Settings.keys)
        try applyBackends(section)
        try applyMethods(section)
        try applyLimits(section)
        try applyPolicies(section)
        try applyRules(section)
        try applyScreen(section)
    }

    private mutating func applyBackends(_ section: Section) throws(KeyError) {
        try replace(&backends, "backend", of: section) { Backend($0) }
        try replace(&backendAddresses, "backend-address", of: section) { BackendAddress($0) }
        try replace(&alsoOrigins, "also-origin", of: section) { origin($0) }
        try set(&caFile, "ca-file", of: section) { isAbsolutePath($0) ? .some($0) : nil }
        try set(&proxy, "proxy", of: section) {
            $0.spells("none") ? .some(nil) : proxyAddress($0).map { .some($0) }
        }
        try set(&relay, "relay", of: section) { isAbsolutePath($0) ? $0 : nil }
        try set(&store, "store", of: section) { isAbsolutePath($0) ? $0 : nil }
    }

    private mutating func applyMethods(_ section: Section) throws(KeyError) {
        try set(&answer, "answer", of: section) { $0.choice([("sealed", .sealed), ("unsealed", .unsealed)]) }
        try set(&method, "method", of: section) { Method($0) }
        try set(&remotePIN, "remote-pin", of: section) {
            $0.choice([("key", .key), ("long", .long), ("no", .no)])
        }
        try set(&phoneAddress, "phone-address", of: section) { addressBeforeFragment($0).map { .some($0) } }
        try set(&phoneCode, "phone-code", of: section) {
            $0.choice([("required", .required), ("optional", .optional)])
        }
        try set(&backupCodes, "backup-codes", of: section) { serviceNames($0) }
        try set(&backupCodeOffline, "backup-code-offline", of: section) { wholeNumber($0, in: 0...90) }
    }

    private mutating func applyLimits(_ section: Section) throws(KeyError) {
        try set(&tries, "tries", of: section) { wholeNumber($0, in: 1...10) }
        try set(&deadline, "deadline", of: section) { wholeNumber($0, in: 1...3_600) }
        try set(&connectTimeout, "connect-timeout", of: section) { wholeNumber($0, in: 1...600) }
        try set(&callTimeout, "call-timeout", of: section) { wholeNumber($0, in: 1...600) }
    }

    private mutating func applyPolicies(_ section: Section) throws(KeyError) {
        try set(&unenrolled, "unenrolled", of: section) { Policy($0) }
        try set(&remote, "remote", of: section) { $0.choice([("yes", .some(true)), ("no", .some(false))]) }
    }

    private mutating func applyRules(_ section: Section) throws(KeyError) {
        try set(&never, "never", of: section) { Never($0) }
        try set(&users, "users", of: section) { list($0) { Pattern($0) } }
        try set(&groups, "groups", of: section) { list($0) { Pattern($0) } }
        try set(&networks, "networks", of: section) { list($0) { Network($0) } }
        try set(&exemptUsers, "exempt-users", of: section) { exempt($0) { Pattern($0) } }
        try set(&exemptGroups, "exempt-groups", of: section) { exempt($0) { Pattern($0) } }
        try set(&exemptFrom, "exempt-from", of: section) { exempt($0) { Network($0) } }
        try set(&grace, "grace", of: section) { graceSeconds($0) }
    }

    private mutating func applyScreen(_ section: Section) throws(KeyError) {
        try set(&qr, "qr", of: section) {
            $0.choice([
                ("auto", .auto), ("utf8", .utf8), ("utf8-inverse", .utf8Inverse), ("ascii", .ascii),
                ("ascii-inverse", .asciiInverse), ("off", .off),
            ])
        }
        try set(&qrOffUsers, "qr-off-users", of: section) { someOf($0) { Pattern($0) } }
        try set(&screen, "screen", of: section) { Screen($0) }
        try set(&help, "help", of: section) { $0.isEmpty ? nil : .some($0) }
        try set(&pinPrompt, "pin-prompt", of: section) { promptWords($0).map { .some($0) } }
        try set(&codePrompt, "code-prompt", of: section) { promptWords($0).map { .some($0) } }
        try set(&qrIsLarge, "qr-size", of: section) { $0.choice([("small", false), ("large", true)]) }
        try set(&qrLevel, "qr-ecc", of: section) { $0.count == 1 ? ascii("LMQH").firstIndex(of: $0[0]) : nil }
        try set(&qrIsColoured, "qr-colour", of: section) { $0.choice([("yes", true), ("no", false)]) }
    }
}

/// Sets a value if the section has its key.
private func set<T>(
    _ place: inout T, _ key: StaticString, of section: Section, read: ([UInt8]) -> T?
) throws(KeyError) {
    guard let entry = try section.one(key) else { return }
    guard let value = read(entry.value) else { throw entry.badValue }
    place = value
}

/// Replaces a list if the section has its key, once or more.
private func replace<T>(
    _ place: inout [T], _ key: StaticString, of section: Section, read: ([UInt8]) -> T?
) throws(KeyError) {
    let entries = section.all(key)
    guard !entries.isEmpty else { return }
    guard entries.count <= Bound.addresses else { throw entries[Bound.addresses].badValue }
    place = []
    for entry in entries {
        guard let value = read(entry.value) else { throw entry.badValue }
        place.append(value)
    }
}

/// The items of a value; `all` alone stands for the empty list.
private func list<T>(_ text: [UInt8], _ read: ([UInt8]) -> T?) -> [T]? {
    guard let words = listItems(text) else { return nil }
    if words.count == 1, words[0].spells("all") { return [] }
    let items = words.compactMap(read)
    return items.count == words.count && !items.isEmpty ? items : nil
}

/// The same for a list that is empty by default: `none` stands for the empty list. `all` is refused: for all
/// users there is `qr = off`, or a service without this module.
private func someOf<T>(_ text: [UInt8], _ read: ([UInt8]) -> T?) -> [T]? {
    guard let items = listItems(text) else { return nil }
    if items.count == 1, items[0].spells("none") { return [] }
    if items.contains(where: { $0.spells("all") }) { return nil }
    return list(text, read)
}

/// The same for a list of exemptions. Exclusions alone are refused: they would exempt everybody else.
private func exempt<T: Excluding>(_ text: [UInt8], _ read: ([UInt8]) -> T?) -> [T]? {
    guard let items = someOf(text, read), items.isEmpty || items.contains(where: { !$0.isExclusion }) else {
        return nil
    }
    return items
}

/// The text of a prompt without the blanks and the colon at its end, because every prompt ends in `: `. C1
/// control characters are refused, too: they control a terminal.
private func promptWords(_ text: [UInt8]) -> [UInt8]? {
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
private func graceSeconds(_ text: [UInt8]) -> Int? {
    if text.spells("off") { return 0 }
    let unit = text.last == UInt8(ascii: "m") ? 60 : 1
    let hasUnit = unit == 60 || text.last == UInt8(ascii: "s")
    let digits = [UInt8](text.dropLast(hasUnit ? 1 : 0))
    guard let number = wholeNumber(digits, in: 1...3_600) else { return nil }
    return (60...3_600).contains(number * unit) ? number * unit : nil
}

/// Names of PAM services, or `none`. Values that only other keys accept, and patterns, are refused.
private func serviceNames(_ text: [UInt8]) -> [[UInt8]]? {
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

extension [UInt8] {
    fileprivate func choice<T>(_ choices: [(StaticString, T)]) -> T? {
        choices.first { spells($0.0) }?.1
    }
}

extension Method {
    fileprivate init?(_ text: [UInt8]) {
        let method: Method? = [UInt8](words(text).joined(separator: [0x20])).choice([
            ("pin", .pin), ("phone", .phone), ("pin phone", .pinAndPhone), ("otp", .otp),
        ])
        guard let method else { return nil }
        self = method
    }
}

extension Policy {
    fileprivate init?(_ text: [UInt8]) {
        guard let policy: Policy = text.choice([("deny", .deny), ("ignore", .ignore)]) else { return nil }
        self = policy
    }
}

extension Never {
    fileprivate init?(_ text: [UInt8]) {
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
    fileprivate init?(_ text: [UInt8]) {
        let parts = text.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
        guard parts.count == 2, let columns = wholeNumber([UInt8](parts[0]), in: 20...1_000),
            let rows = wholeNumber([UInt8](parts[1]), in: 5...1_000)
        else { return nil }
        self.init(columns: columns, rows: rows)
    }
}
