// SPDX-License-Identifier: Apache-2.0
// One connection to a Unix socket of mpind, which sends one request after another.
import Glibc

final class HTTPClient {
    private let socket: Int32
    /// How long each request took, in nanoseconds.
    private(set) var times: [UInt64] = []
    private var received: [UInt8] = []

    private let name: String

    /// - Parameter name: the Host of the requests.
    init(_ path: String, name: String = "localhost") throws {
        self.name = name
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            unsafe place.copyBytes(from: path.utf8.prefix(place.count - 1))
        }
        let connected = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { throw BenchError.system("connect", errno) }
    }

    deinit { close(socket) }

    /// The body of the answer, whose status must be 200.
    func post(_ path: String, _ body: [UInt8]) throws -> [UInt8] {
        let (status, answer) = try ask("POST", path, body)
        guard status == 200 else {
            throw BenchError.refused(status: status, body: String(decoding: answer, as: UTF8.self))
        }
        return answer
    }

    /// - Parameter client: the address that a proxy names.
    func ask(
        _ method: String, _ path: String, _ body: [UInt8], for client: String? = nil
    ) throws -> (status: Int, body: [UInt8]) {
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: \(name)\r\nContent-Type: application/json\r\n"
            + (client.map { "X-Forwarded-For: \($0)\r\n" } ?? "")
            + "Content-Length: \(body.count)\r\n\r\n"
        let begin = monotonicNanoseconds()
        try send([UInt8](head.utf8) + body)
        let answer = try receive()
        times.append(monotonicNanoseconds() - begin)
        return answer
    }

    private func send(_ octets: [UInt8]) throws {
        var sent = 0
        while sent < octets.count {
            let count = unsafe octets.withUnsafeBytes { bytes in
                unsafe write(socket, bytes.baseAddress.map { unsafe $0 + sent }, octets.count - sent)
            }
            guard count > 0 else { throw BenchError.system("write", errno) }
            sent += count
        }
    }

    private func receive() throws -> (status: Int, body: [UInt8]) {
        var head: String?
        var length = 0
        while true {
            if head == nil, let end = endOfHead() {
                let text = String(decoding: received[..<end], as: UTF8.self)
                received.removeFirst(end + 4)
                let line = text.lowercased().split(separator: "\r\n").first {
                    $0.hasPrefix("content-length:")
                }
                length = line.flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
                head = text
            }
            if let head, received.count >= length {
                let body = [UInt8](received.prefix(length))
                received.removeFirst(length)
                return (Int(head.dropFirst(9).prefix(3)) ?? 0, body)
            }
            try receiveMore()
        }
    }

    private func endOfHead() -> Int? {
        guard received.count >= 4 else { return nil }
        return (0...received.count - 4).first { received[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
    }

    private func receiveMore() throws {
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe read(socket, bytes.baseAddress, bytes.count)
        }
        guard count > 0 else { throw BenchError.system("read", errno) }
        received += buffer[..<count]
    }
}

/// The time of a clock that only goes forward.
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
