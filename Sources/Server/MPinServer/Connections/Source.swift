// SPDX-License-Identifier: Apache-2.0
// The source of a connection: the account, address or network whose share of the server it uses.

/// The smallest unit that has its own share. It comes from the kernel, or from a trusted proxy, never from
/// the client.
package enum Source: Hashable, Sendable {
    case user(UInt32)
    case ipv4(UInt32)
    /// The first 64 bits, which one subscriber usually has.
    case ipv6(UInt64)

    /// The source of an address of 4 or 16 octets; nil for any other number of octets. ::ffff:192.0.2.1
    /// counts as the IPv4 address that it ends with.
    package init?(address octets: [UInt8]) {
        switch octets.count {
        case 4: self = .ipv4(number(octets[...]))
        case 16 where octets.starts(with: mappedPrefix): self = .ipv4(number(octets[12...]))
        case 16: self = .ipv6(number(octets[..<8]))
        default: return nil
        }
    }

    package var network: Network {
        switch self {
        case .user(let user): .user(user)
        case .ipv4(let address): address >> 24 == 127 ? .loopback : .ipv4(address)
        case .ipv6(let prefix): .ipv6(prefix >> 16)
        }
    }
}

/// The network of a source. Every account of a machine can use all of 127.0.0.0/8, and most customers of
/// providers can use all of an IPv6 /48.
package enum Network: Hashable, Sendable {
    case user(UInt32)
    case loopback
    case ipv4(UInt32)
    /// The first 48 bits.
    case ipv6(UInt64)

    /// As the log shows it.
    package var text: String {
        switch self {
        case .user(let user): return "local:\(user)"
        case .loopback: return "127.0.0.0/8"
        case .ipv4(let address):
            return [24, 16, 8, 0].map { String(UInt8(truncatingIfNeeded: address >> $0)) }
                .joined(separator: ".")
        case .ipv6(let prefix):
            let groups = [32, 16, 0].map { String(UInt16(truncatingIfNeeded: prefix >> $0), radix: 16) }
            return groups.joined(separator: ":") + "::/48"
        }
    }
}

/// The prefix of an IPv4-mapped IPv6 address.
let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/// A big-endian number.
func number<N: FixedWidthInteger>(_ octets: ArraySlice<UInt8>) -> N {
    octets.reduce(0) { $0 << 8 | N($1) }
}
