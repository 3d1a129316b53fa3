// SPDX-License-Identifier: Apache-2.0
// What the program writes: sentences and log lines on stderr, one write for each, so that lines never mix.
import Glibc
import Logging
import MPinService
import MPinWire

/// A line on stderr.
func say(_ line: String) {
    let bytes = [UInt8]((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
}

/// A line on stdout, of which a part may be what others wrote.
func show(_ line: String) { print(presentable(line, limit: .max)) }

/// A log line: `what key="value" ...`, readable by people and by programs. A sentence of ours may follow.
func log(_ what: String, _ fields: [LogField], _ sentence: String = "") {
    let pairs = fields.filter { !$0.value.isEmpty }.map { " \($0.name)=\"\(escaped($0.value))\"" }
    say(what + pairs.joined() + (sentence.isEmpty ? "" : ". " + sentence))
}

/// At most 64 octets; whatever is not visible ASCII, and quote and backslash, in octal.
func escaped(_ value: String) -> String {
    var text = ""
    for octet in value.utf8.prefix(64) {
        if (0x21...0x7e).contains(octet), octet != 0x22, octet != 0x5c {
            text.unicodeScalars.append(Unicode.Scalar(octet))
        } else {
            let digits = String(octet, radix: 8)
            text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
    }
    return text
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
