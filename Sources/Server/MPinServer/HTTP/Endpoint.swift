// SPDX-License-Identifier: Apache-2.0
// One route of a listener, and the answers to errors that a handler throws.
import MPinDatabase
import MPinWire

/// A route: a method, a path, what may follow the path, and the handler. Each listener has a table of routes.
struct Endpoint<Server: Sendable>: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
    }

    /// Whether one more component may follow the path.
    enum Tail: Sendable {
        case nothing, something
        /// The component is optional.
        case either
    }

    /// A handler; `tail` is the component that follows the path, or nil.
    typealias Handler = @Sendable (Server, Request, _ tail: String?) async throws -> Response

    let method: Method
    /// The components of the path.
    let components: [String]
    /// Whether it does what it is for only if the request shows what strangers do not have
    /// (`Response.isProven`).
    let needsProof: Bool
    /// If this returns false, the path is answered like an unknown one.
    let isOffered: @Sendable (Server) -> Bool
    let answer: Handler
    private let tail: Tail

    init(
        _ method: Method, _ path: String, tail: Tail, needsProof: Bool = false,
        isOffered: @escaping @Sendable (Server) -> Bool = { _ in true }, answer: @escaping Handler
    ) {
        (self.method, self.tail, self.needsProof) = (method, tail, needsProof)
        (self.isOffered, self.answer) = (isOffered, answer)
        components = path.split(separator: "/").map(String.init)
    }

    /// The route at a path, which is given by its components, and the component that follows it.
    static func find(
        _ path: [String], in table: [Endpoint<Server>]
    ) -> (endpoint: Endpoint<Server>, tail: String?)? {
        for endpoint in table {
            let own = endpoint.components
            if path == own, endpoint.tail != .something { return (endpoint, nil) }
            if path.count == own.count + 1, path.starts(with: own), endpoint.tail != .nothing {
                return (endpoint, path[own.count])
            }
        }
        return nil
    }
}

extension Endpoint {
    /// A route whose path nothing follows.
    init(
        _ method: Method, _ path: String, needsProof: Bool = false,
        isOffered: @escaping @Sendable (Server) -> Bool = { _ in true },
        answer: @escaping @Sendable (Server, Request) async throws -> Response
    ) {
        self.init(method, path, tail: .nothing, needsProof: needsProof, isOffered: isOffered) {
            server, request, _ in
            try await answer(server, request)
        }
    }
}

/// Turns an error that a handler throws into an answer, with the reason as a note for the log.
func guarded(_ body: () async throws -> Response) async -> Response {
    do {
        return try await body()
    } catch let refusal as Refusal {
        return refusal.response
    } catch let error as StorageError {
        return unavailable(error)
    } catch AuthorityError.book(let error) {
        return unavailable(error)
    } catch let error as AuthorityError {
        return unavailable("authority \(error)")
    } catch {
        return Response(500, json: message("Internal Server Error"), notes: [LogField("error", "\(error)")])
    }
}

/// Nothing was done, so the client may repeat its request, unless the outcome is unknown.
private func unavailable(_ error: StorageError) -> Response {
    guard error == .unknownOutcome else { return unavailable("storage \(error)") }
    return Response(
        503, json: message("The server does not know whether this was done; look before you repeat it"),
        notes: [LogField("error", "storage \(error)")])
}

private func unavailable(_ why: String) -> Response {
    Response(503, json: message("Service Unavailable"), notes: [LogField("error", why)]).retrying(after: 1)
}
