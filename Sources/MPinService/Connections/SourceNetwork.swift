// SPDX-License-Identifier: Apache-2.0
// Percent-encoding and hexadecimal text (RFC 3986), and the networks to which a numeric address belongs.
import MPinWire
import Octets

/// Decodes percent-encoded text; nil if it is malformed, contains NUL, or is not UTF-8.
func percentDecoded(_ text: Substring, plusIsSpace: Bool) -> String? {
    percentDecoded([UInt8](text.utf8), plusIsSpace: plusIsSpace).flatMap {
        String(validating: $0, as: UTF8.self)
    }
}

/// Encodes text for a query: every octet but the unreserved ones of RFC 3986 becomes `%XX`.
package func percentEncoded(_ text: String) -> String {
    String(decoding: percentEncoded([UInt8](text.utf8)), as: UTF8.self)
}

/// Decodes hexadecimal text of either case; nil for any other text.
package func octets(_ text: String) -> [UInt8]? { octets(fromHex: [UInt8](text.utf8)) }

/// An address as a source of tries: an IPv4 address unchanged, an IPv6 address cut to the /64 of a
/// subscriber.
func sourceNetwork(of address: String) -> String {
    guard let groups = ipv6Groups(address) else { return ipv4(address) }
    return groups.prefix(4).joined(separator: ":") + "::/64"
}

/// The key under which wrong PINs are counted if a host names the source: an IPv4 address, the /56 of an IPv6
/// address, or `local:` and a uid.
func tryAddress(of address: String) -> String {
    if address.hasPrefix("local:") { return address }
    guard let groups = ipv6Groups(address) else { return ipv4(address) }
    return ipv6Site(groups)
}

/// The network whose wrong tries are counted and given back together: the /24 of an IPv4 address, the /56 of
/// an IPv6 address.
func tryNetwork(of address: String) -> String {
    guard let groups = ipv6Groups(address) else { return sharedNetwork(of: ipv4(address)) }
    return ipv6Site(groups)
}

/// The /56: the fourth group without its last eight bits.
private func ipv6Site(_ groups: [String]) -> String {
    let fourth = UInt16(groups.dropFirst(3).first ?? "", radix: 16) ?? 0
    return (groups.prefix(3) + [String(fourth & 0xff00, radix: 16)]).joined(separator: ":") + "::/56"
}

/// An IPv4 address, also from the form `::ffff:192.0.2.1`.
private func ipv4(_ address: String) -> String {
    address.split(separator: ":").last.map(String.init) ?? address
}

/// The eight groups without leading zeros; nil for an IPv4 address, mapped or not.
private func ipv6Groups(_ address: String) -> [String]? {
    guard address.contains(":") else { return nil }
    let sides = address.split(separator: "%", maxSplits: 1)[0]
    let halves = sides.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
    var head = halves[0].split(separator: ":").map { $0.lowercased() }
    let tail = halves.count == 2 ? halves[1].split(separator: ":") : []
    if let last = tail.last ?? halves[0].split(separator: ":").last, last.contains(".") { return nil }
    if halves.count == 2 {
        head += Array(repeating: "0", count: max(0, 8 - head.count - tail.count))
        head += tail.map { $0.lowercased() }
    }
    return head.map { UInt16($0, radix: 16).map { String($0, radix: 16) } ?? $0 }
}

/// The /24 of a source that is an IPv4 address, the /48 of one that is a shorter network of IPv6 addresses.
/// Every account of a machine can use all addresses of its loopback, so they are one network; `local:` and a
/// uid is one too.
func sharedNetwork(of source: String) -> String {
    if source.hasPrefix("local:") { return source }
    if source.hasPrefix("127.") || source == "0:0:0:0::/64" { return "loopback" }
    if source.contains(":") { return source.split(separator: ":").prefix(3).joined(separator: ":") + "::/48" }
    return source.split(separator: ".").prefix(3).joined(separator: ".") + ".0/24"
}
