// SPDX-License-Identifier: Apache-2.0
// Who sends a request, as limits count it.

/// A party that is counted by itself and with its network, so that one network with many addresses does not
/// use up a limit for all. It is an address, a local account, or a device that has proved its identity by a
/// tag.
package struct Requester: Equatable, Sendable {
    /// A numeric address (of IPv6 the /64), `local:` and a uid, or `device:` and an id in hex.
    package let source: String
    /// What neighbouring sources share, such as an IPv4 /24 or an IPv6 /48; otherwise the source itself.
    package let network: String

    package init(source: String, network: String) {
        self.source = source
        self.network = network
    }
}
