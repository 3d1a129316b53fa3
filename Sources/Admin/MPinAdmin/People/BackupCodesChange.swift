// SPDX-License-Identifier: Apache-2.0
// `mpin backup-codes`: makes a set of backup codes for an account and shows it once, or ends the current set.
import MPin
import MPinLogin
import MPinProof
import MPinHostStore

/// A change of the backup codes of one account.
package struct BackupCodesChange {
    /// The number of codes in a set by default.
    package static let usualCount = BackupCodes.usual
    /// The largest number of codes in a set.
    package static let largestCount = BackupCodes.most

    private let user: String
    private let store: [UInt8]

    /// A change for an account of this host, in the store at `store`.
    package init(of user: String, in store: [UInt8]) { (self.user, self.store) = (user, store) }

    /// Makes a new set, which replaces the current one. `config` is the path of mpin.conf; nil: the usual
    /// one. Throws if the account has no identity here, or no service accepts codes.
    package func make(_ count: Int, config: [UInt8]?) throws(Failure) -> BackupCodesReport {
        let store = try openStore(store)
        let account = try findAccount(user)
        let host = try hostName(store)
        // A backup code replaces a proof by an identity; an account without one cannot log in by code either.
        try readUser(account.uid, named: user, in: store) { _ in }
        let services = try takingServices(config)
        let settings = try ServerChoice(config: config, store: self.store).settings()
        let before = unused(account.uid, in: store)
        let drawn: (set: BackupCodes, shown: [[UInt8]])
        do { drawn = try BackupCodes.draw(count) } catch {
            throw error == .noRandomness ? .noRandomness : .outOfMemory
        }
        try Failure.ofStore(
            store.replaceCodes(of: account, host: host, made: currentTime(), by: drawn.set))
        let asked = StandingReport(about: [account.uid], in: store, settings)
        return BackupCodesReport(
            user: text(account.name), uid: account.uid, host: text(host),
            codes: drawn.shown.map { text($0) }, ended: before, services: services,
            unasked: asked.failures.first?.sentence, isRevoked: !asked.revoked.isEmpty)
    }

    /// Ends the set of an account. `user` may be a uid if the account no longer exists. Throws if there is no
    /// set.
    package func end() throws(Failure) -> BackupCodesReport {
        let store = try openStore(store)
        let uid = try uid(of: user)
        let left = unused(uid, in: store)
        let had = try Failure.ofStore(store.removeCodes(uid: uid))
        guard had else { throw Failure(.notEnrolled, "\(shown(user)) has no backup codes on this host.") }
        return BackupCodesReport(
            user: shown(user), uid: uid, host: nil, codes: [], ended: left, services: nil, unasked: nil,
            isRevoked: nil)
    }

    /// The services that accept codes; throws if there are none. Without mpin.conf there are none.
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

/// The number of unused codes in the current set. nil if there is no set, or it cannot be read: a new set
/// will replace it in any case.
private func unused(_ uid: UInt32, in store: borrowing FileStore) -> Int? {
    do { return try store.codesLeft(uid: uid) } catch { return nil }
}

/// A set of codes, or the end of one.
package struct BackupCodesReport: Report {
    let user: String
    let uid: UInt32
    /// The host on which the codes are valid.
    let host: String?
    /// The codes in letters; they are shown only in this report.
    let codes: [String]
    /// The number of unused codes in the set that ended; absent if there was none.
    let ended: Int?
    /// The services that accept the codes.
    let services: [String]?
    /// Why the server did not answer about the account; absent if it did.
    let unasked: String?
    /// Whether the server answered that the account is revoked or suspended; absent where no set was made.
    let isRevoked: Bool?

    enum CodingKeys: String, CodingKey {
        case user, uid, host, codes, ended, services, unasked
        case isRevoked = "revoked"
    }

    /// The codes and where they are valid; or that the set has ended.
    package var lines: [String] {
        let void = ended.map { ["The earlier set is void. Unused codes in it: \($0)."] } ?? []
        guard let host, let services else {
            return ["\(user) has no backup codes any more. Unused: \(ended ?? 0)."]
        }
        let standing =
            isRevoked == true
            ? ["\(user) is revoked or suspended: as long as that lasts, the codes let nobody in."]
            : unasked.map {
                ["The server did not answer about \(user), so without it they may be refused: \($0)"]
            }
                ?? []
        let place = "They are valid for \(services.joined(separator: ", ")) ('backup-codes' in mpin.conf)."
        return ["Backup codes of \(user) on \(host), each good once:", ""] + codes.map { "    " + $0 } + [
            "", "They are shown now and never again. Keep them on paper, away from this machine.",
            place,
        ] + void + standing
    }
}
