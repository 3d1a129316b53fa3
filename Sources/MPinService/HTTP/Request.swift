// SPDX-License-Identifier: Apache-2.0
// A request as the handlers see it, independent of the HTTP library.
package import MPinStorage
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
        case .address(let address): sourceNetwork(of: address)
        }
    }

    /// The origin under which wrong tries of a device or a Milagro client are counted and given back.
    package var origin: TryOrigin {
        switch self {
        case .local: TryOrigin(source, learns: true)
        case .address(let address): TryOrigin(tryNetwork(of: address), learns: true)
        }
    }

    /// The network that neighbouring sources share: the /24 of an IPv4 address, the /48 of an IPv6 address,
    /// and `local` for people's accounts, because one person can have many uids (user namespaces). System
    /// accounts, such as root and the relay's, stand for themselves.
    package var network: String {
        switch self {
        case .local(let user, _): user < people.range.lowerBound ? source : "local"
        case .address: sharedNetwork(of: source)
        }
    }
}

/// The uids of this machine's people.
private let people = PersonalUIDs(loginDefs: ((try? contentsOfSettings("/etc/login.defs")) ?? nil) ?? [])

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

/// The head and the whole body of one request.
package struct Request: Sendable {
    /// The longest body that is accepted, in octets.
    package static let bodyLimit = 65_536

    package let method: String
    /// The path's components, percent-decoded; nil for a malformed path.
    package let path: [String]?
    package let query: [String: String]
    package let host: String?
    package let origin: String?
    package let contentType: String?
    /// The attempt id from `MPin-Attempt`, 16 hex digits in lower case; empty without a valid one.
    package let attempt: String
    /// The client id of an application, from `X-MIRACL-Client-ID`.
    package let clientID: String?
    package let peer: Peer
    /// All headers, some of which an external RPA may want to see.
    package let headers: [(name: String, value: String)]
    package var body: [UInt8]

    /// `target` is the request target in origin form, `/path?query`.
    package init(
        method: String, target: String, host: String?, origin: String? = nil, contentType: String? = nil,
        attempt: String? = nil, peer: Peer, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        self.path = components(ofPath: parts.first ?? "")
        self.query = parts.count == 2 ? parameters(ofQuery: parts[1]) : [:]
        self.host = host?.lowercased()
        self.origin = origin?.lowercased()
        self.contentType = contentType?.lowercased()
        self.attempt = attempt.flatMap(attemptID) ?? ""
        let named = headers.first { $0.name.lowercased() == HeaderName.clientID.lowercased() }
        self.clientID = named?.value
        self.peer = peer
        self.headers = headers
        self.body = body
    }
}

private func attemptID(_ text: String) -> String? {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ nibble($0) != nil }) else { return nil }
    return text.lowercased()
}

private func components(ofPath path: Substring) -> [String]? {
    guard path.utf8.first == 0x2f else { return nil }
    var components: [String] = []
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
        guard let component = percentDecoded(part, plusIsSpace: false) else { return nil }
        components.append(component)
    }
    return components
}

/// The first value of each name; pairs that are not form-encoded UTF-8 are left out.
private func parameters(ofQuery query: Substring) -> [String: String] {
    var parameters: [String: String] = [:]
    for pair in query.split(separator: "&") {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = percentDecoded(sides[0], plusIsSpace: true),
            let value = percentDecoded(sides.count == 2 ? sides[1] : "", plusIsSpace: true),
            parameters[name] == nil
        else { continue }
        parameters[name] = value
    }
    return parameters
}
