// SPDX-License-Identifier: Apache-2.0
// Decodes and encodes the JSON of requests and answers.
import FoundationEssentials
import MPinWire

/// Why a body is not a valid message.
enum BodyError: Error, Equatable {
    case notJSON
    /// A required key is missing.
    case missing(String)
    /// A value has the wrong type, or hexadecimal text is malformed.
    case badValue
}

/// More values than any message has, including what clients send for others to read.
private let mostValues = 1_024

/// Decodes a message from a body in UTF-8; unknown keys are ignored. Text with NUL is a bad value, because
/// the database cannot store it. So is JSON that is nested too deeply or has too many values for the decoder.
func decoded<Message: Decodable>(_ type: Message.Type, from body: [UInt8]) throws(BodyError) -> Message {
    // The decoder would also accept UTF-16 and UTF-32, which the checks below cannot read.
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

/// Whether the body contains `\u0000`, the only form of NUL in JSON.
private func holdsNUL(_ body: [UInt8]) -> Bool {
    let escape = [UInt8]("u0000".utf8)
    var index = 0
    while let backslash = body[index...].firstIndex(of: 0x5c) {
        if body[(backslash + 1)...].starts(with: escape) { return true }
        // The escaped character may be a backslash, which then escapes nothing.
        index = min(backslash + 2, body.count)
    }
    return false
}

/// Encodes a message as JSON.
func json(_ message: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Our messages have strings, whole numbers and flags, which can always be encoded.
    return (try? encoder.encode(message)).map { [UInt8]($0) } ?? []
}

/// `{"version":"0.3","message":text}`.
func message(_ text: String) -> [UInt8] { json(StatusMessage(text)) }

/// Text as a JSON string in ASCII, as Milagro's issuer of mpinIds writes it: all other characters are
/// escaped.
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
