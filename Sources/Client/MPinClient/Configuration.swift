// SPDX-License-Identifier: Apache-2.0
// The configuration of a client.

/// The configuration of a ``Client``.
public struct Configuration: Sendable {
    /// The address of the backend: an `https` URL, an `http` URL of a literal loopback address, or `unix:`
    /// and the absolute path of a socket; nil to set it later.
    public var backend: String?
    /// The path between the address of the backend and the paths of its RPS.
    public var rpsPrefix: String
    /// Headers that are sent with every request, values by name. They replace the client's own headers of the
    /// same name.
    public var headers: [String: String]
    /// The servers, besides the backend, that the client may contact. Each is a domain, which includes its
    /// subdomains and is contacted only by https; an origin, such as `https://dta.example.org:8443`; or
    /// `unix:` and the absolute path of a socket.
    ///
    /// If the list is empty, only the backend's own origin is trusted, whatever the backend is. Otherwise the
    /// backend must be in the list too: then the address of a QR code cannot lead to any other server.
    public var trustedDomains: [String]
    /// How long one request may take, in seconds; at least 1. The answer to a login to a browser may take ten
    /// seconds.
    public var timeout: Int

    /// Makes settings; the defaults suit mpind.
    public init(
        backend: String? = nil, rpsPrefix: String = "rps", headers: [String: String] = [:],
        trustedDomains: [String] = [], timeout: Int = 30
    ) {
        self.backend = backend
        self.rpsPrefix = rpsPrefix
        self.headers = headers
        self.trustedDomains = trustedDomains
        self.timeout = timeout
    }
}
