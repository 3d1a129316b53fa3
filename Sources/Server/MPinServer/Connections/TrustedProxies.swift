// SPDX-License-Identifier: Apache-2.0
// The proxies that may name their clients. Only the listener for proxies reads `X-Forwarded-For`; all other
// listeners ignore it.
package import MPinWire

/// Reads the address of the client from a proxy's `X-Forwarded-For`.
package struct TrustedProxies: Equatable, Sendable {
    /// Proxies that may connect over TCP, and proxies further away: their own addresses in the header are
    /// skipped.
    private let networks: [IPNetwork]

    package init(_ networks: [IPNetwork]) { self.networks = networks }

    /// The rightmost address of `X-Forwarded-For` that is not a trusted proxy's: a trusted proxy wrote it.
    /// Everything left of it may be forged by the client. If all addresses are trusted, the leftmost counts.
    ///
    /// - Returns: nil if the header is missing or malformed, or if the peer is not a trusted proxy; then the
    ///   request must be refused.
    package func client(_ headers: [(name: String, value: String)], by peer: Peer) -> IPAddress? {
        if case .address(let proxy) = peer {
            guard let proxy = IPAddress(Array(proxy.utf8)), isTrusted(proxy) else { return nil }
        }
        var client: IPAddress?
        for (name, value) in headers.reversed() where name.lowercased() == "x-forwarded-for" {
            for entry in value.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                let isBlank = { (octet: UInt8) in octet == 0x20 || octet == 0x09 }
                let text = entry.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
                guard let address = IPAddress(Array(text)) else { return nil }
                client = address
                if !isTrusted(address) { return client }
            }
        }
        return client
    }

    /// The answer to a request that does not name its client.
    package static let refusal = Response(
        400, json: message("The proxy must name its client in X-Forwarded-For"),
        notes: [LogField("refused", "unforwarded")])

    /// The answer to a client that has as many requests in progress as it may have.
    package static let overShare = Response(
        429, json: message("Too many requests at a time"), notes: [LogField("refused", "over-share")]
    ).retrying(after: 1)

    private func isTrusted(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }
}
