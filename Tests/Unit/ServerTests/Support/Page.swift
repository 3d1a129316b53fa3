// SPDX-License-Identifier: Apache-2.0
// A page in a browser that waits for a login, and the Milagro device that approves it.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import Testing

/// A browser's session as its page sees it.
struct Page: Sendable {
    let session: SessionResponse
    let peer: Peer

    static func open(
        _ server: Server, _ route: String = Route.getAccessNumber,
        peer: Peer = .address("198.51.100.7")
    ) async throws -> Page {
        Page(
            session: try read(SessionResponse.self, await server.send("POST", route, peer: peer)), peer: peer)
    }

    /// The value that a device sends as WID: the access number, or the fragment of the QR code's address.
    var wid: String {
        session.accessNumber ?? String((session.qrUrl ?? "").drop { $0 != "#" }.dropFirst())
    }

    func poll(_ server: Server) async throws -> AccessResponse {
        try read(
            AccessResponse.self,
            await server.send("POST", Route.access, AccessRequest(webOTT: session.webOTT), peer: peer))
    }

    /// Redeems the authOTT that a poll brought, as the page's script does.
    func redeem(_ server: Server, _ authOTT: String) async throws -> Response {
        try await server.send(
            "POST", Route.authenticate,
            AuthenticateRequest(mpinResponse: PassTwoResponse(authOTT: authOTT)), peer: peer)
    }

    /// Polls until a device has approved.
    @discardableResult func approved(_ server: Server) async throws -> AccessResponse {
        for _ in 0..<12_000 {
            let said = try await poll(server)
            if said.status == "authenticate" { return said }
            try await Task.sleep(for: .milliseconds(5))
        }
        return try #require(nil, "no device has approved")
    }

    /// Polls until a device has approved, and redeems.
    func logIn(_ server: Server) async throws -> (userID: String, status: Int) {
        let said = try await approved(server)
        return (said.userId, try await redeem(server, said.authOTT).status)
    }
}

extension Enrolled {
    /// Does all that a Milagro device does for a session, including the wait for the browser.
    func approve(
        _ server: Server, _ wid: String, pin: String = "1234", peer: Peer = Server.address
    ) async throws -> Response {
        try await redeem(
            server, try await prove(server, pin: pin, wid: wid, peer: peer), peer: peer)
    }
}

extension Server {
    /// A server that serves Milagro's clients.
    static func compatible(
        _ compatibility: Compatibility = Compatibility(), outgoing: @escaping Outgoing = { _ in nil }
    ) throws -> Server {
        try Server(compatibility: compatibility, outgoing: outgoing)
    }

    func milagroDevice(_ userID: String) async throws -> Enrolled {
        try await House.device(self, userID, bound: false)
    }

    func audited() async throws -> [String] {
        try await storage.auditRecords(AuditQuery(), limit: 9).map { record in
            record.event.kind
                + record.event.fields.filter { $0.name == "verdict" }.map { " " + $0.value }
                .joined()
        }
    }
}
