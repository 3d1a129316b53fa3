// SPDX-License-Identifier: Apache-2.0
// `mpin backup-codes`: makes a set of codes for an account, shows it once, or ends the one that it has.
import MPin
import MPinLogin
import MPinProof
import MPinStore

/// A change of the backup codes of one account.
package struct BackupCodesChange {
    /// Codes in a set, unless it is said.
    package static let usualCount = BackupCodes.usual
    /// Codes in the largest set.
    package static let largestCount = BackupCodes.most

    private let user: String
    private let store: [UInt8]

    /// Of an account of this host, in the store of a folder.
    package init(of user: String, in store: [UInt8]) { (self.user, self.store) = (user, store) }

    /// Makes a new set, in place of the one before. `config` is mpin.conf, where another was named. Throws
    /// if the account has no identity here, or no service takes codes.
    package func make(_ count: Int, config: [UInt8]?) throws(Failure) -> BackupCodesReport {
        let store = try openStore(store)
        let account = try findAccount(user)
        let host = try hostName(store)
        // Codes stand in for what somebody has; without an identity here they would let nobody in.
        try readUser(account.uid, named: user, in: store) { _ in }
        let services = try takingServices(config)
        let before = unused(account.uid, in: store)
        let drawn: (set: BackupCodes, shown: [[UInt8]])
        do { drawn = try BackupCodes.draw(count) } catch {
            throw error == .noRandomness ? .noRandomness : .outOfMemory
        }
        do {
            try store.replaceCodes(of: account, host: host, made: currentTime(), by: drawn.set)
        } catch { throw Failure(error) }
        return BackupCodesReport(
            user: text(account.name), uid: account.uid, host: text(host),
            codes: drawn.shown.map { text($0) }, ended: before, services: services)
    }

    /// Ends the set of an account; one that no longer exists is named by its uid. Throws if it has none.
    package func end() throws(Failure) -> BackupCodesReport {
        let store = try openStore(store)
        let uid = try uid(of: user)
        let left = unused(uid, in: store)
        let had: Bool
        do { had = try store.removeCodes(uid: uid) } catch { throw Failure(error) }
        guard had else { throw Failure(.notEnrolled, "\(shown(user)) has no backup codes on this host.") }
        return BackupCodesReport(
            user: shown(user), uid: uid, host: nil, codes: [], ended: left, services: nil)
    }

    /// The services that take codes. Where there is no mpin.conf yet, none does.
    private func takingServices(_ config: [UInt8]?) throws(Failure) -> [String] {
        let file = config ?? Settings.standardFile
        var services: [[UInt8]] = []
        do throws(SettingsError) { services = try Settings.servicesWithCodes(in: file) } catch {
            guard config == nil, error.problem == .unreadable(.missing) else { throw Failure(error) }
        }
        guard !services.isEmpty else {
            throw Failure(
                .settings,
                "No service on this host takes backup codes. Name some in \(text(file)), such as "
                    + "'backup-codes = sudo login', then run this command again.")
        }
        return services.map { text($0) }
    }
}

/// What the set before still holds; nil if there is none. One that cannot be read is as good as none: a new
/// set mends it.
private func unused(_ uid: UInt32, in store: borrowing FileStore) -> Int? {
    do { return try store.codesLeft(uid: uid) } catch { return nil }
}

/// A set of codes, or the end of one.
package struct BackupCodesReport: Report {
    let user: String
    let uid: UInt32
    /// Where they are good.
    let host: String?
    /// In letters, for this once.
    let codes: [String]
    /// Unused codes of the set that is no more; absent if there was none.
    let ended: Int?
    /// That take them.
    let services: [String]?

    /// The codes and where they are good.
    package var lines: [String] {
        let void = ended.map { ["The earlier set is void. Unused codes in it: \($0)."] } ?? []
        guard let host, let services else {
            return ["\(user) has no backup codes any more. Unused: \(ended ?? 0)."]
        }
        let place = "They are good for \(services.joined(separator: ", ")) ('backup-codes' in mpin.conf)."
        return ["Backup codes of \(user) on \(host), each good once:", ""] + codes.map { "    " + $0 } + [
            "", "They are shown now and never again. Keep them on paper, away from this machine.",
            place,
        ] + void
    }
}
