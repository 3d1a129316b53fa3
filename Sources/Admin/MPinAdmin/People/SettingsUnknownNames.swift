// SPDX-License-Identifier: Apache-2.0
// Finds names in mpin.conf that belong to no account or group: a typing error there can exclude or admit the
// wrong users.
import CPlatform
import MPinLogin
import MPinProof
import MPinHostStore
import Octets

/// A name in a rule or an exemption that no account or group has.
struct UnknownName {
    let sentence: String
    /// Whether the list with the name would let people in without a PIN; it then exempts nobody.
    let isExemption: Bool
}

extension Settings {
    /// The unknown names. Patterns with wildcards are not checked, because few databases can be listed
    /// completely, nor are names that cannot be looked up now.
    func unknownNames() -> [UnknownName] {
        var found: [UnknownName] = []
        for (key, patterns) in [
            ("users", users), ("exempt-users", exemptUsers), ("qr-off-users", qrOffUsers),
        ] {
            found += unknown(
                patterns.filter { !$0.hasWildcard }.map(\.text), in: key, as: "account", isKnown: isAccount)
        }
        for (key, patterns) in [("groups", groups), ("exempt-groups", exemptGroups)] {
            found += unknown(
                patterns.filter { !$0.hasWildcard }.map(\.text), in: key, as: "group", isKnown: isGroup)
        }
        guard case .users(let names) = never else { return found }
        return found
            + unknown(
                names.filter { UInt32(text($0)) == nil }, in: "never", as: "account", isKnown: isAccount)
    }
}

/// A sentence for each unknown name in the exemptions that a text of mpin.conf has for these services.
func unknownExemptions(in text: [UInt8], for services: [String]) -> [String] {
    services.reduce(into: []) { found, service in
        let settings = try? Settings(text: text, file: [], service: [UInt8](service.utf8))
        let names = settings?.unknownNames().filter(\.isExemption) ?? []
        found += names.map(\.sentence).filter { !found.contains($0) }
    }
}

private func isAccount(_ name: [UInt8]) throws(AccountError) -> Bool {
    try Account(named: name, strictly: true) != nil
}

private func unknown(
    _ names: [[UInt8]], in key: String, as kind: String,
    isKnown: ([UInt8]) throws(AccountError) -> Bool
) -> [UnknownName] {
    let opens = key.hasPrefix("exempt-")
    return names.filter { (try? isKnown($0)) == false }.map { name in
        UnknownName(
            sentence:
                "\(key): there is no \(kind) '\(text(name))'\(opens ? ", so this exempts nobody" : "").",
            isExemption: opens)
    }
}
