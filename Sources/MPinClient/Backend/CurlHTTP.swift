// SPDX-License-Identifier: Apache-2.0
// HTTP by libcurl, the client's default.
import MPinCurl

/// Carries requests out by libcurl, over connections that it keeps: `https` with TLS 1.2 or newer and the
/// certificates of the system or of a file, Unix sockets whose folder nobody else can write and whose other
/// end is root, `_mpind` or oneself, and `http` to a literal loopback address. It follows no redirect, asks
/// no proxy and takes 1 MiB at most.
public final class CurlHTTP: HTTP {
    private let authorities: String
    private var web: Web?

    /// - Parameter authorities: the absolute path of certificates in PEM that a server's must lead to; nil
    ///   for the system's. They are read at the first request.
    public init(authorities: String? = nil) { self.authorities = authorities ?? "" }

    /// Carries the request out with libcurl; it blocks for `timeout` seconds at most.
    public func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        guard let method = WebMethod(rawValue: request.method.rawValue) else {
            throw HTTPFailure("no such method")
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
