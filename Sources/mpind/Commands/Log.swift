// SPDX-License-Identifier: Apache-2.0
// What the program writes: sentences and log lines on stderr, one write for each, so that lines never mix.
import Glibc
import Logging
import MPinService
import MPinWire
import Octets
import Synchronization

/// A line on stderr.
func say(_ line: String) {
    let bytes = [UInt8]((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
}

/// A line on stdout, of which a part may be what others wrote.
func show(_ line: String) { print(presentable(line, limit: .max)) }

/// Whether lines of the log are JSON, as the settings say once they are read.
private let isJSON = Atomic(false)

private var logFormat: LogFormat { isJSON.load(ordering: .relaxed) ? .json : .text }

func writeLog(as format: LogFormat) { isJSON.store(format == .json, ordering: .relaxed) }

/// A log line, readable by people and by programs. A sentence of ours may follow.
func log(_ event: String, _ fields: [LogField], sentence: String = "") {
    say(logFormat.line(event, fields, sentence: sentence))
}

/// What the administrator should know.
func logWarning(_ sentence: String) { log("warning", [], sentence: sentence) }

/// Why this program ends: for people who typed a command, or for the log.
func report(_ error: SetupError) {
    switch logFormat {
    case .text: say("mpind: \(error)")
    case .json: log("failed", [], sentence: "\(error)")
    }
}

/// What the libraries beneath have to say, from warnings upwards.
struct PlainLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { mpind.log("\(event.level)", [LogField("message", "\(event.message)")]) }
}
