// SPDX-License-Identifier: Apache-2.0
// The networks to which an address belongs, as the names under which requests and tries are counted. A text
// that is no address, such as `local:` and a uid, stands for itself. `::ffff:192.0.2.1` is an IPv4 address.
import MPinWire

/// An address as a source of tries: an IPv4 address unchanged, an IPv6 address cut to the /64 of a
/// subscriber.
func sourceNetwork(of address: String) -> String {
    guard let peer = peer(address) else { return address }
    return peer.isIPv4 ? peer.text : peer.network(ofGroups: 4, bits: 64)
}

/// The key under which wrong PINs are counted if a host names the source: an IPv4 address, or the /56 of an
/// IPv6 address.
func tryAddress(of address: String) -> String {
    guard let peer = peer(address) else { return address }
    return peer.isIPv4 ? peer.text : tryNetwork(of: address)
}

/// The network whose wrong tries are counted and given back together: the /24 of an IPv4 address, the /56 of
/// an IPv6 address.
func tryNetwork(of address: String) -> String {
    guard let peer = peer(address) else { return address }
    return peer.isIPv4 ? sharedNetwork(of: peer.text) : peer.network(ofGroups: 4, bits: 56)
}

/// The network of an address or of a longer network: the /24 of an IPv4 address, the /48 of an IPv6 address.
/// Every account of a machine can use all addresses of its loopback, so they are one network.
func sharedNetwork(of source: String) -> String {
    guard let peer = peer(source) else { return source }
    let isLoopback = peer.isLoopback || !peer.isIPv4 && peer.octets.prefix(8).allSatisfy { $0 == 0 }
    guard !isLoopback else { return "loopback" }
    guard peer.isIPv4 else { return peer.network(ofGroups: 3, bits: 48) }
    return peer.octets.prefix(3).map(String.init).joined(separator: ".") + ".0/24"
}

/// An address without a zone, or the first address of a network.
private func peer(_ text: String) -> IPAddress? {
    IPAddress(ofPeer: [UInt8](text.utf8.prefix { $0 != UInt8(ascii: "/") }))
}

extension IPAddress {
    fileprivate var isIPv4: Bool { octets.count == 4 }

    /// `2001:db8:0:1::/64`: the first groups of 16 bits of an IPv6 address, as far as the bits reach.
    fileprivate func network(ofGroups count: Int, bits: Int) -> String {
        let groups = (0..<count).map { group in
            let value: UInt16 = number(octets[(group * 2)..<(group * 2 + 2)])
            return String(value & ~0 << max(0, (group + 1) * 16 - bits), radix: 16)
        }
        return groups.joined(separator: ":") + "::/\(bits)"
    }
}
