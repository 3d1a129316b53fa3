// SPDX-License-Identifier: Apache-2.0
// An IP address with a port, and whether it is an address of this machine.
import CCurl
import CPlatform

struct SocketAddress: Hashable, Sendable {
    /// 4 or 16 octets; an IPv4-mapped IPv6 address has the 4 of IPv4.
    private let octets: [UInt8]
    private let port: UInt16
    /// The address without the port; IPv6 in brackets.
    let text: String
    /// Whether connections to it never leave this machine, so that a local account can disturb them.
    let isNear: Bool

    /// - Parameter text: numeric, with or without brackets.
    init?(_ text: String, port: UInt16, own: Set<[UInt8]>) {
        let bare = text.hasPrefix("[") ? String(text.dropFirst().dropLast()) : text
        guard let octets = numericOctets(bare) else { return nil }
        self.octets = octets
        self.text = bare.contains(":") ? "[\(bare)]" : bare
        self.port = port
        let isLoopback =
            octets.count == 4
            ? octets[0] == 127 || octets[0] == 0
            : octets.dropLast().allSatisfy { $0 == 0 } && octets[15] <= 1
        isNear = isLoopback || own.contains(octets)
    }

    var family: CInt { octets.count == 4 ? AF_INET : AF_INET6 }

    /// Begins to connect; returns 0 or the errno.
    func connect(_ descriptor: CInt) -> CInt {
        if octets.count == 4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &address.sin_addr) { unsafe $0.copyBytes(from: octets) }
            return unsafe connected(descriptor, &address)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: octets) }
        return unsafe connected(descriptor, &address)
    }
}

/// Calls connect(2); returns 0 or the errno.
@unsafe func connected<T>(_ descriptor: CInt, _ address: inout T) -> CInt {
    let done = unsafe withUnsafeBytes(of: &address) {
        unsafe connect(
            descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
    return done == 0 ? 0 : mpin_errno()
}

private func numericOctets(_ text: String) -> [UInt8]? {
    let family = text.utf8.contains(0x3a) ? AF_INET6 : AF_INET
    var octets = [UInt8](repeating: 0, count: family == AF_INET6 ? 16 : 4)
    guard unsafe inet_pton(family, text, &octets) == 1 else { return nil }
    return unmapped(octets)
}

private func unmapped(_ octets: [UInt8]) -> [UInt8] {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    return octets.count == 16 && octets.starts(with: mapped) ? Array(octets.suffix(4)) : octets
}

/// The addresses of this machine's interfaces, 4 or 16 octets each; nil if the kernel does not list them.
func ownAddresses() -> Set<[UInt8]>? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return nil }
    defer { unsafe freeifaddrs(list) }
    var found: Set<[UInt8]> = []
    var entry = unsafe list
    while let interface = unsafe entry {
        if let address = unsafe interface.pointee.ifa_addr, let octets = unsafe octets(of: address) {
            found.insert(unmapped(octets))
        }
        unsafe entry = interface.pointee.ifa_next
    }
    return found
}

@unsafe private func octets(of address: UnsafeMutablePointer<sockaddr>) -> [UInt8]? {
    switch unsafe CInt(address.pointee.sa_family) {
    case AF_INET:
        return unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            unsafe withUnsafeBytes(of: $0.pointee.sin_addr) { unsafe Array($0) }
        }
    case AF_INET6:
        return unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
            unsafe withUnsafeBytes(of: $0.pointee.sin6_addr) { unsafe Array($0) }
        }
    default: return nil
    }
}
