// SPDX-License-Identifier: Apache-2.0
// Shares of time permits that the authority has given: who logged in today does so again without it.
import MPin
import Synchronization

/// A permit is no secret, for it is useless without the token. Whoever takes one out of here has looked
/// first whether the identity is revoked.
final class PermitCache: Sendable {
    private struct Key: Hashable {
        let half: UInt8
        let id: [UInt8]
    }
    private typealias Shares = [Key: [UInt8]]

    /// About 15 MiB for each of the two days at the most. Beyond them the authority is asked each time.
    private static let most = 65_536
    private let days = Mutex<[UInt32: Shares]>([:])

    /// A share of today's permit or, in the first hour, of yesterday's; `.refused` for another day, and for
    /// an identity without a client secret.
    func share(
        _ half: ShareIndex, of id: [UInt8], date: UInt32, at now: UnixTime, from authority: any Authority
    ) async throws(AuthorityError) -> [UInt8] {
        guard permitDays(now).contains(date) else { throw .refused }
        if let share = share(half, of: id, date: date) { return share }
        let share = try await authority.timePermitShare(half, of: id, date: date)
        keep(share, half, of: id, date: date)
        return share
    }

    private func share(_ half: ShareIndex, of id: [UInt8], date: UInt32) -> [UInt8]? {
        days.withLock { $0[date]?[Key(half: half.rawValue, id: id)] }
    }

    /// Of the newest day and, for its first hour, of the one before it.
    private func keep(_ share: [UInt8], _ half: ShareIndex, of id: [UInt8], date: UInt32) {
        days.withLock { days in
            for old in days.keys where date > old && date - old > 1 { days[old] = nil }
            guard days[date, default: [:]].count < PermitCache.most else { return }
            days[date, default: [:]][Key(half: half.rawValue, id: id)] = share
        }
    }
}

extension ServiceContext {
    /// A share of the permit of an identity that is not revoked.
    func timePermitShare(
        _ half: ShareIndex, of id: [UInt8], date: UInt32
    ) async throws(AuthorityError) -> [UInt8] {
        try await permits.share(half, of: id, date: date, at: effects.now(), from: authority)
    }
}
