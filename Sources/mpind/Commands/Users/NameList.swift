// SPDX-License-Identifier: Apache-2.0
// `mpind user add` for many: names of arguments, files and standard input, and the table of their codes.
import ArgumentParser
import Glibc
import MPinService
import MPinWire
import Octets

/// People to add, each once, with names that the server accepts.
struct NameList {
    private var names: [String] = []
    private static let most = 1 << 24

    /// Throws after a sentence for each name that no user can have; then nobody is added.
    init(_ arguments: [String], file: String?) throws {
        var entries = arguments.map { (place: $0, name: Optional($0)) }
        if let file {
            for (line, octets) in try settled({ try NameList.lines(of: file) }) {
                entries.append(("\(file == "-" ? "standard input" : file), line \(line)", octets))
            }
        }
        var seen: Set<[UInt8]> = []
        var isGood = true
        for (place, name) in entries {
            if let name, isUserID(name) {
                if seen.insert(Array(name.utf8)).inserted { names.append(name) }
            } else {
                say("mpind: \(shownText(place)): a name has 1 to 64 octets of readable text.")
                isGood = false
            }
        }
        guard isGood else {
            say("mpind: nobody was added.")
            throw ExitCode(2)
        }
        guard !names.isEmpty else {
            say("mpind: there is no name in \(file ?? "").")
            throw ExitCode(2)
        }
    }

    /// Adds them one after another and prints their codes. If the server fails, prints those that it gave.
    func add(_ options: AdminOptions, _ request: (String) -> AddUserRequest) throws {
        var added: [AddUserResponse] = []
        var failure: (any Error)?
        for name in names {
            do {
                try options.ask("POST", AdminRoute.users, message: request(name)) { added.append($0) }
            } catch {
                failure = error
                break
            }
        }
        if options.json {
            print(try asciiJSON(added))
        } else if !added.isEmpty {
            let rows = added.map { [$0.userId, $0.activationCode, time($0.expires)] }
            for line in table([["NAME", "ACTIVATION CODE", "GOOD ONCE, UNTIL"]] + rows) { show(line) }
        }
        try flushed()
        guard let failure else { return }
        let first = shownText(names[added.count])
        say("mpind: \(added.count) of \(names.count) were added; \(first) and those after that were not.")
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

/// What a terminal may show of a name.
private func shownText(_ text: String) -> String { presentable(text, limit: 100) }
