// SPDX-License-Identifier: Apache-2.0
// `mpind`: the shapes of what it prints with `--json`, and its errors.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct MpindTests {
    @Test func `invalid usage ends with 64`() throws {
        for words in [
            ["nonsense"], ["user"], ["user", "add"], ["user", "confirm", "alice"], ["user", "revoke"],
            ["user", "confirm", "alice", "--id", "0a"], ["user", "unlock", "--id", "0a"], ["host", "add"],
            ["user", "nonsense"], ["user", "add", "alice", "--print"], ["user", "suspend"],
            ["user", "resume"],
            ["user", "suspend", "alice", "--until", "tomorrow"], ["user", "suspend", "alice", "--for", "0h"],
            ["user", "suspend", "alice", "--for", "2h", "--until", "2100-01-01"],
            ["user", "list", "--state", "away"], ["user", "list", "--since", "once"],
        ] {
            let ending = try command(["mpind"] + words)
            #expect([0, 64].contains(ending.status) && ending.signal == nil, "\(words)")
            // A group of commands without a subcommand shows its help.
            #expect(ending.status == 64 || ending.output.hasPrefix("OVERVIEW"), "\(words)")
        }
    }

    /// The kind of the failure that a command prints as JSON; its sentence is the one that it prints without.
    private func failure(_ words: String..., status: CInt) throws -> String? {
        let ending = try command(["mpind"] + words + ["--json"])
        #expect(ending.status == status && ending.signal == nil, "\(words)")
        let error = try #require(object(ending)["error"] as? [String: String])
        #expect(error.keys.sorted() == ["kind", "message"])
        #expect(try mpindSays(words) == "mpind: \(error["message"] ?? "")\n")
        return error["kind"]
    }

    private func mpindSays(_ words: [String]) throws -> String {
        try run(built("mpind"), words, withErrors: true).output
    }

    @Test func `a failure is reported as JSON too, with its kind`() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/mpind.conf"
        try Data("lock-after = 4\n".utf8).write(to: URL(filePath: file))
        let data = folder.path + "/data"
        #expect(try failure("user", "list", "--data", data, status: 3) == "unreachable")
        for words in [["check"], ["database", "check"], ["user", "list"], ["audit"]] {
            let ending = try command(["mpind"] + words + ["--config", file, "--json"])
            #expect((try object(ending)["error"] as? [String: String])?["kind"] == "settings", "\(words)")
        }
        #expect(try failure("check", "--config", folder.path + "/none", status: 2) == "settings")
        let daemon = try Daemon()
        #expect(try failure("user", "show", "nobody", "--data", daemon.data, status: 1) == "refused")
        #expect(try failure("host", "remove", "none", "--data", daemon.data, status: 1) == "refused")
        withExtendedLifetime(daemon) {}
    }

    @Test func `every time in JSON is one of RFC 3339 in UTC`() throws {
        let daemon = try Daemon()
        let form = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#
        func isTime(_ value: Any?) -> Bool { (value as? String)?.wholeMatch(of: form) != nil }
        #expect(try isTime(daemon.asked("user", "add", "a")["expires"]))
        #expect(try isTime(daemon.asked("host", "add", "db1")["expires"]))
        let both = try daemon.asked("host", "add", "db2", "--user", "b")
        for part in ["host", "user"] { #expect(isTime((both[part] as? [String: Any])?["expires"])) }
        let suspended = try daemon.asked("user", "suspend", "a", "--for", "1h", "--reason", "\"at\":1")
        #expect(isTime(suspended["since"]) && isTime(suspended["until"]))
        #expect(suspended["reason"] as? String == "\"at\":1")
        let user = try #require(objects(daemon.asked("user", "list", "--user", "a")["users"]).first)
        #expect(isTime(user["added"]) && isTime(user["codeExpires"]))
        let shown = try #require(daemon.asked("user", "show", "a")["user"] as? [String: Any])
        #expect(isTime(shown["added"]))
        let audit = try command("mpind", "audit", "--last", "1", "--data", daemon.data, "--json")
        #expect(try isTime(object(audit)["at"]))
        withExtendedLifetime(daemon) {}
    }

    @Test func `the check of the settings answers in JSON`() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/mpind.conf"
        try Data("profile = compat\nmax-invalid-logins = 9\n".utf8).write(to: URL(filePath: file))
        let told = try object(command("mpind", "check", "--config", file, "--json"))
        #expect(told.keys.sorted() == ["warnings"])
        #expect((told["warnings"] as? [String])?.count == 1)
    }

    @Test func `users and hosts have their shapes in JSON, and a host's next command is in the text`() throws
    {
        let daemon = try Daemon()
        let data = daemon.data
        #expect(
            try daemon.asked("user", "add", "a").keys.sorted() == ["activationCode", "expires", "userId"])
        let list = try daemon.asked("user", "list")
        #expect(list.keys.sorted() == ["users", "waiting"])
        let waiting = ["added", "codeExpires", "identities", "state", "userId"]
        #expect(try objects(list["users"]).first?.keys.sorted() == waiting)
        #expect(try objects(daemon.asked("user", "list", "--state", "waiting")["users"]).count == 1)
        #expect(try objects(daemon.asked("user", "list", "--state", "active")["users"]).isEmpty)
        #expect(try daemon.asked("user", "show", "a").keys.sorted() == ["user", "waiting"])
        #expect(try failure("user", "unlock", "a", "--data", data, status: 1) == "refused")
        #expect(try daemon.asked("user", "revoke", "a").keys.sorted() == ["identities"])
        let added = ["epoch", "expires", "host", "joinCode"]
        #expect(try daemon.asked("host", "add", "db1").keys.sorted() == added)
        #expect(try daemon.asked("host", "rotate", "db1").keys.sorted() == added)
        let both = try daemon.asked("host", "add", "db3", "--user", "b")
        #expect(both.keys.sorted() == ["host", "user"])
        #expect((both["host"] as? [String: Any])?.keys.sorted() == added)
        #expect((both["user"] as? [String: Any])?["userId"] as? String == "b")
        #expect(try objects(daemon.asked("host", "list")["hosts"]).first?.keys.sorted() == ["epoch", "host"])
        let text = try command("mpind", "host", "add", "db4", "--data", data).output
        #expect(text.contains(#/On the host:\n    sudo mpin setup --host db4 --backend '?unix:/#))
        let settings = daemon.folder.path + "/mpind.conf"
        let lines = "admin-socket = \(data)/admin.sock\npublic-url = https://login.example.org\n"
        try Data(lines.utf8).write(to: URL(filePath: settings))
        let addressed = try command("mpind", "host", "add", "db5", "--config", settings).output
        #expect(addressed.contains("    sudo mpin setup --host db5 --backend https://login.example.org\n"))
        let again = try command("mpind", "host", "rotate", "db5", "--config", settings).output
        #expect(again.contains("    sudo mpin host join db5\n"))
        #expect(try command("mpind", "host", "remove", "db2", "--data", data).status == 1)
        #expect(try command("mpind", "init", "--data", data).status == 1)
        withExtendedLifetime(daemon) {}
    }

    @Test func `settings are checked, and an error names the bounds`() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/mpind.conf"
        for (line, status, sentence) in [
            ("lock-after = 2", 0, "The settings are valid."),
            ("lock-after = 4", 2, "line 1: `lock-after`: give a whole number from 1 to 3."),
            ("session-life = 301", 2, "line 1: `session-life`: give a whole number from 30 to 300."),
        ] {
            try Data("\(line)\n".utf8).write(to: URL(filePath: file))
            #expect(try command("mpind", "check", "--config", file).status == status, "\(line)")
            #expect(try words(["mpind", "check", "--config", file]).contains(sentence), "\(line)")
        }
    }

    @Test func `a suspension has its shape in JSON`() throws {
        let daemon = try Daemon()
        let data = daemon.data
        _ = try daemon.asked("user", "add", "a")
        let suspended = try daemon.asked("user", "suspend", "a", "--until", "2100-01-01", "--reason", "leave")
        #expect(suspended.keys.sorted() == ["reason", "since", "until"])
        #expect(suspended["until"] as? String == "2100-01-01T00:00:00Z")
        let alice = try #require(objects(daemon.asked("user", "list", "--user", "?")["users"]).first)
        let told = ["added", "codeExpires", "identities", "state", "suspended", "userId"]
        #expect(alice.keys.sorted() == told)
        #expect(alice["state"] as? String == "suspended")
        #expect(try daemon.asked("user", "resume", "a").keys.sorted() == ["identities"])
        #expect(try failure("user", "resume", "a", "--data", data, status: 1) == "refused")
        withExtendedLifetime(daemon) {}
    }
}

/// A daemon with its own folder, which runs for as long as this object exists.
private final class Daemon {
    let folder: TemporaryFolder
    let data: String
    private let process: Background

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path + "/data"
        #expect(try command("mpind", "init", "--data", data).status == 0)
        process = try Background(
            built("mpind"), ["serve", "--data", data, "--listen", "unix:\(folder.path)/socket"],
            until: "ready")
    }

    /// The JSON object that a command prints.
    func asked(_ words: String...) throws -> [String: Any] {
        let ending = try command(["mpind"] + words + ["--data", data, "--json"])
        #expect(ending.status == 0, "\(words)")
        return try object(ending)
    }
}
