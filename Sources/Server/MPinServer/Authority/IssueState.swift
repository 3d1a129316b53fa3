// SPDX-License-Identifier: Apache-2.0
// What the authority's own database says about an identity.

/// What the book says about the hash of an mpinId.
enum IssueState: Equatable, Sendable {
    /// No client secret was ever issued for it.
    case unknown
    case issued
    /// No client secret and no permit is issued for it any more.
    case revoked
}
