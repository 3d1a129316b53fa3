// SPDX-License-Identifier: Apache-2.0
// Whose share of the server a connection or a request uses.
package import MPinWire

/// The client whose share of the server a connection or a request uses, and under which it is logged.
package struct ServedClient: Sendable {
    package let peer: Peer
    package let source: Source
    /// The network of the source, which has a share of its own.
    package let network: Source
    /// Whether it has a reserve of its own: root, the user that the server runs as, and the relays' user.
    package let isPrivileged: Bool

    /// The caller of a Unix socket.
    package init(user: UInt32, process: Int32 = 0, isPrivileged: Bool = false) {
        self.init(.local(user: user, process: process), .user(user), isPrivileged: isPrivileged)
    }

    /// The client at an address.
    package init(_ address: IPAddress) {
        self.init(.address(address.text), Source(address), isPrivileged: false)
    }

    private init(_ peer: Peer, _ source: Source, isPrivileged: Bool) {
        (self.peer, self.source, self.isPrivileged) = (peer, source, isPrivileged)
        network = source.cut(for: .connections)
    }
}
