// SPDX-License-Identifier: Apache-2.0
// One route of a listener as its table has it, and what becomes of a handler's error.
import MPinStorage
import MPinWire

/// A method, a path, what may stand behind that, and who answers. Each listener has one table of these.
struct Endpoint<Server: Sendable>: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
    }

    /// What may stand behind a path, as one more component.
    enum Tail: Sendable {
        case nothing, something
        /// It may be absent.
        case either
    }

    /// `tail` is what stands behind the path; nil: nothing does.
    typealias Handler = @Sendable (Server, Request, _ tail: String?) async throws -> Response

    let method: Method
    let path: String
    /// Of the path.
    let components: [String]
    /// Where it is not offered, it is as if it were not there.
    let isOffered: @Sendable (Server) -> Bool
    let answer: Handler
    private let tail: Tail

    init(
        _ method: Method, _ path: String, tail: Tail,
        isOffered: @escaping @Sendable (Server) -> Bool = { _ in true }, answer: @escaping Handler
    ) {
        (self.method, self.path, self.tail) = (method, path, tail)
        (self.isOffered, self.answer) = (isOffered, answer)
        components = path.split(separator: "/").map(String.init)
    }

    /// The one at a path, which is given by its components, with what stands behind that.
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
    /// One whose path nothing follows.
    init(
        _ method: Method, _ path: String, isOffered: @escaping @Sendable (Server) -> Bool = { _ in true },
        answer: @escaping @Sendable (Server, Request) async throws -> Response
    ) {
        self.init(method, path, tail: .nothing, isOffered: isOffered) { server, request, _ in
            try await answer(server, request)
        }
    }

    /// One whose path the hexadecimal text of an mpinId follows. What is no such text is no path of ours.
    init(
        _ method: Method, _ path: String,
        ofMPinID answer: @escaping @Sendable (Server, Request, _ mpinID: [UInt8]) async throws -> Response
    ) {
        self.init(method, path, tail: .something) { server, request, tail in
            guard let mpinID = tail.flatMap(octets), !mpinID.isEmpty else { return Information.notFound() }
            return try await answer(server, request, mpinID)
        }
    }
}

/// Whatever a handler could not do becomes an answer, and the reason a note for the log.
func guarded(_ body: () async throws -> Response) async -> Response {
    do {
        return try await body()
    } catch let refusal as Refusal {
        return refusal.response
    } catch let error as StorageError {
        return unavailable("storage \(error)")
    } catch AuthorityError.book(let error) {
        return unavailable("storage \(error)")
    } catch let error as AuthorityError {
        return unavailable("authority \(error)")
    } catch {
        return Response(500, json: message("Internal Server Error"), notes: [LogField("error", "\(error)")])
    }
}

private func unavailable(_ why: String) -> Response {
    Response(503, json: message("Service Unavailable"), notes: [LogField("error", why)]).retrying(after: 1)
}
