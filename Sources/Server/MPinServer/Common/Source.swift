// SPDX-License-Identifier: Apache-2.0
// The source of a connection, a request or a try: a local account, or the part of an address that one client
// has.
package import MPinWire

/// What an address is counted for. An attacker has many addresses, and neighbours have addresses like it, so
/// each purpose has its own prefixes.
///
/// | purpose | IPv4 | IPv6 | why |
/// |---|---|---|---|
/// | `client` | /32 | /64 | one subscriber has at least a /64 |
/// | `connections` | /32 | /48 | a customer can use a /48, and every account all of 127.0.0.0/8 |
/// | `tryAddress` | /32 | /56 | one household: its addresses change, and a host names each exactly |
/// | `tries` | /24 | /56 | wrong tries that are given back together after a login from near by |
/// | `network` | /24 | /48 | neighbours, who may be one attacker |
///
/// For `tries` and `network` all addresses of this machine's loopback are one, `loopback`.
package enum SourcePurpose: Sendable {
    case client, connections, tryAddress, tries, network

    fileprivate var prefix: (ipv4: Int, ipv6: Int) {
        switch self {
        case .client: (32, 64)
        case .connections: (32, 48)
        case .tryAddress: (32, 56)
        case .tries: (24, 56)
        case .network: (24, 48)
        }
    }
}

/// What has its own share of the server. It comes from the kernel, a trusted proxy or a login host, never
/// from the client.
package enum Source: Hashable, Sendable {
    case user(UInt32)
    /// The first bits of an address. An IPv4 address stands in ::ffff:0:0/96.
    case address(UInt128, bits: Int)

    package init(_ address: IPAddress, for purpose: SourcePurpose = .client) {
        let start: UInt128 = address.octets.count == 4 ? 0xffff : 0
        let bits = address.octets.reduce(start) { $0 << 8 | UInt128($1) }
        self = Source.address(bits, bits: 128).cut(for: purpose)
    }

    func cut(for purpose: SourcePurpose) -> Source {
        guard case .address(let address, _) = self else { return self }
        let isIPv4 = address >> 32 == 0xffff
        var bits = isIPv4 ? 96 + purpose.prefix.ipv4 : purpose.prefix.ipv6
        if isIPv4, purpose == .connections, address >> 24 & 0xff == 127 { bits = 96 + 8 }
        return .address(address & ~(.max >> bits), bits: bits)
    }

    /// As logged and stored: `local:1000`, `192.0.2.1`, `192.0.2.0/24`, `2001:db8:0:1::/64`.
    package var text: String {
        guard case .address(let address, let bits) = self else {
            guard case .user(let user) = self else { return "" }
            return "local:\(user)"
        }
        if address >> 32 == 0xffff {
            let octets = [24, 16, 8, 0].map { String(UInt8(truncatingIfNeeded: address >> $0)) }
            return octets.joined(separator: ".") + (bits == 128 ? "" : "/\(bits - 96)")
        }
        let groups = stride(from: 112, to: 112 - bits, by: -16).map {
            String(UInt16(truncatingIfNeeded: address >> $0), radix: 16)
        }
        return groups.joined(separator: ":") + "::/\(bits)"
    }
}

/// The text under which an address, or the first one of a network, is counted for this purpose. A text that
/// is no address, such as `local:` and a uid, stands for itself.
package func countedSource(_ text: String, for purpose: SourcePurpose) -> String {
    guard let address = IPAddress(ofPeer: [UInt8](text.utf8.prefix { $0 != UInt8(ascii: "/") })) else {
        return text
    }
    switch purpose {
    case .client, .connections, .tryAddress: break
    case .tries where address.octets.count == 4 && address.isLoopback: return "loopback"
    case .tries: break
    case .network:
        let isNear = address.octets.count == 16 && address.octets.prefix(8).allSatisfy { $0 == 0 }
        if isNear || address.isLoopback { return "loopback" }
    }
    return Source(address, for: purpose).text
}
