// SPDX-License-Identifier: Apache-2.0
// Checks Host, Origin and body of a request before any handler of the public listener sees it (T 19).
import MPinDatabase
import MPinWire

/// Refuses foreign web pages and rebound names: a request must name this server as its host, come from a
/// listed origin or from no web page at all, and have a JSON body or none.
package struct RequestPolicy: Sendable {
    /// The Host header of clients on a Unix socket.
    static let localName = "localhost"

    /// Host headers of TCP listeners, in lower case, with the port unless it is the default one.
    private let names: Set<String>
    private let origins: Set<String>

    /// `names` as Host shows them (`login.example.org`, `127.0.0.1:8011`), `origins` as Origin does.
    init(names: [String], origins: [String]) {
        self.names = Set(names.map { $0.lowercased() })
        self.origins = Set(origins.map { $0.lowercased() })
    }

    /// The host of a request, of the values of all its headers Host: nil unless there is exactly one, and it
    /// has the form of a name or an address with an optional port (RFC 9112, section 3.2).
    package static func host(_ values: [String]) -> String? {
        guard values.count == 1, let host = values.first,
            let authority = URLAuthority(prefixOf: [UInt8](host.utf8)), authority.rest.isEmpty
        else { return nil }
        return host
    }

    /// The answer to a request without exactly one valid host.
    package static let noHost = Response(400, json: message("Not exactly one valid Host header"))

    /// The refusal of a request's head, before the body is read: 400 no host, 421 wrong host, 403 foreign
    /// origin; nil lets it pass.
    package func refusal(of request: Request) -> Response? {
        guard let host = request.host else { return RequestPolicy.noHost }
        guard isOurs(host, request.peer) else {
            return Response(421, json: message("This server does not go by that name"))
        }
        if let origin = request.origin, !origins.contains(origin) {
            return Response(403, json: message("Origin not allowed"))
        }
        return nil
    }

    /// The refusal of a body: 413 too long, 415 not JSON.
    package func refusal(ofBody request: Request) -> Response? {
        guard request.body.count <= Request.bodyLimit else { return RequestPolicy.tooLong }
        guard request.body.isEmpty || isJSON(request.contentType) else {
            return Response(415, json: message("The body must be application/json"))
        }
        return nil
    }

    package static let tooLong = Response(413, json: message("Request too long"))

    /// The headers that let a page of a listed origin read the answer; never with credentials, never `*`.
    package func headers(for request: Request) -> [(name: String, value: String)] {
        guard let origin = request.origin, origins.contains(origin) else { return [] }
        return [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Methods", "GET,PUT,POST,OPTIONS"),
            (
                "Access-Control-Allow-Headers",
                "Content-Type, \(HeaderName.attempt), \(HeaderName.clientID)"
            ), ("Vary", "Origin"),
        ]
    }

    private func isOurs(_ host: String, _ peer: Peer) -> Bool {
        switch peer {
        case .local: host == RequestPolicy.localName || names.contains(host)
        case .address: names.contains(host)
        }
    }

    private func isJSON(_ contentType: String?) -> Bool {
        guard let type = contentType?.split(separator: ";", maxSplits: 1).first else { return false }
        return type.filter { $0 != " " } == "application/json"
    }
}
