// SPDX-License-Identifier: Apache-2.0
// HTTP as the client needs it, for apps that bring their own.

/// One request.
public struct HTTPRequest: Equatable, Sendable {
    /// The methods that the client uses.
    public enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
    }

    /// With `get` there is no body.
    public let method: Method
    /// Whole, with its query; every value in it is escaped.
    public let url: String
    /// The absolute path of the Unix socket to connect to in place of the URL's host; nil for a connection by
    /// TCP.
    public let socket: String?
    /// Values by the names of the headers; all of them are to be sent.
    public let headers: [String: String]
    /// JSON in UTF-8; empty with `GET`.
    public let body: [UInt8]
    /// In seconds, for the whole exchange.
    public let timeout: Int
}

/// An answer, whatever its status.
public struct HTTPResponse: Equatable, Sendable {
    /// Of HTTP, 200 for example.
    public let status: Int
    /// Values by the names of the headers.
    public let headers: [String: String]
    /// The octets behind the headers; JSON in UTF-8 from a server of ours.
    public let body: [UInt8]

    /// An answer as an app's own ``HTTP`` gives it back.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The request was not carried out, or no answer came. The call throws ``Status/networkError``.
public struct HTTPFailure: Error, Equatable, Sendable {
    /// A sentence for the log.
    public let message: String

    /// A failure with a sentence that says what went wrong; it holds no secret.
    public init(_ message: String) { self.message = message }
}

/// Carries requests out, one at a time. It must not follow redirects, and must not send a request twice: a
/// proof counts as a try. ``CurlHTTP`` is one.
public protocol HTTP {
    /// Blocks until the answer is there or cannot come. An answer that is not 200 is an answer, not a
    /// failure.
    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse
}
