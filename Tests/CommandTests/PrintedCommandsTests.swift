// SPDX-License-Identifier: Apache-2.0
// Commands that messages, help and screens tell people to run: each exists, with the options that it names.
import Foundation
import TestSupport
import Testing

/// A command in a sentence of Tests/Sentences/golden.txt, where `{}` stands for what is computed.
struct PrintedCommand: Hashable, Sendable, CustomTestStringConvertible {
    let words: [String]
    var testDescription: String { words.joined(separator: " ") }

    /// Those in quotes or backticks, and those that begin with `sudo`.
    static let all: [PrintedCommand] = {
        let sentences = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sentences/golden.txt")
        let text = (try? String(contentsOf: sentences, encoding: .utf8)) ?? ""
        let quoted = text.matches(of: #/['`](?:sudo )?(mpind? [^'`\n]*)['`]/#).map { String($0.1) }
        let asRoot = text.matches(of: #/sudo (mpind? [a-z][^'`.,;:()\n]*)/#).map { String($0.1) }
        let commands = Set(quoted + asRoot).map { command in
            PrintedCommand(words: command.split(separator: " ").map(String.init))
        }
        return commands.filter { programs.contains($0.words[0]) }.sorted {
            $0.testDescription < $1.testDescription
        }
    }()

    /// The longest command of this build that the words begin with.
    var path: [String] {
        UsageTests.commands.filter { words.starts(with: $0) }.max { $0.count < $1.count } ?? []
    }

    /// `--option` and `-o`, without the values.
    var options: [String] { words.filter { $0.wholeMatch(of: #/--?[a-z][a-z-]*/#) != nil } }
}

@Suite struct `A printed command` {
    @Test func `is found in the sentences of each program`() {
        let paths = Set(PrintedCommand.all.map(\.path))
        #expect(paths.contains(["mpin", "enroll"]) && paths.contains(["mpin", "host", "join"]))
        #expect(!hasDaemon || paths.contains(["mpind", "user", "add"]))
    }

    @Test(arguments: PrintedCommand.all)
    func `runs as it stands: its subcommand and its options exist`(_ printed: PrintedCommand) throws {
        let path = printed.path
        try #require(path.count > 1, "no such command")
        let isGroup = UsageTests.commands.contains { $0.count > path.count && $0.starts(with: path) }
        #expect(!isGroup || printed.words == path, "no such subcommand")
        let help = try command(path + ["--help"]).output
        let known = Set(help.matches(of: #/(?:^|[\s,\[\(\/])(--?[a-z][a-z-]*)/#).map { String($0.1) })
        for option in printed.options { #expect(known.contains(option), "\(option)") }
    }
}
