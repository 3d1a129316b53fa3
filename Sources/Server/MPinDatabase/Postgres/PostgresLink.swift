// SPDX-License-Identifier: Apache-2.0
// The calls of libpq that send something and wait for the answer, with a limit on the wait.
import CPostgres
import Glibc

/// One connection of libpq. Once it is lost, every further call fails at once.
@safe final class PostgresLink {
    private let link: OpaquePointer
    private(set) var isLost = false
    /// Whether the server has sent a warning since this was set to false.
    var hasWarned = false

    /// How long we wait for an answer: longer than the server lets a statement run.
    private static let patience: Int64 = 5

    init(_ parameters: [String: String]) throws(PostgresFailure) {
        let opened = unsafe withArrays(of: parameters) { unsafe PQconnectdbParams($0, $1, 0) }
        guard let opened = unsafe opened, unsafe PQstatus(opened) == CONNECTION_OK else {
            defer { unsafe PQfinish(opened) }
            throw .reason(unsafe oneLine(PQerrorMessage(opened)))
        }
        unsafe link = opened
        // libpq would print notices to the standard error.
        unsafe PQsetNoticeReceiver(
            link,
            { context, result in
                guard let context = unsafe context, let severity = unsafe mpin_pq_severity(result),
                    unsafe String(cString: severity) == "WARNING"
                else { return }
                unsafe Unmanaged<PostgresLink>.fromOpaque(context).takeUnretainedValue().hasWarned = true
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { unsafe PQfinish(link) }

    var serverVersion: CInt { unsafe PQserverVersion(link) }

    /// Whether no transaction is open, as far as this end knows.
    var isIdle: Bool { unsafe isLost || PQtransactionStatus(link) == PQTRANS_IDLE }

    /// Runs statements without values; returns the first error, or the last result, in text format.
    func execute(_ script: String, seconds: Int64 = patience) -> PostgresResult {
        answer(unsafe PQsendQuery(link, script), seconds: seconds)
    }

    /// Compiles a statement with the types of these values.
    func prepare(_ statement: String, as name: String, _ values: [Value]) -> PostgresResult {
        answer(unsafe PQsendPrepare(link, name, statement, CInt(values.count), values.map(\.typeID)))
    }

    /// Runs a compiled statement.
    func run(named name: String, _ values: [Value]) -> PostgresResult {
        unsafe answer(
            bound(values) { count, octets, lengths, formats in
                unsafe PQsendQueryPrepared(link, name, count, octets, lengths, formats, 1)
            })
    }

    /// Runs a statement once.
    func run(_ statement: String, _ values: [Value]) -> PostgresResult {
        unsafe answer(
            bound(values) { count, octets, lengths, formats in
                unsafe PQsendQueryParams(
                    link, statement, count, values.map(\.typeID), octets, lengths, formats, 1)
            })
    }

    /// Waits for all results of what was sent.
    private func answer(_ sent: CInt, seconds: Int64 = patience) -> PostgresResult {
        guard !isLost, sent == 1 else { return lost() }
        let end = milliseconds(CLOCK_MONOTONIC) + seconds * 1000
        var kept: OpaquePointer?
        while true {
            while unsafe PQisBusy(link) != 0 {
                guard unsafe isReadable(PQsocket(link), until: end), unsafe PQconsumeInput(link) == 1 else {
                    unsafe PQclear(kept)
                    return lost()
                }
            }
            guard let next = unsafe PQgetResult(link) else { break }
            if unsafe kept != nil, unsafe PQresultStatus(kept) == PGRES_FATAL_ERROR {
                unsafe PQclear(next)
            } else {
                unsafe PQclear(kept)
                unsafe kept = next
            }
        }
        let result = unsafe PostgresResult(kept)
        if unsafe PQstatus(link) != CONNECTION_OK || endsConnection(result.state) { isLost = true }
        return result
    }

    /// From now on the connection is lost.
    func giveUp() { isLost = true }

    private func lost() -> PostgresResult {
        isLost = true
        return unsafe PostgresResult(nil)
    }

    /// Whether an error ends the connection: the server is being stopped, or takes no changes any more.
    private func endsConnection(_ state: String?) -> Bool {
        guard let state else { return false }
        return state.hasPrefix("57P") || state.hasPrefix("08") || state == "25006" || state == "25P03"
    }
}

/// Calls `body` with the values as libpq takes them.
private func bound(
    _ values: [Value],
    _ body: (
        CInt, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<CInt>?, UnsafePointer<CInt>?
    ) -> CInt
) -> CInt {
    let encoded = values.map(\.encoded)
    // One octet more, so that an empty value has an address too: none means null.
    let all = encoded.reduce(into: []) { $0 += $1 ?? [] } + [0]
    let lengths = encoded.map { CInt($0?.count ?? 0) }
    let formats = [CInt](repeating: 1, count: values.count)
    return unsafe all.withUnsafeBytes { (all: UnsafeRawBufferPointer) -> CInt in
        guard let start = unsafe all.bindMemory(to: CChar.self).baseAddress else { return 0 }
        var place = 0
        var starts: [UnsafePointer<CChar>?] = unsafe []
        for octets in encoded {
            unsafe starts.append(octets == nil ? nil : start + place)
            place += octets?.count ?? 0
        }
        return unsafe body(CInt(values.count), starts, lengths, formats)
    }
}

/// Calls `body` with the parameters as libpq takes them.
func withArrays<R>(
    of parameters: [String: String],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> R
) -> R {
    let pairs = Array(parameters)
    let keywords = unsafe pairs.map { unsafe UnsafePointer(strdup($0.key)) } + [nil]
    let values = unsafe pairs.map { unsafe UnsafePointer(strdup($0.value)) } + [nil]
    defer { unsafe (keywords + values).forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
    return unsafe body(keywords, values)
}

/// Waits until the socket can be read; false if that does not happen in time.
private func isReadable(_ socket: CInt, until end: Int64) -> Bool {
    while true {
        let left = end - milliseconds(CLOCK_MONOTONIC)
        guard socket >= 0, left > 0 else { return false }
        var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        switch unsafe poll(&wanted, 1, CInt(clamping: left)) {
        case 1: return true
        case 0: return false
        default: if errno != EINTR { return false }
        }
    }
}

/// A message of libpq without its line ends.
private func oneLine(_ message: UnsafePointer<CChar>?) -> String {
    guard let message = unsafe message else { return "there is no memory" }
    return unsafe String(cString: message).split(whereSeparator: \.isNewline).joined(separator: "; ")
}
