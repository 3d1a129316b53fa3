// SPDX-License-Identifier: Apache-2.0
// The trust authority, which alone holds the master secret, and its four commands.
package import MPin
package import MPinDatabase
package import Octets
package import Secrets

/// Why the authority did not carry out a command.
package enum AuthorityError: Error, Equatable {
    /// Issued before, revoked, never issued, or not a day for which permits are made.
    case refused
    /// The authority's database failed.
    case book(StorageError)
    /// There were more requests than the authority answers in so short a time.
    case busy
    /// The process that holds the master secret cannot be reached, or its answer is malformed.
    case away
    /// That process has another master secret than when this server started.
    case otherEpoch
    /// The calculation failed, or the request was malformed.
    case failed
}

/// D-TA 1 and D-TA 2. Only these four commands use the master secret. Every argument and answer has a fixed
/// length, so that the commands can be sent to a separate process as frames (``AuthorityQuestion``).
package protocol Authority: Sendable {
    /// The epoch of the master secret, which is kept in the record of every mpinId.
    var epoch: UInt32 { get }

    /// Whether it can be reached and its book can be read, without any command.
    func answers() async -> Bool

    /// Command 1: s_i * Q, 128 octets.
    func serverSecretShare(_ half: ShareIndex) async throws(AuthorityError) -> Secret

    /// Command 2: s_i * A of an id (32 octets), 65 octets. Each id gets it only once.
    func clientSecretShare(_ half: ShareIndex, of id: IdentityHash) async throws(AuthorityError) -> Secret

    /// Command 3: s_i * A_T of an id (32 octets) and a date (days since 1970), 65 octets. Given for today,
    /// and in the first hour of a day also for yesterday; only for ids that got a client secret from this
    /// authority and are not revoked.
    func timePermitShare(
        _ half: ShareIndex, of id: IdentityHash, date: UInt32
    ) async throws(AuthorityError) -> [UInt8]

    /// Command 4: from now on, neither share nor permit is given for this id.
    func revoke(_ id: IdentityHash) async throws(AuthorityError)
}

extension Authority {
    /// The server secret, which verifies proofs: the sum of both shares, 128 octets.
    package func serverSecret() async throws -> Secret {
        let first = try await serverSecretShare(.first)
        return try MPin.serverSecret(first, await serverSecretShare(.second))
    }
}

/// The authority in this process, with both shares of the master secret.
package final class MasterAuthority: Authority {
    private let firstShare: MasterShare
    private let secondShare: MasterShare
    private let book: AuthorityBook
    private let now: @Sendable () -> UnixTime
    package let epoch: UInt32

    init(
        firstShare: consuming MasterShare, secondShare: consuming MasterShare, epoch: UInt32,
        book: AuthorityBook, now: @escaping @Sendable () -> UnixTime
    ) {
        self.firstShare = firstShare
        self.secondShare = secondShare
        self.epoch = epoch
        self.book = book
        self.now = now
    }

    /// Whether the book can be read.
    package func answers() async -> Bool {
        (try? await book.standing(authority: ShareIndex.first.rawValue, hash: .zero)) != nil
    }

    package func serverSecretShare(_ half: ShareIndex) throws(AuthorityError) -> Secret {
        try withShare(half) { share throws(MPinError) in try share.serverSecretShare() }
    }

    package func clientSecretShare(_ half: ShareIndex, of id: IdentityHash) async throws(AuthorityError)
        -> Secret
    {
        let isFirst: Bool
        do { isFirst = try await book.issueOnce(authority: half.rawValue, hash: id) } catch {
            throw .book(error)
        }
        guard isFirst else { throw .refused }
        return try withShare(half) { share throws(MPinError) in try share.clientSecretShare(of: id) }
    }

    package func timePermitShare(
        _ half: ShareIndex, of id: IdentityHash, date: UInt32
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

    package func revoke(_ id: IdentityHash) async throws(AuthorityError) {
        do { try await book.revoke(hash: id) } catch { throw .book(error) }
    }
}

/// The days for which permits are made and proofs accepted: today, and in its first hour also yesterday.
func permitDays(_ now: UnixTime) -> [UInt32] {
    now.hour == 0 && now.day > 0 ? [now.day, now.day - 1] : [now.day]
}
