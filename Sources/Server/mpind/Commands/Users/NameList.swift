// SPDX-License-Identifier: Apache-2.0
// `mpind user add` for many: names of arguments, files and standard input, and the table of their codes.
import ArgumentParser
import Glibc
import MPinConsole
import MPinServer
import MPinWire
import Octets

/// People to add, each once, with names that the server accepts.
struct NameList {
    private var names: [String] = []
    private static let most = 1 << 24

    /// Throws after naming what no user can be called; then nobody is added.
    init(_ arguments: [String], file: String?) throws {
        var entries = arguments.map { (place: $0, name: Optional($0)) }
        if let file {
            for (line, octets) in try NameList.lines(of: file) {
                entries.append(("\(file == "-" ? "standard input" : file), line \(line)", octets))
            }
        }
        var seen: Set<[UInt8]> = []
        var bad: [String] = []
        for (place, name) in entries {
            if let name, isUserID(name) {
                if seen.insert(Array(name.utf8)).inserted { names.append(name) }
            } else {
                bad.append("\(shownText(place)): a name has 1 to 64 octets of readable text.")
            }
        }
        guard bad.isEmpty else {
            throw failure(.settings, bad.prefix(10).joined(separator: " ") + " Nobody was added.")
        }
        guard !names.isEmpty else { throw failure(.settings, "There is no name in \(file ?? "").") }
    }

    /// Adds them one after another and prints their codes. If the server fails, prints those that it gave.
    func add(_ options: AdminOptions, _ request: (String) -> AddUserRequest) throws {
        var added: [AddUserResponse] = []
        var failure: (any Error)?
        // The failure stands in one object with what was added.
        answerInJSON(false)
        do {
            for name in names { added.append(try options.answer(AdminRoute.users, request(name))) }
        } catch { failure = error }
        let rest = failure.map { _ in "\(shownText(names[added.count])) and those after that were not." }
        let sentence = rest.map { "\(added.count) of \(names.count) were added; \($0)" }
        if options.json {
            let kind: FailureKind = (failure as? ExitCode)?.rawValue == 3 ? .unreachable : .refused
            let error = sentence.map { ["kind": kind.rawValue, "message": $0] }
            print(try asciiJSON(AddedPeople(added: added, error: error)))
        } else if !added.isEmpty {
            let rows = added.map {
                [presentable($0.userId, limit: .max), $0.activationCode, time($0.expires)]
            }
            for line in alignedColumns([["NAME", "ACTIVATION CODE", "GOOD ONCE, UNTIL"]] + rows) {
                show(line)
            }
        }
        try flushed()
        guard let failure, let sentence else { return }
        writeToStandardError("mpind: \(sentence)")
        throw failure
    }

    /// The lines that have a name, without the blanks around it; nil for a name that is not UTF-8.
    private static func lines(of file: String) throws(SetupError) -> [(Int, String?)] {
        let lines = try octets(of: file).split(separator: 0x0a, omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { number, line in
            let isBlank = { (octet: UInt8) in octet == 0x20 || octet == 0x09 || octet == 0x0d }
            var name = line.drop(while: isBlank)
            while let last = name.last, isBlank(last) { name.removeLast() }
            return name.isEmpty ? nil : (number + 1, String(validating: name, as: UTF8.self))
        }
    }

    private static func octets(of file: String) throws(SetupError) -> [UInt8] {
        func unreadable() -> SetupError {
            SetupError("\(file) cannot be read: \(unsafe String(cString: strerror(errno))).")
        }
        let descriptor = file == "-" ? STDIN_FILENO : unsafe open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable() }
        defer { if descriptor > STDIN_FILENO { close(descriptor) } }
        var octets: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &part, part.count)
            guard count != 0 else { return octets }
            guard count > 0 else { throw unreadable() }
            octets += part.prefix(count)
            guard octets.count <= most else { throw SetupError("\(file) is too long.") }
        }
    }
}

/// What `mpind user add` prints for many, under --json.
private struct AddedPeople: Encodable {
    let added: [AddUserResponse]
    let error: [String: String]?
}

/// What a terminal may show of a name.
private func shownText(_ text: String) -> String { presentable(text, limit: 100) }
