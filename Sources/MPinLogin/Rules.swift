// SPDX-License-Identifier: Apache-2.0
// Who is left out by mpin.conf, whatever the backend says.
package import MPinProof

extension Settings {
    /// The first rule that leaves this account out here, nil if none does.
    package func exclusion(of account: Account, in scene: Scene) throws(AccountError) -> Rule? {
        if try never.hits(account, in: scene) { return .never }
        if !admits(users, isExclusion: { $0.isExclusion }, hits: { $0.matches(account.name) }) {
            return .users
        }
        if !groups.isEmpty {
            let names = try groupNames(of: account)
            let admitted = admits(
                groups, isExclusion: { $0.isExclusion },
                hits: { pattern in names.contains { pattern.matches($0) } })
            if !admitted { return .groups }
        }
        return admitsSource(of: scene) ? nil : .networks
    }

    /// `qr`, or `off` for somebody who reads screens of plain text.
    package func qrStyle(for name: [UInt8]) -> QRStyle {
        let isPlain = admits(qrOffUsers, isExclusion: { $0.isExclusion }, hits: { $0.matches(name) })
        return !qrOffUsers.isEmpty && isPlain ? .off : qr
    }

    /// A group that cannot be named might be the one that is left out.
    private func groupNames(of account: Account) throws(AccountError) -> [[UInt8]] {
        for pattern in groups where pattern.isExclusion && !pattern.hasWildcard {
            try lookUp(group: pattern.text)
        }
        return try account.groups(strictly: groups.contains { $0.isExclusion })
    }

    /// Networks are a matter of those who come over one; whose address is none of them is in no network.
    private func admitsSource(of scene: Scene) -> Bool {
        guard scene.isRemote, !networks.isEmpty else { return true }
        guard let address = scene.address else { return false }
        return admits(networks, isExclusion: { $0.isExclusion }, hits: { $0.contains(address) })
    }
}

extension Never {
    /// Compared by uid: a second name of root is root.
    fileprivate func hits(_ account: Account, in scene: Scene) throws(AccountError) -> Bool {
        switch self {
        case .nobody: return false
        case .standard: return scene.isRemote && account.uid == 0
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
