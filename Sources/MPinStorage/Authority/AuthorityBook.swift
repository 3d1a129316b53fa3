// SPDX-License-Identifier: Apache-2.0
// The authority's own database: for which identities it issued client secrets, and for which it issues no
// permits.
package import Octets

/// What the book says about the hash of an mpinId.
package enum IssueState: Equatable, Sendable {
    /// No client secret was ever issued for it.
    case unknown
    case issued
    /// No client secret and no permit is issued for it any more.
    case revoked
}

/// The book is kept apart from `Storage`, in a file that only the authority opens. Its entries are permanent.
/// A `hash` is the SHA-256 of an mpinId (32 octets).
package protocol AuthorityBook: Sendable {
    /// Records that the authority (1 or 2) issues its share for `hash`. Returns true the first time only,
    /// across replicas and restarts, and never for a revoked hash. The share may be computed only after that.
    func issueOnce(authority: UInt8, hash: IdentityHash) async throws(StorageError) -> Bool

    /// Whether this authority may issue a permit for `hash`.
    func standing(authority: UInt8, hash: IdentityHash) async throws(StorageError) -> IssueState

    /// Forbids shares and permits for `hash` from now on, whether the hash is known or not.
    func revoke(hash: IdentityHash) async throws(StorageError)
}
