// SPDX-License-Identifier: Apache-2.0
// Who sends a request, as limits count it.

/// A party that is counted by itself and with its network, so that nobody uses up a limit for all with many
/// addresses. It is an address, a local account, or a device that has proved its identity by a tag.
package struct Requester: Equatable, Sendable {
    /// A numeric address (of IPv6 the /64), `local:` and a uid, or `device:` and an id in hex.
    package let source: String
    /// What neighbouring sources share: a /24 of IPv4 or a /48 of IPv6, otherwise the source itself.
    package let network: String

    package init(source: String, network: String) {
        self.source = source
        self.network = network
    }
}
