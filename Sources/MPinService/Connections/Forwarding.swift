// SPDX-License-Identifier: Apache-2.0
// Whose a request is that comes by a proxy. Trust is the listener's: on every other one the header that this
// reads is ignored.

package struct Forwarding: Equatable, Sendable {
    /// Proxies that connect over TCP, or stand behind others: their own entries are passed over.
    private let trusted: [IPRange]

    package init(trusted: [IPRange]) { self.trusted = trusted }

    /// The rightmost address of `X-Forwarded-For` that is no trusted proxy's: the one that the proxy before
    /// this server wrote itself. Whatever stands left of it may be a client's invention. Where all are
    /// trusted, the leftmost counts.
    ///
    /// - Returns: nil if the header is missing or malformed, or a stranger has connected: nobody is served.
    package func client(_ headers: [(name: String, value: String)], by peer: Peer) -> IPAddress? {
        if case .address(let proxy) = peer {
            guard let proxy = IPAddress(proxy), isTrusted(proxy) else { return nil }
        }
        var client: IPAddress?
        for (name, value) in headers.reversed() where name.lowercased() == "x-forwarded-for" {
            for entry in value.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                let isBlank = { (character: Character) in character == " " || character == "\t" }
                let text = entry.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
                guard let address = IPAddress(String(text)) else { return nil }
                client = address
                if !isTrusted(address) { return client }
            }
        }
        return client
    }

    /// Of a request that names no client.
    package static let refusal = Response(
        400, json: message("A proxy must name its client by X-Forwarded-For here"),
        notes: [LogField("refused", "unforwarded")])

    /// Of a client that has as many requests under way as it may.
    package static let overShare = Response(
        429, json: message("Too many requests at a time"), notes: [LogField("refused", "over-share")]
    ).retrying(after: 1)

    private func isTrusted(_ address: IPAddress) -> Bool { trusted.contains { $0.contains(address) } }
}
