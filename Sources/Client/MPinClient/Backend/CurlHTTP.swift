// SPDX-License-Identifier: Apache-2.0
// HTTP with libcurl, the client's default.
import MPinCurl

/// Carries requests out with libcurl, over connections that it keeps.
///
/// It accepts `https` with TLS 1.2 or newer, `http` to a literal loopback address, and Unix sockets. A
/// server's certificate must lead to one of the system or of a file. The folder of a socket must be writable
/// by nobody but root and the caller, and the process at its other end must belong to root, `_mpind` or the
/// caller. Redirects are not followed, no proxy is used, and an answer may have at most 1 MiB.
public final class CurlHTTP: HTTP {
    private let authorities: String
    private var web: Web?

    /// Makes an HTTP client; nothing is read or sent before the first request.
    ///
    /// - Parameter authorities: the absolute path of a file with the certificates of the CAs to trust, in
    ///   PEM; nil for the system's. Only root and the caller may be able to write the file.
    public init(authorities: String? = nil) { self.authorities = authorities ?? "" }

    /// Carries the request out; blocks for ``HTTPRequest/timeout`` seconds at most.
    ///
    /// Throws if no answer came, the server is not trusted, the address is not allowed, or the certificates
    /// of `authorities` cannot be read.
    public func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        guard let method = WebMethod(rawValue: request.method.rawValue) else {
            throw HTTPFailure("this method is not supported")
        }
        let answer: WebAnswer
        do throws(WebError) {
            answer = try opened().send(
                method, request.url, socket: request.socket, headers: request.headers, body: request.body,
                seconds: request.timeout)
        } catch { throw HTTPFailure(error.message) }
        return HTTPResponse(status: answer.status, headers: answer.headers, body: answer.body)
    }

    private func opened() throws(WebError) -> Web {
        if let web { return web }
        let new = try Web(authorities: authorities)
        web = new
        return new
    }
}
