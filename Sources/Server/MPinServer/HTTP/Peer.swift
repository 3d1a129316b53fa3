// SPDX-License-Identifier: Apache-2.0
// Who sends a request: the other end of the connection.
import Glibc
import MPinWire
import Octets

/// The other end of the connection.
package enum Peer: Equatable, Sendable {
    /// A Unix socket: the caller's effective uid and its process id, from the kernel (SO_PEERCRED).
    case local(user: UInt32, process: Int32)
    /// TCP: a numeric address.
    case address(String)

    /// The name under which tries are counted and logged: `local:` and the uid, an IPv4 address, or the /64
    /// of an IPv6 address.
    package var source: String {
        switch self {
        case .local(let user, _): "local:\(user)"
        case .address(let address): countedSource(address, for: .client)
        }
    }

    /// The origin under which wrong tries of a device or a Milagro client are counted and given back.
    package var origin: TryOrigin {
        switch self {
        case .local: TryOrigin(source, learns: true)
        case .address(let address): TryOrigin(countedSource(address, for: .tries), learns: true)
        }
    }

    /// The network that neighbouring sources share: the /24 of an IPv4 address, the /48 of an IPv6 address,
    /// and `local` for people's accounts, because one person can have many uids (user namespaces). System
    /// accounts, such as root and the relay's, stand for themselves.
    package var network: String {
        switch self {
        case .local(let user, _): user < people.range.lowerBound ? source : "local"
        case .address: countedSource(source, for: .network)
        }
    }
}

/// The uids of this machine's people.
private let people = PersonalUIDs(
    loginDefs: (try? TrustedFile(
        ascii("/etc/login.defs"), followsLink: true, owner: geteuid(), forbidden: 0o022
    ).contents(atMost: 65_536)) ?? [])

extension Requester {
    /// Requests of strangers count against their source and network. A device with a right tag has its own
    /// count, wherever it is, which strangers cannot use up.
    init(_ peer: Peer, device id: IdentityHash? = nil) {
        if let id {
            self.init(source: "device:" + hexText(id), network: "device:" + hexText(id))
        } else {
            self.init(source: peer.source, network: peer.network)
        }
    }
}
