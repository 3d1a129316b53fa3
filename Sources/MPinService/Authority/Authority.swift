// SPDX-License-Identifier: Apache-2.0
// The trusted authority: the only holder of the master secret, behind four commands.
package import MPin
package import MPinStorage
package import Secrets

package enum AuthorityError: Error, Equatable {
    /// Issued before, revoked, never issued, or not a day for which permits are made.
    case refused
    case book(StorageError)
    /// More was asked for than the authority gives in so short a time.
    case busy
    /// The process that holds the master secret cannot be reached, or its answer is not one.
    case away
    /// That process has another master secret than when this server started.
    case otherEpoch
    case failed
}

/// D-TA 1 and D-TA 2. Nothing but these four commands leads to the master secret; every argument and answer
/// has a fixed length, so the same commands reach a process of its own (``AuthorityQuestion``).
package protocol Authority: Sendable {
    /// Of the master secret; written into every mpinId's record.
    var epoch: UInt32 { get }

    /// Command 1: s_i * Q, 128 octets.
    func serverSecretShare(_ half: ShareIndex) async throws(AuthorityError) -> Secret

    /// Command 2: s_i * A of an id (32 octets), 65 octets; once for each id, for ever.
    func clientSecretShare(_ half: ShareIndex, of id: [UInt8]) async throws(AuthorityError) -> Secret

    /// Command 3: s_i * A_T of an id and a date, 65 octets; for today, and for yesterday in the first hour of
    /// the day, and only for ids with a client secret of this authority that nobody revoked.
    func timePermitShare(
        _ half: ShareIndex, of id: [UInt8], date: UInt32
    ) async throws(AuthorityError) -> [UInt8]

    /// Command 4: no share and no permit for this id from now on.
    func revoke(_ id: [UInt8]) async throws(AuthorityError)
}

extension Authority {
    /// Of both shares, 128 octets: what proofs are checked with.
    package func serverSecret() async throws -> Secret {
        let first = try await serverSecretShare(.first)
        return try MPin.serverSecret(first, await serverSecretShare(.second))
    }
}

/// The only holder of the master secret.
package final class MasterAuthority: Authority {
    private let firstShare: MasterShare
    private let secondShare: MasterShare
    private let book: any AuthorityBook
    private let now: @Sendable () -> UnixTime
    package let epoch: UInt32

    package init(
        firstShare: consuming MasterShare, secondShare: consuming MasterShare, epoch: UInt32,
        book: any AuthorityBook, now: @escaping @Sendable () -> UnixTime
    ) {
        self.firstShare = firstShare
        self.secondShare = secondShare
        self.epoch = epoch
        self.book = book
        self.now = now
    }

    package func serverSecretShare(_ half: ShareIndex) throws(AuthorityError) -> Secret {
        try withShare(half) { share throws(MPinError) in try share.serverSecretShare() }
    }

    package func clientSecretShare(_ half: ShareIndex, of id: [UInt8]) async throws(AuthorityError) -> Secret
    {
        let isFirst: Bool
        do { isFirst = try await book.issueOnce(authority: half.rawValue, hash: id) } catch {
            throw .book(error)
        }
        guard isFirst else { throw .refused }
        return try withShare(half) { share throws(MPinError) in try share.clientSecretShare(of: id) }
    }

    package func timePermitShare(
        _ half: ShareIndex, of id: [UInt8], date: UInt32
    ) async throws(AuthorityError) -> [UInt8] {
        guard permitDays(now()).contains(date) else { throw .refused }
        let standing: IssueState
        do { standing = try await book.standing(authority: half.rawValue, hash: id) } catch {
            throw .book(error)
        }
        guard standing == .issued else { throw .refused }
        return try withShare(half) { share throws(MPinError) in
            try share.timePermitShare(of: id, date: date)
        }
    }

    private func withShare<R: ~Copyable>(
        _ half: ShareIndex, _ body: (borrowing MasterShare) throws(MPinError) -> R
    ) throws(AuthorityError) -> R {
        do {
            switch half {
            case .first: return try body(firstShare)
            case .second: return try body(secondShare)
            }
        } catch { throw .failed }
    }

    package func revoke(_ id: [UInt8]) async throws(AuthorityError) {
        do { try await book.revoke(hash: id) } catch { throw .book(error) }
    }
}

/// The days for which permits are made and proofs accepted: today first, in its first hour yesterday too.
func permitDays(_ now: UnixTime) -> [UInt32] {
    now.hour == 0 && now.day > 0 ? [now.day, now.day - 1] : [now.day]
}
