// SPDX-License-Identifier: Apache-2.0
// Who sends a request, as limits count it.

/// A party that is counted by itself and with its network, so that one network with many addresses does not
/// use up a limit for all. It is an address, a local account, or a device that has proved its identity by a
/// tag.
struct Requester: Equatable, Sendable {
    /// A numeric address (of IPv6 the /64), `local:` and a uid, or `device:` and an id in hex.
    let source: String
    /// What neighbouring sources share, such as an IPv4 /24 or an IPv6 /48; otherwise the source itself.
    let network: String
    /// From the widest network to the source: the /32 and the /40 of an IPv6 /48, the network, the source.
    let networks: [String]

    init(source: String, network: String) {
        self.source = source
        self.network = network
        networks = [wider(network, bits: 32), wider(network, bits: 40), network, source]
    }
}

/// The /32 or /40 of an IPv6 /48, which may have the name of a host before it; any other network as it is.
private func wider(_ network: String, bits: Int) -> String {
    guard network.hasSuffix("::/48") else { return network }
    let groups = network.dropLast(5).split(separator: ":")
    guard groups.count == 3, let third = UInt16(groups[2], radix: 16) else { return network }
    let rest = bits == 32 ? "" : ":" + String(third & 0xff00, radix: 16)
    return "\(groups[0]):\(groups[1])\(rest)::/\(bits)"
}
