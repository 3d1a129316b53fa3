// SPDX-License-Identifier: Apache-2.0
// A small HTTP/1.1 server for tests: real sockets, one thread for each connection, and any answer, even
// invalid.
import Foundation
import Synchronization

/// A request as the server received it.
package struct Received: Sendable {
    package let method: String
    /// The path with its query.
    package let path: String
    /// The headers; names are in lower case.
    package let headers: [String: String]
    package let body: String

    /// The path without its query.
    package var route: String { String(path.prefix { $0 != "?" }) }
}

/// How the server answers a request.
package enum Reply: Sendable {
    case json(_ status: Int, _ body: String, headers: [String: String] = [:])
    /// These octets, then the connection is closed.
    case raw(String)
    /// No answer, while the connection stays open.
    case hang
}

/// Serves until its last reference is released: a test must keep it alive (`withExtendedLifetime`) while it
/// sends requests.
package final class Server: Sendable {
    package enum Family: Sendable { case unix, ipv4, ipv6 }

    /// The address of this server as clients name it: `unix:PATH` or an http URL.
    package let backend: String
    private let listener: CInt
    private let folder: TemporaryFolder?
    private let state = Mutex<(requests: [Received], connections: Int)>(([], 0))
    private let handler: @Sendable (Received) -> Reply

    package init(_ place: Family = .unix, _ handler: @escaping @Sendable (Received) -> Reply) throws {
        self.handler = handler
        switch place {
        case .unix:
            let folder = try TemporaryFolder()
            self.folder = folder
            backend = "unix:" + folder.path + "/socket"
            listener = try listening(unix: folder.path + "/socket")
        case .ipv4, .ipv6:
            folder = nil
            let port: UInt16
            (listener, port) = try listening(ipv6: place == .ipv6)
            backend = "http://" + (place == .ipv6 ? "[::1]" : "127.0.0.1") + ":\(port)"
        }
        let descriptor = listener
        // The accepting thread closes the listener: until then its descriptor must not be reused.
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else {
                    if errno != EINVAL { continue }
                    close(descriptor)
                    return
                }
                Thread.detachNewThread { [weak self] in self?.serve(connection) }
            }
        }
    }

    deinit { shutdown(listener, CInt(SHUT_RDWR)) }

    /// Every request so far.
    package var received: [Received] { state.withLock { $0.requests } }

    /// The number of connections so far.
    package var connections: Int { state.withLock { $0.connections } }

    private func serve(_ connection: CInt) {
        state.withLock { $0.connections += 1 }
        var buffer: [UInt8] = []
        while let request = nextRequest(connection, &buffer) {
            state.withLock { $0.requests.append(request) }
            switch handler(request) {
            case .json(let status, let body, let headers):
                send(connection, response(status, body, headers))
            case .raw(let text):
                send(connection, text)
                close(connection)
                return
            case .hang:
                return
            }
        }
        close(connection)
    }
}

private func response(_ status: Int, _ body: String, _ headers: [String: String]) -> String {
    let lines = ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
    let all = lines + headers.map { "\($0.key): \($0.value)" }
    return "HTTP/1.1 \(status) As told\r\n" + all.joined(separator: "\r\n") + "\r\n\r\n" + body
}

private func send(_ connection: CInt, _ text: String) {
    var octets = ArraySlice(text.utf8)
    while !octets.isEmpty {
        let count = unsafe octets.withUnsafeBytes {
            unsafe Foundation.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        octets = octets.dropFirst(count)
    }
}

private func nextRequest(_ connection: CInt, _ buffer: inout [UInt8]) -> Received? {
    let end = Array("\r\n\r\n".utf8)
    while true {
        if let head = buffer.firstRange(of: end) {
            let lines = String(decoding: buffer[..<head.lowerBound], as: UTF8.self).components(
                separatedBy: "\r\n")
            let first = (lines.first ?? "").split(separator: " ")
            guard first.count == 3 else { return nil }
            let headers = Dictionary(
                lines.dropFirst().compactMap { line -> (String, String)? in
                    let parts = line.split(separator: ":", maxSplits: 1)
                    guard parts.count == 2 else { return nil }
                    return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
                }, uniquingKeysWith: { $0 + ", " + $1 })
            let count = Int(headers["content-length"] ?? "0") ?? 0
            if buffer.count >= head.upperBound + count {
                let body = String(decoding: buffer[head.upperBound..<head.upperBound + count], as: UTF8.self)
                buffer.removeFirst(head.upperBound + count)
                return Received(
                    method: String(first[0]), path: String(first[1]), headers: headers, body: body)
            }
        }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(connection, &chunk, chunk.count)
        guard count > 0 else { return nil }
        buffer += chunk.prefix(count)
    }
}
