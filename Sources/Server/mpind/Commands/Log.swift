// SPDX-License-Identifier: Apache-2.0
// The program's output: sentences and log lines on stderr, one write for each, so that lines never mix.
import Glibc
import Logging
import MPinServer
import MPinWire
import Octets
import Synchronization

/// Whether the reader of stderr hangs, as far as we know.
private let isStuck = Mutex(false)

/// Writes a line to stderr. If its reader hangs, this line is lost after half a second, and the next ones at
/// once, until it reads again.
func writeToStandardError(_ line: String) {
    let bytes = [UInt8]((line + "\n").utf8)
    isStuck.withLock { isStuck in
        var output = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        isStuck = unsafe poll(&output, 1, isStuck ? 0 : 500) <= 0
        guard !isStuck else { return }
        _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }
}

/// Writes a line to stdout; parts of it may come from others, so control characters are replaced.
func show(_ line: String) { print(presentable(line, limit: .max)) }

/// Whether log lines are JSON: set once the settings are read.
private let isJSON = Atomic(false)

private var logFormat: LogFormat { isJSON.load(ordering: .relaxed) ? .json : .text }

func writeLog(as format: LogFormat) { isJSON.store(format == .json, ordering: .relaxed) }

/// Writes a log line; a sentence for the administrator may follow the fields.
func log(_ event: String, _ fields: [LogField], sentence: String = "") {
    writeToStandardError(logFormat.line(event, fields, sentence: sentence))
}

/// Logs a warning for the administrator.
func logWarning(_ sentence: String) { log("warning", [], sentence: sentence) }

/// Reports why this program ends: as a sentence, or as a log line if the log is JSON.
func report(_ error: SetupError) {
    switch logFormat {
    case .text: writeToStandardError("mpind: \(error)")
    case .json: log("failed", [], sentence: "\(error)")
    }
}

/// The log of the libraries, from warnings upwards.
struct PlainLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { mpind.log("\(event.level)", [LogField("message", "\(event.message)")]) }
}
