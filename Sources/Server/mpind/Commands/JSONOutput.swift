// SPDX-License-Identifier: Apache-2.0
// What commands print under --json: answers, errors with a word for their kind, and times as RFC 3339.
import ArgumentParser
import FoundationEssentials
import Glibc
import MPinServer
import MPinWire
import Octets
import Synchronization

/// The option of commands that ask no daemon.
struct JSONOutput: ParsableArguments {
    @ArgumentParser.Flag(help: "Print one JSON object on standard output.")
    var json = false

    func validate() { answerInJSON(json) }

    /// Prints a report, as JSON or as lines.
    func show(_ report: some Encodable, lines: [String]) throws {
        if json { print(try asciiJSON(report)) } else { lines.forEach { mpind.show($0) } }
        try flushed()
    }
}

/// Whether errors are printed as JSON too.
private let isInJSON = Atomic(false)

func answerInJSON(_ isOn: Bool) { isInJSON.store(isOn, ordering: .relaxed) }

/// The kind of a failure, as in `mpin`: its raw value stands in JSON.
enum FailureKind: String {
    case refused, settings, unreachable, broken
    /// An error of which nothing says whether the work was done.
    case unknown

    var exit: Int32 {
        switch self {
        case .refused: 1
        case .settings, .broken: 2
        case .unreachable: 3
        case .unknown: 4
        }
    }
}

/// Reports a failure, also as JSON if the answer was to be in JSON, and returns the exit status.
func failure(_ kind: FailureKind, _ sentence: String) -> ExitCode {
    printError(kind, sentence)
    writeToStandardError("mpind: \(sentence)")
    return ExitCode(kind.exit)
}

/// Prints a failure as JSON, if the answer was to be in JSON.
func printError(_ kind: FailureKind, _ sentence: String) {
    guard isInJSON.load(ordering: .relaxed) else { return }
    let body = ["error": ["kind": kind.rawValue, "message": sentence]]
    // Encoding text cannot fail; if it did, no object would be printed.
    if let text = try? asciiJSON(body) { print(text) }
    fflush(nil)
}

/// A message as JSON in ASCII only, because a terminal may show it.
func asciiJSON(_ message: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let octets = withTimes([UInt8](try encoder.encode(message)))
    return String(decoding: octets, as: UTF8.self).utf16.map { unit in
        unit < 0x7f
            ? String(UnicodeScalar(UInt8(unit))) : "\\u" + hexText([UInt8(unit >> 8), UInt8(unit & 255)])
    }.joined()
}

/// The keys of the administrators' messages whose numbers are seconds since 1970-01-01 UTC.
private let timeKeys = Set(
    [
        "added", "at", "blocked", "codeExpires", "expires", "last", "lastLogin", "lockedUntil", "registered",
        "revoked", "since", "until",
    ].map { ArraySlice($0.utf8) })

/// JSON of the administrators' messages with its times as text.
func withTimes(_ json: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    var (index, word) = (0, ArraySlice<UInt8>())
    while index < json.count {
        if json[index] == UInt8(ascii: "\"") {
            let start = index
            repeat {
                index += json[index] == UInt8(ascii: "\\") ? 2 : 1
            } while index < json.count
                && json[index] != UInt8(ascii: "\"")
            word = json[min(start + 1, json.count)..<min(index, json.count)]
            index = min(index + 1, json.count)
            out += json[start..<index]
        } else {
            let digits = json[(index + 1)...].prefix { (0x30...0x39).contains($0) }
            let isTime = json[index] == UInt8(ascii: ":") && timeKeys.contains(word) && !digits.isEmpty
            out.append(json[index])
            index += 1
            guard isTime, let seconds = Int(String(decoding: digits, as: UTF8.self)) else { continue }
            out += "\"\(time(seconds))\"".utf8
            index += digits.count
        }
    }
    return out
}
