// SPDX-License-Identifier: Apache-2.0
// The program's output: sentences and log lines on stderr, one write for each, so that lines never mix.
import Glibc
import Logging
import MPinService
import MPinWire
import Octets
import Synchronization

/// Writes a line to stderr.
func say(_ line: String) {
    let bytes = [UInt8]((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
}

/// Writes a line to stdout; parts of it may come from others, so control characters are replaced.
func show(_ line: String) { print(presentable(line, limit: .max)) }

/// Whether log lines are JSON: set once the settings are read.
private let isJSON = Atomic(false)

private var logFormat: LogFormat { isJSON.load(ordering: .relaxed) ? .json : .text }

func writeLog(as format: LogFormat) { isJSON.store(format == .json, ordering: .relaxed) }

/// Writes a log line; a sentence for the administrator may follow the fields.
func log(_ event: String, _ fields: [LogField], sentence: String = "") {
    say(logFormat.line(event, fields, sentence: sentence))
}

/// Logs a warning for the administrator.
func logWarning(_ sentence: String) { log("warning", [], sentence: sentence) }

/// Reports why this program ends: as a sentence, or as a log line if the log is JSON.
func report(_ error: SetupError) {
    switch logFormat {
    case .text: say("mpind: \(error)")
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
