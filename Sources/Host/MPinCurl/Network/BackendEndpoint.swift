// SPDX-License-Identifier: Apache-2.0
// Where requests may be sent: the backends of `hello`, and the other origins that their settings may name.

/// A backend, or another origin that a backend's settings may name.
struct BackendEndpoint: Equatable, Sendable {
    /// The origin; for a Unix socket it only gives the `Host` header.
    let origin: Origin
    /// The Unix socket to connect to; nil for TCP.
    let socket: UnixSocket?
    /// The prefix of every path, without a slash at its end.
    let prefix: String

    /// `unix:PATH`, an https URL, or an http URL of a literal loopback address; nil for anything else.
    init?(backend text: String, caller: UInt32) {
        if text.hasPrefix("unix:") {
            guard let socket = UnixSocket(path: String(text.dropFirst(5)), caller: caller) else { return nil }
            self.socket = socket
            self.origin = Origin(isHTTPS: false, host: "localhost", port: 80)
            self.prefix = ""
        } else {
            guard let (origin, path) = Origin.split(text), origin.isAllowed, !path.contains("?") else {
                return nil
            }
            self.socket = nil
            self.origin = origin
            self.prefix = path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }

    /// An origin without a path, under the same rule.
    init?(alsoOrigin text: String) {
        guard let (origin, path) = Origin.split(text), origin.isAllowed, path.isEmpty || path == "/" else {
            return nil
        }
        self.init(origin)
    }

    private init(_ origin: Origin) {
        self.origin = origin
        self.socket = nil
        self.prefix = ""
    }

    /// Whether nobody can read the requests in transit: https, or a Unix socket.
    var isProtected: Bool { socket != nil || origin.isHTTPS }

    /// An address that clientSettings named: a path of this backend, or a URL of its origin or of one of
    /// `also`.
    func address(_ text: String, also: [BackendEndpoint]) -> Address? {
        if isPath(text) { return Address(place: self, path: prefix + text) }
        guard let (origin, path) = Origin.split(text) else { return nil }
        let ours = socket == nil && origin == self.origin ? self : nil
        guard let place = ours ?? also.first(where: { $0.origin == origin }) else { return nil }
        return Address(place: place, path: path)
    }

    /// A fixed path of the protocol at this backend.
    func address(route: String) -> Address { Address(place: self, path: prefix + route) }
}

/// An endpoint, and a path there with its query.
struct Address: Equatable, Sendable {
    let place: BackendEndpoint
    let path: String

    var url: String { place.origin.text + path }

    func appending(_ text: String) -> Address { Address(place: place, path: path + text) }

    /// The address with a slash at its end.
    var asFolder: Address { path.hasSuffix("/") ? self : appending("/") }
}
