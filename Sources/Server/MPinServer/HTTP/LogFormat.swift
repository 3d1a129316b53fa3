// SPDX-License-Identifier: Apache-2.0
// Formats a line of the log as text or as JSON. Values are escaped, so an entry is always a single line.
import MPinWire

/// The setting `log-format` of mpind.conf.
package enum LogFormat: String, Sendable {
    /// `event key="value" ...`, followed by a sentence if there is one.
    case text
    /// One object in ASCII with `event`, the fields under their names, and the sentence as `message`.
    case json

    /// Fields that may occur more than once in a line; in JSON they are arrays.
    private static let lists: Set<String> = ["listen", "proxy-listen"]

    /// A line without the newline. Fields without a value are left out.
    package func line(_ event: String, _ fields: [LogField], sentence: String = "") -> String {
        let fields = fields.filter { !$0.value.isEmpty }
        switch self {
        case .text:
            let pairs = fields.map { " \($0.name)=\"\(escaped($0.value, limit: $0.limit))\"" }
            guard !sentence.isEmpty else { return event + pairs.joined() }
            return event + pairs.joined() + (pairs.isEmpty ? ": " : ". ") + sentence
        case .json:
            var members = ["\"event\":" + jsonString(event)] + LogFormat.members(fields)
            if !sentence.isEmpty { members.append("\"message\":" + jsonString(sentence)) }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    /// The members of the JSON object in the order of the fields; a list is at the place of its first field.
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

extension LogField {
    fileprivate var json: String {
        isNumber ? value : jsonString(String(decoding: value.utf8.prefix(limit), as: UTF8.self))
    }
}

/// The first octets of `value`. Quotes, backslashes and everything but visible ASCII are escaped in octal.
package func escaped(_ value: String, limit: Int = LogField.usualLimit) -> String {
    var text = ""
    for octet in value.utf8.prefix(limit) {
        if (0x21...0x7e).contains(octet), octet != 0x22, octet != 0x5c {
            text.unicodeScalars.append(Unicode.Scalar(octet))
        } else {
            let digits = String(octet, radix: 8)
            text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
    }
    return text
}
