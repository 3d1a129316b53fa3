// SPDX-License-Identifier: Apache-2.0
// A cache of time permits' shares: only a user's first login of a day needs one from the authority.
import MPin
import Octets
import Synchronization

/// A permit is not secret: it is useless without the token. The cache does not know revocations: callers that
/// do check them first.
final class PermitCache: Sendable {
    private struct Key: Hashable {
        let half: UInt8
        let id: IdentityHash
    }
    private typealias Shares = [Key: [UInt8]]

    /// The most shares that are kept of a day: about 15 MiB for each of two days. Further ones are requested
    /// from the authority each time.
    private static let most = 65_536
    private let days = Mutex<[UInt32: Shares]>([:])

    /// A share of today's permit or, in the first hour, of yesterday's. Throws `.refused` for another day,
    /// and for an identity without a client secret.
    func share(
        _ half: ShareIndex, of id: IdentityHash, date: UInt32, at now: UnixTime, from authority: any Authority
    ) async throws(AuthorityError) -> [UInt8] {
        guard permitDays(now).contains(date) else { throw .refused }
        if let share = share(half, of: id, date: date) { return share }
        let share = try await authority.timePermitShare(half, of: id, date: date)
        keep(share, half, of: id, date: date)
        return share
    }

    private func share(_ half: ShareIndex, of id: IdentityHash, date: UInt32) -> [UInt8]? {
        days.withLock { $0[date]?[Key(half: half.rawValue, id: id)] }
    }

    /// Keeps a share, and drops those of all days but the newest one and the day before it.
    private func keep(_ share: [UInt8], _ half: ShareIndex, of id: IdentityHash, date: UInt32) {
        days.withLock { days in
            for old in days.keys where date > old && date - old > 1 { days[old] = nil }
            guard days[date, default: [:]].count < PermitCache.most else { return }
            days[date, default: [:]][Key(half: half.rawValue, id: id)] = share
        }
    }
}

extension ServiceContext {
    /// A share of an identity's permit. The caller has checked that the identity is not revoked.
    func timePermitShare(
        _ half: ShareIndex, of id: IdentityHash, date: UInt32
    ) async throws(AuthorityError) -> [UInt8] {
        try await permits.share(half, of: id, date: date, at: effects.now(), from: authority)
    }
}
