// SPDX-License-Identifier: Apache-2.0
// `mpin`: its exit statuses, the kind and sentence of each failure, and the shape of every JSON object.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct MpinTests {
    @Test func `invalid usage ends with 64`() throws {
        for words in [
            ["nonsense"], ["enroll"], ["allow", "root"], ["show"], ["remove"], ["test"],
            ["allow", "root", Host.id, "--way", "pigeon", "--label", "x"], ["host", "join"],
            ["test", "root", "--pin-fd", "one"], ["users", "extra"], ["approve", "3232212", "3232212"],
            ["enroll", "--identity", "x"], ["enroll", "--personal", "--identity", "x"],
            ["enroll", "root", "--personal", "--identity", "x", "--backend", "unix:/nowhere/s"],
            ["enroll", "--personal", "--phone", "--identity", "x", "--backend", "unix:/nowhere/s"],
            ["enroll", "root", "--phone", "--remote", "--identity", "x"],
            ["enroll", "root", "--bind", "--here"], ["enroll", "root", "--bind", "--code-fd", "0"],
            ["enroll", "root", "--identity", "x", "--print"], ["enroll", "--bind"],
        ] {
            let ending = try command(["mpin"] + words)
            #expect(ending.isSilent(status: 64), "\(words)")
        }
    }

    @Test func `a failure is reported as JSON too, with its kind`() throws {
        let host = try Host()
        let failures: [([String], CInt, String)] = [
            (["users", "--store", "/nowhere"], 2, "store"),
            (["show", host.user, "--store", host.store], 1, "not-enrolled"),
            (["remove", host.user, "--store", host.store], 1, "not-enrolled"),
            (["show", "no such account", "--store", host.store], 2, "settings"),
            (
                ["allow", host.user, "0a0b", "--way", "phone", "--label", "x", "--store", host.store], 2,
                "settings"
            ),
            (["approve", "3232212", "--store", "/nowhere"], 1, "not-enrolled"),
            (["approve", "3232212", "--store", host.store], 1, "not-enrolled"),
            (["enroll", host.user, "--phone", "--identity", "x", "--config", "/nowhere/c"], 2, "settings"),
            (["test", host.user, "--config", "/nowhere/mpin.conf", "--store", host.store], 2, "settings"),
        ]
        for (words, status, kind) in failures {
            let ending = try command(["mpin"] + words + ["--json"])
            #expect(ending.status == status, "\(words)")
            let error = try #require(object(ending)["error"] as? [String: String])
            #expect(error.keys.sorted() == ["kind", "message"])
            #expect(error["kind"] == kind, "\(words)")
            // Without `--json` the same sentence is printed.
            let said = try run(built("mpin"), words, withErrors: true)
            #expect(said.output == "mpin: \(error["message"] ?? "")\n")
        }
    }

    @Test func `an identity has the same shape in every command`() throws {
        let host = try Host()
        let empty = try object(host.mpin("users", "--json"))
        #expect(empty.keys.sorted() == ["unreadable", "users"])
        #expect(try objects(empty["users"]).isEmpty)
        let allowed = try object(host.allow())
        #expect(allowed.keys.sorted() == ["identity", "uid", "user"])
        let shown = try object(host.mpin("show", host.user, "--json"))
        #expect(shown.keys.sorted() == ["host", "identities", "uid", "user"])
        #expect(shown["uid"] as? Int == Int(geteuid()))
        let listed = try objects(object(host.mpin("users", "--json"))["users"])
        #expect(try objects(listed.first?["identities"]).count == 1)
        let identities = try objects(shown["identities"]) + [#require(allowed["identity"] as? [String: Any])]
        for identity in identities {
            #expect(identity.keys.sorted() == ["enrolled", "id", "label", "way"])
            #expect(identity["id"] as? String == Host.id && identity["way"] as? String == "phone")
        }
        let removed = try object(host.mpin("remove", host.user, "--identity", "0a0a0a0a", "--json"))
        #expect(removed["removed"] as? [String] == [Host.id])
        #expect(removed.keys.sorted() == ["backupCodesEnded", "removed", "uid", "user"])
    }

    /// What a command says to a user other than root.
    private func asOther(_ program: Program, _ words: [String]) throws -> String {
        try run(
            "/usr/bin/setpriv",
            ["--reuid=65534", "--regid=65534", "--clear-groups", "--", program.path] + words,
            withErrors: true
        ).output
    }

    @Test(.enabled(if: geteuid() == 0)) func `files of root are said to be root's, and what to do about it`()
        throws
    {
        let host = try Host()
        let program = try Program("mpin")
        let folder = try TemporaryFolder()
        let settings = folder.path + "/mpin.conf"
        try Data("backend = unix:/nowhere/s\n".utf8).write(to: URL(filePath: settings))
        for words in [
            ["users"], ["show", "root"], ["remove", "root"], ["backup-codes", "root"], ["standing"],
            ["test", "root"], ["why", "root", "--service", "su"], ["enroll", "root", "--phone"],
            ["enroll", "root", "--here"], ["change-pin", "root"],
            ["allow", "root", Host.id, "--way", "phone", "--label", "x"], ["host", "join", "db1"],
        ] {
            let takesSettings = !["users", "show", "remove", "allow"].contains(words[0])
            let config = takesSettings ? ["--config", settings] : []
            let said = try asOther(program, words + ["--store", host.store] + config)
            #expect(said.contains("permission denied"), "\(words): \(said)")
            #expect(said.contains("run this command as root (sudo)"), "\(words): \(said)")
        }
        withExtendedLifetime(program) {}
    }

    @Test(.enabled(if: geteuid() == 0)) func `files of mpind are said to be root's as well`()
        throws
    {
        let program = try Program("mpind")
        let folder = try TemporaryFolder()
        let settings = folder.path + "/mpind.conf"
        try Data("listen = unix:\(folder.path)/s\n".utf8).write(to: URL(filePath: settings))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: settings)
        for words in [
            ["check"], ["database", "check"], ["seal"], ["unseal"], ["init"], ["user", "list"], ["serve"],
        ] {
            let said = try asOther(program, words + ["--config", settings])
            #expect(said.contains("permission denied: run this command as root (sudo)"), "\(words): \(said)")
        }
        withExtendedLifetime(program) {}
    }

    @Test(arguments: [
        ["backend", "test"], ["enroll", "--personal", "--identity", "x", "--pin-fd", "9", "--backend"],
    ])
    func `a server without a scheme is one of https`(_ words: [String]) throws {
        let folder = try TemporaryFolder()
        let store = words[0] == "enroll" ? ["--store", folder.path + "/tokens"] : []
        let said = try command(["mpin"] + words + ["login.invalid:8443"] + store + ["--json"])
        #expect(said.status == 3, "\(said.output)")
        #expect(said.output.contains("https://login.invalid:8443 cannot be reached"))
    }

    @Test func `an unknown name in the settings is a warning`() throws {
        let host = try Host()
        let lines = "users = \(host.user) no-such-user *x\ngroups = !no-such-group\nnever = no-such-user\n"
        let file = host.store + "/mpin.conf"
        try Data(("backend = unix:/nowhere/s\n" + lines).utf8).write(to: URL(filePath: file))
        let test = ["test", host.user, "--config", file, "--store", host.store, "--pin-fd", "9"]
        let said = try run(built("mpin"), test, withErrors: true)
        let warnings = said.output.split(separator: "\n").filter { $0.hasPrefix("mpin: warning: ") }
        #expect(warnings.map { $0.contains("'no-such-user'") } == [true, false, true], "\(said.output)")
    }

    @Test func `an unreadable file hides no other`() throws {
        let host = try Host()
        _ = try host.allow()
        let bad = host.store + "/users/4711"
        try Data("rubbish".utf8).write(to: URL(filePath: bad))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: bad)
        let ending = try host.mpin("users", "--json")
        #expect(ending.status == 2)
        let told = try object(ending)
        #expect(try objects(told["users"]).count == 1)
        let unreadable = try objects(told["unreadable"])
        #expect(unreadable.count == 1 && unreadable.first?.keys.sorted() == ["file", "message"])
    }

    /// As an ordinary user, for whom the relay needs no account of its own.
    @Test func `an unreachable server ends with 3`() throws {
        let programs = try [Program("mpin"), Program("mpin-relay")]
        let folder = try TemporaryFolder()
        try Data("BCDF-GHJK-LMNP-QRST\n".utf8).write(to: URL(filePath: folder.path + "/code"))
        let other = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
        if geteuid() == 0 { try #require(unsafe chown(folder.path, 65_534, 65_534) == 0) }
        let join =
            "\(other) \(programs[0].path) host join db1 --code-fd 3 --relay \(programs[1].path) --json"
            + " --store \(folder.path)/store --backend unix:\(folder.path)/nobody 3<\(folder.path)/code"
        let ending = try run("/bin/sh", ["-c", join])
        #expect(ending.status == 3)
        #expect(try object(ending)["error"] as? [String: String] != nil)
        for program in programs { program.remove() }
    }
}
