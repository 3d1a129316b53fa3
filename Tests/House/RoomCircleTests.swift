// SPDX-License-Identifier: Apache-2.0
// The folders of the server are rooms: what they use of each other makes no circle.
import Testing

@Suite struct RoomCircleTests {
    @Test func `rooms of the server use each other in no circle`() {
        let graph = RoomGraph()
        #expect(graph.arrows.count > 50)
        #expect(graph.closing.isEmpty)
    }
}

private let server = "Sources/Server/MPinServer/"

/// That one room uses another. The files beside the folders are a room, too: they may use all others.
private struct Arrow: Hashable {
    let room, home: String
}

private struct RoomGraph {
    /// By which words of which files.
    private(set) var arrows: [Arrow: [String]] = [:]

    init() {
        let files = House.swift.filter { $0.path.hasPrefix(server) }.map(ServerFile.init)
        let below = ["Sources/Core/", "Sources/Server/MPinDatabase/"]
        let foreign = House.swift.filter { file in below.contains { file.path.hasPrefix($0) } }
            .reduce(into: Set()) { $0.formUnion(ServerFile($1).declared) }
        let declared = Dictionary(grouping: files, by: \.room).mapValues {
            $0.reduce(into: Set()) { $0.formUnion($1.declared) }
        }
        var homes: [String: Set<String>] = [:]
        for file in files { for word in file.offered { homes[word, default: []].insert(file.room) } }
        for file in files {
            for word in file.used.sorted() {
                let name = String(word.drop { $0 == "." })
                guard let rooms = homes[word], let home = rooms.first, rooms.count == 1, home != file.room,
                    declared[file.room]?.contains(name) == false
                else { continue }
                // The name of a member says whose it is only if nothing else has it.
                let isShared = foreign.contains(name) || declared.values.count { $0.contains(name) } > 1
                if word != name, isShared { continue }
                arrows[Arrow(room: file.room, home: home), default: []].append("\(file.path): \(word)")
            }
        }
    }

    /// The words that close a circle: those of the arrow without which the fewest others are in one.
    var closing: [String] {
        let all = Set(arrows.keys)
        let left = circled(all).map { ($0, circled(all.subtracting([$0])).count) }
        return left.min { $0.1 < $1.1 }.flatMap { arrows[$0.0] } ?? []
    }

    private func circled(_ arrows: Set<Arrow>) -> Set<Arrow> {
        arrows.filter { arrow in
            var (seen, next): (Set<String>, [String]) = ([], [arrow.home])
            while let room = next.popLast() {
                guard seen.insert(room).inserted else { continue }
                next += arrows.filter { $0.room == room }.map(\.home)
            }
            return seen.contains(arrow.room)
        }
    }
}

/// What a file declares, and which words it uses. Members have a dot before their names.
private struct ServerFile {
    let path: String
    let room: String
    /// All names, at any depth.
    private(set) var declared: Set<String> = []
    /// What other files can use: top-level names, and the members of extensions.
    private(set) var offered: Set<String> = []
    private let code: [String]

    init(_ file: SourceFile) {
        path = file.path
        room = file.path.dropFirst(server.count).split(separator: "/").dropLast().joined(separator: "/")
        code = file.lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.map { line in
            line.utf8.contains(UInt8(ascii: "\"")) ? line.replacing(/"([^"\\]|\\.)*"/, with: "") : line
        }
        var isExtension = false
        for line in code {
            let isCase = line.drop { $0 == " " }.hasPrefix("case ")
            let names = isCase ? line.matches(of: /\w+/).map { String($0.0) } : declaredNames(line)
            declared.formUnion(names)
            let depth = line.prefix { $0 == " " }.count
            if depth == 0, line.first?.isLetter == true { isExtension = line.hasPrefix("extension ") }
            if let name = names.first, !isCase, !line.contains("private") {
                if depth == 0, !isExtension { offered.insert(name) }
                if depth == 4, isExtension { offered.insert("." + name) }
            }
        }
    }

    var used: Set<String> {
        code.reduce(into: []) { used, line in
            for word in line.matches(of: /(\.?)\b([A-Za-z_]\w*)([:(]?)/) {
                let name = String(word.2)
                let isLabel = word.3 == ":" && name.first?.isLowercase == true
                if word.1.isEmpty, !isLabel { used.insert(name) }
                if word.1 == "." || word.3 == "(" { used.insert("." + name) }
            }
        }
    }
}

private func declaredNames(_ line: String) -> [String] {
    line.matches(of: /\b(?:struct|class|enum|protocol|actor|typealias|func|let|var) (\w+)/)
        .map { String($0.1) }
}
