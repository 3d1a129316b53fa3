// SPDX-License-Identifier: Apache-2.0
// A device with the public library and a server in this process; either may restart between two steps.
import Foundation
import MPinClient
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Synchronization
import Testing

/// When one end of a flow restarts: before its n-th step, or before the n-th request.
enum Restart: Equatable, CustomTestStringConvertible {
    case never
    case device(step: Int)
    case server(request: Int)

    var testDescription: String {
        switch self {
        case .never: "no restart"
        case .device(let step): "the device restarts before step \(step)"
        case .server(let request): "the server restarts before request \(request)"
        }
    }
}

/// The two ends of a flow. Its calls block, so it stays on the thread that `onThread` gives it.
final class World {
    let path: Path
    private let folder: String
    private let restart: Restart
    private(set) var steps = 0
    private(set) var client: Client

    init(_ server: Server, _ restart: Restart = .never) throws {
        path = Path(to: server)
        if case .server(let request) = restart { path.restartsBefore = request }
        self.restart = restart
        folder = try newFolder()
        client = try World.client(folder, path)
    }

    deinit { removeFolder(folder) }

    var server: Server { path.server }

    /// One call of the app, before which the device may be restarted.
    func step<R>(_ body: (Client) throws -> R) throws -> R {
        steps += 1
        if restart == .device(step: steps) { client = try World.client(folder, path) }
        return try body(client)
    }

    private static func client(_ folder: String, _ path: Path) throws -> Client {
        try Client(
            secure: FileStorage(path: folder + "/secure"), plain: FileStorage(path: folder + "/plain"),
            settings: Configuration(backend: "https://" + Server.name), http: path)
    }
}

/// HTTP to a server in this process, which may be restarted before a request.
final class Path: HTTP {
    private(set) var server: Server
    /// The earlier servers, which must outlive the later ones.
    private var former: [Server] = []
    private(set) var requests = 0
    var restartsBefore: Int?

    init(to server: Server) { self.server = server }

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        requests += 1
        if requests == restartsBefore {
            former.append(server)
            let ended = server
            do { server = try waiting { try await ended.restarted() } } catch {
                throw HTTPFailure("\(error)")
            }
        }
        let asked = Request(
            method: request.method.rawValue, target: target(of: request.url), host: Server.name,
            contentType: request.headers.first { $0.key.lowercased() == "content-type" }?.value,
            peer: Server.address, headers: request.headers.map { ($0.key, $0.value) }, body: request.body)
        let router = server.router
        let response = try? waiting { await router.respond(to: asked) }
        guard let response else { throw HTTPFailure("no answer") }
        return HTTPResponse(
            status: response.status,
            headers: Dictionary(response.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }),
            body: response.body)
    }

    private func target(of url: String) -> String {
        String(url.dropFirst("https://".count).drop { $0 != "/" })
    }
}

/// Runs a blocking body on a thread of its own, because the server needs the few threads of the pool.
func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result(catching: body)) }
        thread.start()
    }
}

/// Waits, on a thread of `onThread`, for work of the server on other threads.
func waiting<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) throws -> R {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<R, any Error>?>(nil)
    Task {
        do {
            let value = try await body()
            result.withLock { $0 = .success(value) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    return try #require(result.withLock { $0 }).get()
}
