// SPDX-License-Identifier: Apache-2.0
// Clients of the connection limiter and the request queue by numbers.
import MPinServer
import MPinWire

extension ServedClient {
    /// The client at an IPv4 address.
    static func ipv4(_ address: UInt32) -> ServedClient {
        ServedClient(at: [24, 16, 8, 0].map { String(address >> $0 & 0xff) }.joined(separator: "."))
    }

    /// A client in the /64 with these first 64 bits.
    static func ipv6(_ prefix: UInt64) -> ServedClient {
        let groups = [48, 32, 16, 0].map { String(prefix >> $0 & 0xffff, radix: 16) }
        return ServedClient(at: groups.joined(separator: ":") + "::1")
    }

    /// The client at this address; a wrong text is no address, and the account 0.
    private init(at text: String) {
        self = IPAddress(Array(text.utf8)).map { ServedClient($0) } ?? ServedClient(user: 0)
    }
}
