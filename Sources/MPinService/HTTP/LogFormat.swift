// SPDX-License-Identifier: Apache-2.0
// A line of the log, as text or as JSON: whatever stands in a value, it is one line and reads back the same.
import MPinWire

/// `log-format` of mpind.conf.
package enum LogFormat: String, Sendable {
    /// `event key="value" ...`, and a sentence of ours behind it.
    case text
    /// One object in ASCII: `event`, the fields by their names, and the sentence as `message`.
    case json

    /// Fields that may stand in a line more than once; in JSON they are arrays.
    private static let lists: Set<String> = ["listen", "proxy-listen"]

    /// A line without its end. Fields without a value are left out.
    package func line(_ event: String, _ fields: [LogField], sentence: String = "") -> String {
        let fields = fields.filter { !$0.value.isEmpty }
        switch self {
        case .text:
            let pairs = fields.map { " \($0.name)=\"\(escaped($0.value))\"" }
            guard !sentence.isEmpty else { return event + pairs.joined() }
            return event + pairs.joined() + (pairs.isEmpty ? ": " : ". ") + sentence
        case .json:
            var members = ["\"event\":" + jsonString(event)] + LogFormat.members(fields)
            if !sentence.isEmpty { members.append("\"message\":" + jsonString(sentence)) }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    /// In their order; a list stands where its first field does.
    private static func members(_ fields: [LogField]) -> [String] {
        var written: Set<String> = []
        return fields.compactMap { field in
            guard lists.contains(field.name) else { return jsonString(field.name) + ":" + field.json }
            guard written.insert(field.name).inserted else { return nil }
            let values = fields.filter { $0.name == field.name }.map(\.json)
            return jsonString(field.name) + ":[" + values.joined(separator: ",") + "]"
        }
    }
}

extension LogFormat {
    init(_ section: Section) throws(KeyError) {
        guard let entry = try section.one("log-format") else {
            self = .text
            return
        }
        self = try value(entry, LogFormat.init(rawValue:))
    }
}

extension LogField {
    fileprivate var json: String {
        isNumber ? value : jsonString(String(decoding: value.utf8.prefix(64), as: UTF8.self))
    }
}

/// At most 64 octets; whatever is not visible ASCII, and quote and backslash, in octal.
package func escaped(_ value: String) -> String {
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
