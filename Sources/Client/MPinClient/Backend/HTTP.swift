// SPDX-License-Identifier: Apache-2.0
// HTTP as the client needs it, for apps with an implementation of their own.

/// One HTTP request of the client.
public struct HTTPRequest: Equatable, Sendable {
    /// The methods that the client uses.
    public enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
    }

    /// The method; with `get` there is no body.
    public let method: Method
    /// The absolute URL with its query; every value in it is percent-encoded.
    public let url: String
    /// The absolute path of the Unix socket to connect to in place of the URL's host; nil for a connection by
    /// TCP.
    public let socket: String?
    /// The headers to send: values by name.
    public let headers: [String: String]
    /// JSON in UTF-8; empty with `GET`.
    public let body: [UInt8]
    /// How long the whole exchange may take, in seconds.
    public let timeout: Int
}

/// An HTTP answer, whatever its status.
public struct HTTPResponse: Equatable, Sendable {
    /// The HTTP status, 200 for example.
    public let status: Int
    /// The headers: values by name. The client ignores the case of names.
    public let headers: [String: String]
    /// The octets of the body; JSON in UTF-8 from mpind and Milagro's servers.
    public let body: [UInt8]

    /// Makes an answer, for an app's own ``HTTP``.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A request was not carried out, or no answer came. The client's call throws ``Status/networkError``.
public struct HTTPFailure: Error, Equatable, Sendable {
    /// A sentence for the log.
    public let message: String

    /// Makes a failure with a sentence that says what went wrong, without secrets.
    public init(_ message: String) { self.message = message }
}

/// Carries requests out, one at a time. ``CurlHTTP`` is the default implementation.
///
/// An implementation must not follow redirects, and must not send a request twice: a proof counts as a try.
public protocol HTTP {
    /// Blocks until the answer has arrived or cannot arrive.
    ///
    /// An answer with a status other than 200 is returned, not thrown.
    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse
}
