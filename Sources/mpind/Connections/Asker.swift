// SPDX-License-Identifier: Apache-2.0
// The party that a request belongs to: the connection's peer, or the client that a proxy names.
import MPinServer
import MPinWire

/// The party whose share of the server a request uses, and under which it is logged and counted.
struct Asker: Sendable {
    let peer: Peer
    let source: Source
    let isPrivileged: Bool
}

extension Guest {
    var asker: Asker { Asker(peer: visitor.peer, source: visitor.source, isPrivileged: isPrivileged) }

    /// Behind a proxy, the client that it names; nil if it names none, and the request is refused.
    func asker(
        _ headers: [(name: String, value: String)], _ forwarding: Forwarding?
    ) -> Asker? {
        guard let forwarding else { return asker }
        guard let client = forwarding.client(headers, by: visitor.peer),
            let source = Source(address: client.octets)
        else { return nil }
        return Asker(peer: .address(client.text), source: source, isPrivileged: false)
    }
}
