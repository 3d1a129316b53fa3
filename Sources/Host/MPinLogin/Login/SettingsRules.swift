// SPDX-License-Identifier: Apache-2.0
// The rules of mpin.conf about accounts: which ones may not log in with M-Pin, and which ones are not asked.
package import MPinProof
package import MPinHostStore
package import Octets

extension Settings {
    /// The first rule that excludes this account here; nil if none does.
    package func exclusion(of account: Account, in context: LoginContext) throws(AccountError) -> Rule? {
        if try never.hits(account, in: context) { return .never }
        if !admits(users, hits: { $0.matches(account.name) }) { return .users }
        if !groups.isEmpty {
            let admitted = try holds(groups, account)
            if !admitted { return .groups }
        }
        return admitsSource(of: context) ? nil : .networks
    }

    /// The rule that exempts this login; nil: none does. An account that `never` excludes is not exempt, nor
    /// is uid 0 in a remote login, whatever `never` is. Groups are checked last, because their database may
    /// be unavailable. A list with a name that no database has exempts nobody: perhaps it has other mistakes,
    /// such as a name with a blank that became two.
    package func exemption(in context: LoginContext) throws(ExemptionFault) -> Exemption? {
        let found: Exemption?
        do throws(AccountError) { found = try listed(in: context) } catch { throw .unread(error) }
        guard let found, let name = try unknownName(of: found, context.account) else { return found }
        throw .unknownName(found, name)
    }

    /// The first name in a list of exemptions that no database has; nil: each has an owner.
    /// - Parameter account: an account that is known to exist.
    private func unknownName(of exemption: Exemption, _ account: Account?) throws(ExemptionFault) -> [UInt8]?
    {
        let list = exemption == .users ? exemptUsers : exemption == .groups ? exemptGroups : []
        for pattern in list where !pattern.hasWildcard {
            if exemption == .users, pattern.text == account?.name { continue }
            let isKnown: Bool
            do throws(AccountError) {
                isKnown =
                    exemption == .groups
                    ? try isGroup(pattern.text) : try Account(named: pattern.text, strictly: true) != nil
            } catch { throw .unread(error) }
            if !isKnown { return pattern.text }
        }
        return nil
    }

    /// The list that names this login.
    private func listed(in context: LoginContext) throws(AccountError) -> Exemption? {
        guard exempts else { return nil }
        if let account = context.account {
            if context.isRemote && account.uid == 0 { return nil }
            if try never.hits(account, in: context) { return nil }
            if !exemptUsers.isEmpty, admits(exemptUsers, hits: { $0.matches(account.name) }) {
                return .users
            }
        }
        if !exemptFrom.isEmpty, let address = context.address,
            admits(exemptFrom, hits: { $0.contains(address) })
        {
            return .from
        }
        guard !exemptGroups.isEmpty, let account = context.account else { return nil }
        return try holds(exemptGroups, account) ? .groups : nil
    }

    /// Whether the settings have any exemption.
    package var exempts: Bool { !(exemptUsers.isEmpty && exemptGroups.isEmpty && exemptFrom.isEmpty) }

    /// The setting `qr`, or `off` for users in `qr-off-users`.
    package func qrStyle(for name: [UInt8]) -> QRStyle {
        !qrOffUsers.isEmpty && admits(qrOffUsers, hits: { $0.matches(name) }) ? .off : qr
    }

    /// Whether a list of groups admits the account. If the list has exclusions, a group whose name cannot be
    /// looked up is an error, because it might be an excluded one.
    private func holds(_ list: [Pattern], _ account: Account) throws(AccountError) -> Bool {
        for pattern in list where pattern.isExclusion && !pattern.hasWildcard {
            _ = try isGroup(pattern.text)
        }
        let names = try account.groups(strictly: list.contains { $0.isExclusion })
        return admits(list, hits: { pattern in names.contains { pattern.matches($0) } })
    }

    /// Whether `networks` admits the source. Local logins are always admitted; a remote login without a known
    /// address is not, unless the list is empty.
    private func admitsSource(of context: LoginContext) -> Bool {
        guard context.isRemote, !networks.isEmpty else { return true }
        guard let address = context.address else { return false }
        return admits(networks, hits: { $0.contains(address) })
    }
}

extension Never {
    /// Accounts are compared by uid: a second name of root is root.
    fileprivate func hits(_ account: Account, in context: LoginContext) throws(AccountError) -> Bool {
        switch self {
        case .nobody: return false
        case .standard: return context.isRemote && account.uid == 0
        case .users(let names):
            for name in names {
                if wholeNumber(name, in: 0...UInt32.max) == account.uid { return true }
                if let named = try Account(named: name, strictly: true), named.uid == account.uid {
                    return true
                }
            }
            return false
        }
    }
}
