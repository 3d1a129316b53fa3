// SPDX-License-Identifier: Apache-2.0
// Requests to any address, one after the other, for the client library.
import CPlatform
package import MPinWire

/// The methods of HTTP that the client library uses.
package enum WebMethod: String, Sendable {
    case get = "GET"
    case put = "PUT"
    case post = "POST"
}

/// An answer, whatever its HTTP status.
package struct WebAnswer: Sendable {
    package let status: Int
    package let headers: [String: String]
    package let body: [UInt8]
}

/// No answer came; `message` says why.
package struct WebError: Error {
    package let message: String
    /// Why the other end was not trusted; nil if that was not the reason.
    package let distrust: Distrust?

    fileprivate init(message: String, status: UInt16 = 0) {
        self.message = message
        distrust = Distrust(status: status)
    }
}

/// Unlike the relay's handle, this one resolves names itself, and repeats no request when a server asks for
/// that.
package final class Web {
    private static let connectMilliseconds = 10_000
    private let curl: Curl

    /// - Parameter authorities: a file with the certificates of the CAs to trust, in PEM; empty for the
    ///   system's. If the system's cannot be read, every https server is refused.
    package init(authorities file: String) throws(WebError) {
        do throws(CallFailure) {
            let certificates = try Web.certificates(file)
            curl = try Curl(
                addresses: [], authorities: certificates, connectMilliseconds: Web.connectMilliseconds)
        } catch {
            throw WebError(message: "libcurl cannot start, or the certificates cannot be read")
        }
    }

    /// - Parameters:
    ///   - certificates: the certificates of the CAs to trust, in PEM.
    ///   - proxy: `http://HOST:PORT`, the proxy for https servers; nil for none.
    package init(certificates: [UInt8], proxy: String? = nil) throws(WebError) {
        do throws(CallFailure) {
            curl = try Curl(
                addresses: [], authorities: certificates, connectMilliseconds: Web.connectMilliseconds,
                proxy: proxy)
        } catch {
            throw WebError(message: "libcurl cannot start")
        }
    }

    /// The certificates in PEM of a file, or of the system's store if the name is empty; nil if they cannot
    /// be read, or if others than root and the caller can write them.
    package static func authorities(_ file: String) -> [UInt8]? {
        try? MPinCurl.authorities(file: file, caller: geteuid())
    }

    private static func certificates(_ file: String) throws(CallFailure) -> [UInt8] {
        guard file.isEmpty else { return try MPinCurl.authorities(file: file, caller: geteuid()) }
        do { return try MPinCurl.authorities(file: "", caller: geteuid()) } catch { return [] }
    }

    /// Sends one request and waits for the answer, for `seconds` at most.
    ///
    /// - Parameter socket: the Unix socket to connect to; nil for the URL's host.
    package func send(
        _ method: WebMethod, _ url: String, socket: String?, headers: [String: String], body: [UInt8],
        seconds: Int
    ) throws(WebError) -> WebAnswer {
        guard let address = Web.address(url, socket) else {
            throw WebError(message: "this address cannot be used: \(url.prefix { $0 != "?" })")
        }
        let request = BackendRequest(
            method: BackendMethod(method), address: address, body: body, mayRepeat: method == .get)
        let lines = ["Expect:"] + headers.map { "\($0.key): \($0.value)" }
        let (milliseconds, tooLong) = seconds.multipliedReportingOverflow(by: 1000)
        let response = curl.perform(
            request, headers: lines,
            within: Limit(milliseconds: tooLong ? Int(Int32.max) : max(1, milliseconds)))
        guard (100...599).contains(response.status) else {
            let place = url.prefix { $0 != "?" }
            throw WebError(
                message: "\(place): \(Web.reason(response.status))", status: response.status)
        }
        return WebAnswer(status: Int(response.status), headers: curl.answeredHeaders(), body: response.body)
    }

    private static func address(_ url: String, _ socket: String?) -> Address? {
        guard let (origin, path) = Origin.split(url) else { return nil }
        let place =
            socket.map { BackendEndpoint(backend: "unix:" + $0, caller: geteuid()) }
            ?? BackendEndpoint(alsoOrigin: origin.text)
        return place.map { Address(place: $0, path: path.isEmpty ? "/" : path) }
    }

    private static func reason(_ status: UInt16) -> String {
        if let reason = Distrust(status: status) { return "the server cannot be trusted: \(reason.fault)" }
        if let said = RelayResponse.proxysWord(status) { return "the proxy refused (HTTP \(said))" }
        return switch status {
        case RelayResponse.unreachable: "no server can be reached there"
        case RelayResponse.machineFailed: "this machine lacks memory, processes or descriptors"
        case RelayResponse.timedOut: "no answer came in time"
        case RelayResponse.noCertificates: "the certificates of the CAs to trust cannot be read"
        default: "the answer is not valid"
        }
    }
}

extension BackendMethod {
    fileprivate init(_ method: WebMethod) {
        switch method {
        case .get: self = .get
        case .put: self = .put
        case .post: self = .post
        }
    }
}
