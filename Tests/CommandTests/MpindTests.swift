// SPDX-License-Identifier: Apache-2.0
// `mpind`: the shapes of what it prints with `--json`, and what it says when it cannot.
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: hasDaemon)) struct MpindTests {
    @Test func `what nobody can mean ends with 64`() throws {
        for words in [
            ["nonsense"], ["user"], ["user", "add"], ["user", "confirm", "alice"], ["user", "revoke"],
            ["user", "confirm", "alice", "--id", "0a"], ["user", "unlock", "--id", "0a"], ["host", "add"],
            ["user", "nonsense"], ["user", "add", "alice", "--print"],
        ] {
            let ending = try command(["mpind"] + words)
            #expect([0, 64].contains(ending.status) && ending.signal == nil, "\(words)")
            // A group of commands alone shows its help.
            #expect(ending.status == 64 || ending.output.hasPrefix("OVERVIEW"), "\(words)")
        }
    }

    @Test func `without a daemon a command ends with 3 and prints nothing for programs`() throws {
        let folder = try TemporaryFolder()
        let ending = try command("mpind", "user", "list", "--data", folder.path + "/data", "--json")
        #expect(ending.isSilent(status: 3))
    }

    @Test func `users and hosts have their shapes in JSON`() throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        #expect(try command("mpind", "init", "--data", data).status == 0)
        let daemon = try Background(
            built("mpind"), ["serve", "--data", data, "--listen", "unix:\(folder.path)/socket"],
            until: "ready")
        func asked(_ words: String...) throws -> [String: Any] {
            let ending = try command(["mpind"] + words + ["--data", data, "--json"])
            #expect(ending.status == 0, "\(words)")
            return try object(ending)
        }
        #expect(try asked("user", "add", "a").keys.sorted() == ["activationCode", "expires", "userId"])
        let list = try asked("user", "list")
        #expect(list.keys.sorted() == ["users", "waiting"])
        #expect(try objects(list["users"]).first?.keys.sorted() == ["codeExpires", "identities", "userId"])
        #expect(try asked("user", "unlock", "a").keys.sorted() == ["identities"])
        #expect(try asked("user", "revoke", "a").keys.sorted() == ["identities"])
        let added = ["epoch", "expires", "host", "joinCode"]
        #expect(try asked("host", "add", "db1").keys.sorted() == added)
        #expect(try asked("host", "rotate", "db1").keys.sorted() == added)
        let both = try asked("host", "add", "db3", "--user", "b")
        #expect(both.keys.sorted() == ["host", "user"])
        #expect((both["host"] as? [String: Any])?.keys.sorted() == added)
        #expect((both["user"] as? [String: Any])?["userId"] as? String == "b")
        #expect(try objects(asked("host", "list")["hosts"]).first?.keys.sorted() == ["epoch", "host"])
        #expect(try command("mpind", "host", "remove", "db2", "--data", data).status == 1)
        #expect(try command("mpind", "init", "--data", data).status == 1)
        withExtendedLifetime(daemon) {}
    }
}
