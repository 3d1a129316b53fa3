// SPDX-License-Identifier: Apache-2.0
// Commands that messages, help, screens and README tell users to run: each exists, with the options that it
// names, has all required arguments, and begins with `sudo` if only root can run it.
import Foundation
import TestSupport
import Testing

/// A command in a text of the sources, where `{}` stands for a computed part.
struct PrintedCommand: Hashable, Sendable, CustomTestStringConvertible {
    let words: [String]
    let sudo: Bool
    /// Whether it is in backticks, as in help and in messages to administrators who run mpind already.
    let isNamed: Bool
    var testDescription: String { (sudo ? "sudo " : "") + words.joined(separator: " ") }

    /// The code of programs, page and packages without its comments. Literals that `+` joins are one.
    static let sentences = ["Sources", "packaging/debian"].flatMap { folder in
        let path = checkout.appending(path: folder).path
        let names = try? FileManager.default.subpathsOfDirectory(atPath: path)
        return (names ?? []).filter { !$0.hasPrefix("tests/") }.map { text(folder + "/" + $0) }
    }.map { text in
        text.replacing(#/(?m)^ *(?:\/\/|#).*$/#, with: "")
            .replacing(#/\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/#, with: "{}")
            .replacing(#/"\)?\s*\+ (?:ascii\()?"|\\\n */#, with: "")
            .replacing(#/\n +(?=[A-Z])/#, with: " ")
    }.joined(separator: "\n")

    private static func text(_ path: String) -> String {
        (try? String(contentsOf: checkout.appending(path: path), encoding: .utf8)) ?? ""
    }

    private init(_ command: Substring, sudo: Bool, isNamed: Bool) {
        words = command.split(separator: " ").map(String.init)
        self.sudo = sudo
        self.isNamed = isNamed
    }

    /// Commands in quotes or backticks, and those that begin with `sudo`; from README only the latter.
    static let all: [PrintedCommand] = {
        let quoted = sentences.matches(of: #/(['`])(sudo )?(mpind? [^'`"$\n]*)['`]/#).map {
            PrintedCommand($0.3, sudo: $0.2 != nil, isNamed: $0.1 == "`")
        }
        let asRoot = (sentences + text("README.md")).matches(
            of: #/sudo (mpind? [a-z][^'`".,;:()\n]*)/#
        ).map { PrintedCommand($0.1, sudo: true, isNamed: false) }
        return Set(quoted + asRoot).filter { programs.contains($0.words[0]) }.sorted {
            $0.testDescription < $1.testDescription
        }
    }()

    /// The longest command of this build that the words begin with.
    var path: [String] {
        UsageTests.commands.filter { words.starts(with: $0) }.max { $0.count < $1.count } ?? []
    }

    /// `--option` and `-o`, without the values.
    var options: [String] { words.filter { $0.wholeMatch(of: #/--?[a-z][a-z-]*/#) != nil } }

    /// The words behind the command that are neither an option nor the value of one.
    /// - Parameter valued: options that have a value.
    func arguments(_ valued: Set<String>) -> [String] {
        let behind = words.dropFirst(path.count)
        return zip(behind, [""] + behind).filter { word, before in
            !word.hasPrefix("-") && !valued.contains(before)
        }.map(\.0)
    }

    /// Whether users other than root run it: commands for a user's own device, and programs of systemd.
    var isForEveryUser: Bool {
        switch path.dropFirst().first {
        case "approve", "authcode", "authority", "backend", "logout", "otp", "serve", "session": true
        case "enroll": options.contains("--personal")
        default: false
        }
    }
}

@Suite(.slow) struct `A printed command` {
    @Test func `is found in the sentences of each program`() {
        let paths = Set(PrintedCommand.all.map(\.path))
        #expect(paths.contains(["mpin", "enroll"]) && paths.contains(["mpin", "host", "join"]))
        #expect(paths.contains(["mpind", "user", "add"]))
    }

    @Test(arguments: PrintedCommand.all)
    func `can be run as printed: its subcommand and its options exist`(_ printed: PrintedCommand) throws {
        let path = printed.path
        try #require(path.count > 1, "no such command")
        let isGroup = UsageTests.commands.contains { $0.count > path.count && $0.starts(with: path) }
        #expect(!isGroup || printed.words == path, "no such subcommand")
        let help = try command(path + ["--help"]).output
        let known = Set(help.matches(of: #/(?:^|[\s,\[\(\/])(--?[a-z][a-z-]*)/#).map { String($0.1) })
        for option in printed.options { #expect(known.contains(option), "\(option)") }
    }

    @Test(arguments: PrintedCommand.all)
    func `has all required arguments: users replace only the names in capitals`(
        _ printed: PrintedCommand
    ) throws {
        let help = try run(
            "/usr/bin/env", ["COLUMNS=2000", built(printed.path[0])] + printed.path.dropFirst() + ["--help"]
        ).output
        let usage = help.split(separator: "\n").first { $0.hasPrefix("USAGE: ") } ?? ""
        let needed = usage.replacing(#/\[[^\[\]]*(?:\[[^\]]*\])?[^\[\]]*\]/#, with: "")
        let valued = Set(help.matches(of: #/(--?[a-z][a-z-]*) </#).map { String($0.1) })
        let given = printed.arguments(valued)
        let options = Set(printed.options)
        for option in needed.matches(of: #/(--[a-z-]+) </#) { #expect(options.contains(String(option.1))) }
        let names = needed.replacing(#/--[a-z-]+ <[^>]*>/#, with: "").matches(of: #/<([^>]*)>/#)
        let count = names.filter { !["options", "subcommand"].contains($0.1) }.count
        #expect(given.count >= count, "\(needed)")
        // Requirements that the commands check themselves.
        switch printed.path.dropFirst() {
        case ["enroll"] where options.contains("--personal"):
            #expect(given.isEmpty && options.isSuperset(of: ["--identity", "--backend"]))
        case ["enroll"]:
            #expect(given.count == 1)
        case ["user", "revoke"], ["user", "unlock"]: #expect(given.count == 1 || options.contains("--id"))
        default: break
        }
    }

    @Test func `of the system begins with sudo if it changes what root owns`() {
        let ofRoot =
            #/['`](?:chattr|chmod|chown|install|systemctl (?!status)|timedatectl|touch|visudo)[^'`\n]*/#
        let bare = PrintedCommand.sentences.matches(of: ofRoot).map { String($0.0.dropFirst()) }
        // The owner of the file runs the first; setup itself has run the second.
        #expect(Set(bare) == ["chmod 644 {}", "systemctl {}"])
    }

    @Test(arguments: PrintedCommand.all.filter { !$0.isNamed })
    func `begins with sudo if only root can run it`(_ printed: PrintedCommand) {
        #expect(printed.sudo != printed.isForEveryUser)
    }
}
