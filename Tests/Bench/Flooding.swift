// SPDX-License-Identifier: Apache-2.0
// Floods of requests that need no proof, from many clients behind a proxy.
import Glibc
import MPinWire
import Synchronization

/// What a flood consists of.
enum Flood: String {
    /// Sessions of browsers that are opened and given up at once.
    case aborted
    /// Sessions of browsers, from two networks.
    case browsers
    /// Sessions of an application, from two networks.
    case applications
    /// Registrations that wait for a confirmation, from two networks.
    case registrations
    /// Reads without effect, which are answered.
    case reads
}

/// A flood at the socket that a server has for proxies, as fast as the server takes it from four connections.
final class Flooding: Sendable {
    private let flood: Flood
    private let proxy: String
    /// What the application's authorize URL has after its path.
    private let query: String
    private let isOver = Atomic(false)
    private let number = Atomic(0)
    private let answers = Mutex<[Int: Int]>([:])

    /// The options: `flood`; `proxy`, the socket; `query`, for applications.
    init(_ options: BenchOptions) throws {
        guard let flood = try Flood(rawValue: options.text("flood")) else { throw BenchError.arguments }
        (self.flood, proxy) = (flood, try options.text("proxy"))
        query = flood == .applications ? try options.text("query") : ""
    }

    /// What `body` returns while the flood goes on.
    func during<R>(_ body: () throws -> R) throws -> R {
        let threads = try beginThreads(4) { [self] in
            let client = try HTTPClient(proxy, name: Flooding.server)
            while !isOver.load(ordering: .relaxed) {
                let status = try step(client, number.add(1, ordering: .relaxed).oldValue)
                answers.withLock { $0[status, default: 0] += 1 }
            }
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            join(threads)
        }
        return try body()
    }

    /// The name of the server in its `public-url`.
    private static let server = "bench.example"

    /// One step of the flood; the status of its last answer.
    private func step(_ client: HTTPClient, _ number: Int) throws -> Int {
        let address = Flooding.address(number)
        switch flood {
        case .aborted:
            let (status, opened) = try client.ask("POST", Route.getQrUrl, [], for: address)
            guard status == 200, let wid = Flooding.wid(opened) else { return status }
            let abort = [UInt8](#"{"status":"abort","wid":"\#(wid)"}"#.utf8)
            return try client.ask("POST", Route.codeStatus, abort, for: address).status
        case .browsers: return try client.ask("POST", Route.getQrUrl, [], for: address).status
        case .applications:
            return try client.ask("POST", Route.authorize + "?" + query, [], for: address).status
        case .registrations:
            let user = [UInt8](#"{"userId":"nobody\#(number)@example.org"}"#.utf8)
            return try client.ask("PUT", Route.user, user, for: address).status
        case .reads:
            let path = number.isMultiple(of: 2) ? Route.clientSettings : Route.status
            return try client.ask("GET", path, [], for: address).status
        }
    }

    /// Addresses of two networks, each in a subnet of its own.
    private static func address(_ number: Int) -> String {
        "2001:db8:\(number % 2 + 1):\(String(number / 2 & 0xffff, radix: 16))::1"
    }

    /// The wid at the end of the QR code's URL.
    private static func wid(_ body: [UInt8]) -> String? {
        let text = String(decoding: body, as: UTF8.self)
        return text.firstIndex(of: "#").map { String(text[$0...].dropFirst().prefix(32)) }
    }
}

extension Flooding: CustomStringConvertible {
    /// The flood and how often each status was answered.
    var description: String {
        let counts = answers.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } }
        return "\(flood.rawValue) (\(counts.joined(separator: ", ")))"
    }
}
