// SPDX-License-Identifier: Apache-2.0
// What a client is told when it is made.

/// The configuration of a ``Client``.
public struct Settings: Sendable {
    /// An `https` URL, an `http` URL of a literal loopback address, or `unix:` and the absolute path of a
    /// socket; nil to set it later.
    public var backend: String?
    /// What stands between the backend and the paths of its RPS.
    public var rpsPrefix: String
    /// Sent with every request. They win over the client's own headers of the same name.
    public var headers: [String: String]
    /// Where the client may be sent beside its backend: a domain, which covers its subdomains and is reached
    /// by https alone, or an origin such as `https://dta.example.org:8443`.
    ///
    /// Without any, only the backend's own origin is trusted, whatever backend that is. With some, the
    /// backend must be among them too: an address from a QR code is then worth no more than this list allows.
    public var trustedDomains: [String]
    /// How long one request may take, in seconds. A login to a browser is answered after up to ten.
    public var timeout: Int

    /// Settings of a client; what is not given has the value that suits an mpind.
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
