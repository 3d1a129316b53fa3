// SPDX-License-Identifier: Apache-2.0
// What every command has: help, a version, completion, and the same answer to an unknown option.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct UsageTests {
    static let commands = [
        ["mpin"], ["mpin", "host"], ["mpin", "host", "join"], ["mpin", "enroll"], ["mpin", "allow"],
        ["mpin", "users"], ["mpin", "show"], ["mpin", "remove"], ["mpin", "backup-codes"],
        ["mpin", "standing"], ["mpin", "test"],
        ["mpin", "why"], ["mpin", "approve"], ["mpin", "doctor"], ["mpin", "setup"],
        ["mpin", "change-pin"], ["mpin", "session"], ["mpin", "logout"], ["mpin", "otp"],
        ["mpin", "authcode"], ["mpin", "import"], ["mpin", "backend"], ["mpin", "backend", "test"], ["mpind"],
        ["mpind", "init"], ["mpind", "serve"], ["mpind", "user"], ["mpind", "user", "add"],
        ["mpind", "user", "list"], ["mpind", "user", "show"], ["mpind", "user", "revoke"],
        ["mpind", "user", "remove"], ["mpind", "user", "unlock"], ["mpind", "user", "suspend"],
        ["mpind", "user", "resume"],
        ["mpind", "user", "confirm"], ["mpind", "host"], ["mpind", "host", "add"], ["mpind", "host", "list"],
        ["mpind", "host", "rotate"], ["mpind", "host", "remove"], ["mpind", "app"], ["mpind", "app", "add"],
        ["mpind", "app", "list"], ["mpind", "app", "remove"], ["mpind", "audit"], ["mpind", "authority"],
        ["mpind", "seal"], ["mpind", "unseal"], ["mpind", "setup"], ["mpind", "tls"],
        ["mpind", "tls", "self"], ["mpind", "tls", "renew"], ["mpind", "check"],
        ["mpind", "database"], ["mpind", "database", "check"],
        ["mpind", "database", "upgrade"], ["mpind", "database", "copy"],
    ].filter { programs.contains($0[0]) }

    @Test func `the commands are those that the help lists`() throws {
        for program in programs {
            let named = try subcommands(of: [program])
            #expect(Set(named) == Set(UsageTests.commands.filter { $0[0] == program }))
        }
    }

    /// A command and all its subcommands, as the sections SUBCOMMANDS of the help list them.
    private func subcommands(of path: [String]) throws -> [[String]] {
        let help = try command(path + ["--help"]).output
        guard let list = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first else {
            return [path]
        }
        let names = list.components(separatedBy: "\n\n")[0].matches(of: #/(?m)^  ([a-z-]+)(?: |$)/#).map(\.1)
        return try names.reduce(into: [path]) { $0 += try subcommands(of: path + [String($1)]) }
    }

    @Test(arguments: commands) func `help says what a command does and takes`(_ path: [String]) throws {
        let help = try command(path + ["--help"])
        #expect(help.status == 0)
        #expect(help.output.hasPrefix("OVERVIEW: "))
        #expect(help.output.contains("\nUSAGE: " + path.joined(separator: " ")))
        #expect(help.output.contains("-h, --help"))
    }

    @Test(arguments: commands, [60, 80, 120])
    func `help fills the width of the terminal, and 80 columns where there is none`(
        _ path: [String], _ width: Int
    ) throws {
        let columns = width == 80 ? ["-u", "COLUMNS"] : ["COLUMNS=\(width)"]
        let words = try columns + [built(path[0])] + path.dropFirst() + ["--help"]
        let help = try run("/usr/bin/env", words).output
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines { #expect(line.count <= width, "\(line)") }
        let overview = lines.prefix { !$0.hasPrefix("USAGE: ") }
        for (line, next) in zip(overview, overview.dropFirst())
        where !line.isEmpty && !next.isEmpty && !line.hasPrefix(" ") && !next.hasPrefix(" ") {
            #expect(line.count + 1 + next.prefix { $0 != " " }.count > width, "\(line)")
        }
    }

    @Test(arguments: programs) func `the version is three numbers`(_ program: String) throws {
        let version = try command(program, "--version")
        #expect(version.status == 0)
        #expect(version.output.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil, "\(version.output)")
    }

    @Test(arguments: commands) func `an unknown option is a usage error`(_ path: [String])
        throws
    {
        let ending = try command(path + ["--no-such-option"])
        #expect(ending.isSilent(status: 64))
        #expect(try words(path + ["--no-such-option"]).hasPrefix("Error: "))
    }

    @Test(arguments: programs, ["bash", "zsh", "fish"])
    func `the shells can parse the completion script`(_ program: String, _ shell: String) throws {
        let script = try command(program, "--generate-completion-script", shell)
        #expect(script.status == 0)
        #expect(script.output.contains(program) && script.output.contains("host"))
        guard try run("/usr/bin/env", ["which", shell]).status == 0 else { return }
        let folder = try TemporaryFolder()
        try Data(script.output.utf8).write(to: URL(filePath: folder.path + "/script"))
        let read = try run("/usr/bin/env", [shell, "-n", folder.path + "/script"], withErrors: true)
        #expect(read.isSilent(status: 0))
    }

    /// Odd arguments, at places where one is expected, in a folder where they can do no harm.
    @Test(arguments: commands.filter { !["init", "serve"].contains($0.last) })
    func `no argument makes a command trap`(_ path: [String]) throws {
        let folder = try TemporaryFolder()
        let odd = [
            "", "-", "--", "-1", "99999999999999999999", "%s%n", "\u{202e}a", "../..", "e\u{301}", "{}",
            String(repeating: "x", count: 100_000), "unix:", "unix:/" + String(repeating: "y", count: 200),
        ]
        let options = ["--store", "--pin-fd", "--code-fd", "--backend", "--identity", "--id", "--data"]
        let here = path[0] == "mpin" ? ["--store", "store"] : ["--data", "data"]
        for (index, text) in odd.enumerated() {
            let option = options[index % options.count]
            let tail = [[text], [option, text], [text, option, text, "--json"]][index % 3]
            let inFolder = ["-c", #"cd "$0" && exec "$@""#, folder.path]
            let ending = try run("/bin/sh", inFolder + [built(path[0])] + path.dropFirst() + here + tail)
            #expect(ending.signal == nil, "\(path) \(tail)")
            #expect([1, 2, 3, 64].contains(ending.status), "\(ending.status): \(path) \(tail)")
        }
    }
}
