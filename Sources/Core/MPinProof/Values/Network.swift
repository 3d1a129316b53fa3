// SPDX-License-Identifier: Apache-2.0
// The networks of mpin.conf.
package import MPinWire

/// An entry of `networks` or `exempt-from`: a network, or with `!` before it an exclusion.
package struct Network: Equatable, Sendable {
    /// The text in the settings, without `!`.
    package let text: [UInt8]
    package let isExclusion: Bool
    private let network: IPNetwork

    /// Whether all addresses of a family are in this network.
    package var isBoundless: Bool { network.isBoundless }

    package init?(_ text: [UInt8]) {
        isExclusion = text.first == UInt8(ascii: "!")
        self.text = isExclusion ? [UInt8](text.dropFirst()) : text
        guard let network = IPNetwork(self.text) else { return nil }
        self.network = network
    }

    /// Whether the address is in this network.
    package func contains(_ address: IPAddress) -> Bool { network.contains(address) }
}
