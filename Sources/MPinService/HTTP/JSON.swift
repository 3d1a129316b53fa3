// SPDX-License-Identifier: Apache-2.0
// JSON in and out of the handlers.
import FoundationEssentials
import MPinWire

/// Why a body is not the message it should be.
enum BodyError: Error, Equatable {
    case notJSON
    /// A key that must be there is not.
    case missing(String)
    /// A value of another type, or hexadecimal text that is none.
    case badValue
}

/// More values than any message has, with what clients send for others to read.
private let mostValues = 1_024

/// The message in a body in UTF-8; unknown keys are ignored. Text that holds NUL is a bad value: no database
/// takes it. So is what would keep the decoder busy.
func decoded<Message: Decodable>(_ type: Message.Type, from body: [UInt8]) throws(BodyError) -> Message {
    // The decoder would take the one for UTF-16 or UTF-32, in which we should not see what it reads.
    guard !body.contains(0), String(validating: body, as: UTF8.self) != nil else { throw .notJSON }
    let shape = JSONShape(body)
    guard shape.depth <= JSONShape.mostLevels, shape.values <= mostValues, !holdsNUL(body) else {
        throw .badValue
    }
    do {
        return try JSONDecoder().decode(type, from: Data(body))
    } catch DecodingError.keyNotFound(let key, _) {
        throw .missing(key.stringValue)
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
        throw .notJSON
    } catch {
        throw .badValue
    }
}

/// Whether `\u0000` stands in it, the one way in which JSON says NUL.
private func holdsNUL(_ body: [UInt8]) -> Bool {
    let escape = [UInt8]("u0000".utf8)
    var index = 0
    while let backslash = body[index...].firstIndex(of: 0x5c) {
        if body[(backslash + 1)...].starts(with: escape) { return true }
        // What is escaped may be a backslash, which then escapes nothing.
        index = min(backslash + 2, body.count)
    }
    return false
}

/// A message as JSON.
func json(_ message: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Our messages hold strings, whole numbers and flags, which JSON can always say.
    return (try? encoder.encode(message)).map { [UInt8]($0) } ?? []
}

/// `{"version":"0.3","message":text}`.
func message(_ text: String) -> [UInt8] { json(StatusMessage(text)) }

/// Text as a JSON string in ASCII, as the issuer of mpinIds writes it: whatever is not printable is escaped.
func jsonString(_ text: String) -> String {
    var written = "\""
    for unit in text.utf16 {
        switch unit {
        case 0x22, 0x5c:
            written.append("\\")
            written.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: unit)))
        case 0x20...0x7e:
            written.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: unit)))
        default:
            let digits = hexText([UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)])
            written.append("\\u" + digits)
        }
    }
    return written + "\""
}
