// SPDX-License-Identifier: Apache-2.0
// The authority's own small book: which client secrets left it, and for whom it makes permits no more.

/// What the book says of an mpinId's hash.
package enum IssueState: Equatable, Sendable {
    /// No client secret was ever issued for it.
    case unknown
    case issued
    /// Nothing is issued for it any more.
    case revoked
}

/// Kept apart from `Storage`, in a file that only the authority opens. Everything in it is for ever.
package protocol AuthorityBook: Sendable {
    /// Enters that the authority (1 or 2) issues its share for `hash` (32 octets). True the first time only,
    /// on every replica and after every restart, and never for a revoked hash; the share may be computed only
    /// after that.
    func issueOnce(authority: UInt8, hash: [UInt8]) async throws(StorageError) -> Bool

    /// Whether a permit of this authority may be made for `hash`.
    func standing(authority: UInt8, hash: [UInt8]) async throws(StorageError) -> IssueState

    /// No share and no permit for `hash` from now on, known or not.
    func revoke(hash: [UInt8]) async throws(StorageError)
}
