// SPDX-License-Identifier: Apache-2.0
// The log line of a relay about the calls of one login: the status of each, and the attempt id that connects
// the logs.
import CPlatform
import MPinCurl
import MPinWire

struct Journal {
    private var attempt: [UInt8] = []
    private var calls: [String] = []
    private var isGood = true
    /// Why the server was not trusted, from the last answer that reports it.
    private var distrust: Distrust?
    /// The origin that the server's settings named but may not name, from the last answer that reports it.
    private var origin: [UInt8] = []
    /// The proxy; empty: none.
    private var proxy: [UInt8] = []
    /// The file of certificates that cannot be read; empty: the system's; nil: none failed.
    private var unread: [UInt8]?

    /// Notes one call. Only its kind and status are logged, not what was sent or received.
    mutating func note(_ request: RelayRequest, _ response: RelayResponse) {
        if case .hello(let hello) = request {
            (attempt, proxy) = (hello.attempt, hello.proxy)
            guard response.status == RelayResponse.noCertificates else { return }
            unread = hello.caFile
        }
        if response.status != 200 { isGood = false }
        if let reason = Distrust(status: response.status) { distrust = reason }
        if !response.origin.isEmpty { origin = response.origin }
        // A captured parent must not be able to write long lines.
        guard calls.count < 32 else { return }
        calls.append("\(request.kind.names.word):\(response.status)")
    }

    /// Prepares the log while the time zone file can still be read and the socket can still be opened.
    static func open() -> mpin_log {
        tzset()
        return mpin_log_open()
    }

    /// Writes the line.
    /// - Parameter refused: the system call that the kernel refused to a call that failed.
    func write(to log: mpin_log, _ refused: RefusedCall?) {
        guard !calls.isEmpty else { return }
        var line = "attempt=\"\(HexOctets(attempt).text)\" calls=\"\(calls.joined(separator: " "))\""
        if let distrust { line += " reason=\"\(distrust.word)\"" }
        if !isGood, let refused { line += " call=\"\(refused.name)\" errno=\"\(refused.errno)\"" }
        if !isGood, !proxy.isEmpty { line += " proxy=\"\(plain(proxy))\"" }
        if !origin.isEmpty { line += " origin=\"\(String(decoding: origin, as: UTF8.self))\"" }
        if let unread {
            line += " reason=\"no-certificates\""
            if !unread.isEmpty { line += " ca-file=\"\(plain(unread))\"" }
        }
        unsafe mpin_log_send(log, isGood ? LOG_INFO : LOG_NOTICE, "mpin-relay", Array(line.utf8) + [0])
    }
}

/// A path as a value of the log: quotes, blanks and octets outside ASCII become `?`.
private func plain(_ path: [UInt8]) -> String {
    String(decoding: path.map { (0x21...0x7e).contains($0) && $0 != 0x22 ? $0 : 0x3f }, as: UTF8.self)
}
