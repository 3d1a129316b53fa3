// SPDX-License-Identifier: Apache-2.0
// A browser beside the device: the requests of Milagro's PIN pad, and of an application's own server.
import Dispatch
import FoundationEssentials
import MPinCurl
import MPinWire

/// A session that a browser has opened at the server.
final class Browser {
    let opened: SessionResponse
    private let line: Line

    /// - Parameter route: the route for a number or for a QR code.
    init(_ place: FlowServer, by route: String, expecting user: String? = nil) throws {
        line = try Line(place)
        opened = try line.read(
            SessionResponse.self, line.post(route, BrowserSessionRequest(prerollID: user)))
    }

    /// The same session with another connection, for use by another thread.
    init(_ opened: SessionResponse, _ line: Line) { (self.opened, self.line) = (opened, line) }

    /// The wid, from the QR code's address.
    var wid: String { opened.qrUrl?.split(separator: "#").last.map { String($0) } ?? "" }

    func poll() throws -> AccessResponse {
        try line.read(
            AccessResponse.self, line.post(Route.access, AccessRequest(webOTT: opened.webOTT)))
    }

    /// Polls for ten seconds until a device has approved, and redeems the login at `url`; the status, or 0.
    func logIn(at url: String = Route.authenticate) throws -> Int {
        for _ in 0..<100 {
            let said = try poll()
            if said.status == "authenticate" {
                let ticket = PassTwoResponse(authOTT: said.authOTT)
                return try line.post(url, AuthenticateRequest(mpinResponse: ticket)).status
            }
            DispatchSemaphore(value: 0).waits(milliseconds: 100)
        }
        return 0
    }
}

/// A connection for requests that no device makes.
struct Line {
    private let web: Web
    private let backend: String

    init(_ place: FlowServer) throws { try self.init(place.backend, authorities: place.authorities) }

    init(_ backend: String, authorities: String?) throws {
        web = try Web(authorities: authorities ?? "")
        self.backend = backend
    }

    /// - Parameter url: a path of the server, or an absolute URL.
    func post(
        _ url: String, _ message: some Encodable, headers: [String: String] = [:]
    ) throws -> WebAnswer {
        var headers = headers
        headers["Content-Type"] = "application/json"
        return try web.send(
            .post, url.hasPrefix("/") ? backend + url : url, socket: nil, headers: headers,
            body: [UInt8](JSONEncoder().encode(message)), seconds: 15)
    }

    func read<T: Decodable>(_ type: T.Type, _ answer: WebAnswer) throws -> T {
        guard answer.status == 200 else { throw Missing(what: "200, but \(answer.status)") }
        return try JSONDecoder().decode(type, from: Data(answer.body))
    }
}

extension DispatchSemaphore {
    func waits(milliseconds: Int) { _ = wait(timeout: .now() + .milliseconds(milliseconds)) }
}
