// SPDX-License-Identifier: Apache-2.0
// Finds names in mpin.conf that belong to no account or group: a typing error there can exclude or admit the
// wrong users.
import CPlatform
import MPinLogin
import MPinStore

extension Settings {
    /// A sentence for each name, in a rule or an exemption, that no account or group has. Patterns with
    /// wildcards are not checked: few databases can be listed completely.
    func unknownNames() throws(Failure) -> [String] {
        var found: [String] = []
        for (key, patterns) in [
            ("users", users), ("exempt-users", exemptUsers), ("qr-off-users", qrOffUsers),
        ] {
            for pattern in patterns where !pattern.hasWildcard {
                if try account(named: pattern.text) == nil {
                    found.append("\(key): there is no account '\(text(pattern.text))'.")
                }
            }
        }
        for (key, patterns) in [("groups", groups), ("exempt-groups", exemptGroups)] {
            for pattern in patterns where !pattern.hasWildcard && !isGroup(pattern.text) {
                found.append("\(key): there is no group '\(text(pattern.text))'.")
            }
        }
        guard case .users(let names) = never else { return found }
        for name in names where UInt32(text(name)) == nil {
            if try account(named: name) == nil {
                found.append("never: there is no account '\(text(name))'.")
            }
        }
        return found
    }
}

private func isGroup(_ name: [UInt8]) -> Bool {
    unsafe (name.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name in
        unsafe name.baseAddress.map { unsafe getgrnam($0) != nil } ?? false
    }
}
