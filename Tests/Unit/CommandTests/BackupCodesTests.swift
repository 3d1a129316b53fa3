// SPDX-License-Identifier: Apache-2.0
// `mpin backup-codes`, and what other commands report about codes.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct `mpin backup-codes` {
    /// A host with a key that accepts backup codes in the service `mpin`, which is that of `mpin test`.
    private struct HostFixture {
        let host: Host
        var file: String { host.store + "/codes/\(geteuid())" }

        init(_ settings: String = "backup-codes = mpin") throws {
            host = try Host()
            try host.giveKey()
            try #require(host.allow().status == 0)
            try host.write("backend = unix:/nowhere/s\nmethod = pin\n\(settings)\n", to: "mpin.conf")
        }

        func make(_ words: String...) throws -> Ending { try make(words) }

        private func make(_ words: [String]) throws -> Ending {
            let place = ["--store", host.store, "--config", host.store + "/mpin.conf"]
            return try command(["mpin", "backup-codes", host.user] + place + words)
        }

        func codes(_ words: String...) throws -> [String] {
            let ending = try make(["--json"] + words)
            try #require(ending.status == 0)
            return try #require(object(ending)["codes"] as? [String])
        }

        func left() throws -> Int? {
            try object(host.mpin("show", host.user, "--json"))["backupCodes"] as? Int
        }
    }

    @Test func `prints a set once, grouped by four, and other commands show how many are left`() throws {
        let place = try HostFixture()
        #expect(try place.left() == nil)
        let codes = try place.codes()
        #expect(Set(codes).count == 8)
        for code in codes {
            let form = #/([BCDFGHJKLMNPQRSTVWXZ]{4}-){3}[BCDFGHJKLMNPQRSTVWXZ]{4}/#
            #expect(code.wholeMatch(of: form) != nil, "\(code)")
        }
        #expect(try place.left() == 8)
        let listed = try objects(object(place.host.mpin("users", "--json"))["users"])
        #expect(listed.first?["backupCodes"] as? Int == 8)
        let table = try place.host.mpin("users").output
        #expect(table.contains("CODES") && table.contains(#/ 8 +0a0a0a0a/#))
        #expect(try place.host.mpin("show", place.host.user).output.contains("backup codes left: 8\n"))
        #expect(try place.codes("--count", "3").count == 3)
        #expect(try place.left() == 3)
        let text = try place.make("--count", "1").output
        #expect(text.contains(#/^Backup codes of .* on db1, each good once:\n\n    [A-Z-]{19}\n\n/#))
        #expect(text.contains("The earlier set is void. Unused codes in it: 3.\n"))
    }

    @Test func `has one shape as JSON, and a kind for each failure`() throws {
        let place = try HostFixture()
        let (host, user) = (place.host, place.host.user)
        let made = try object(place.make("--count", "2", "--json"))
        #expect(made.keys.sorted() == ["codes", "host", "revoked", "services", "uid", "unasked", "user"])
        #expect(made["host"] as? String == "db1")
        let again = try object(place.make("--json"))
        #expect(
            again.keys.sorted() == [
                "codes", "ended", "host", "revoked", "services", "uid", "unasked", "user",
            ]
                && again["ended"] as? Int == 2)
        let removed = try object(host.mpin("backup-codes", user, "--remove", "--json"))
        #expect(removed.keys.sorted() == ["codes", "ended", "uid", "user"] && removed["ended"] as? Int == 8)
        #expect((removed["codes"] as? [String])?.isEmpty == true)
        for (words, kind, status) in [
            (["backup-codes", user, "--remove"], "not-enrolled", 1),
            (["backup-codes", "no such account"], "settings", 2),
        ] as [([String], String, CInt)] {
            let ending = try command(["mpin"] + words + ["--store", host.store, "--json"])
            #expect(ending.status == status)
            #expect((try object(ending)["error"] as? [String: String])?["kind"] == kind)
        }
        for count in ["0", "17", "-1", "x"] {
            #expect(try host.mpin("backup-codes", user, "--count", count).isSilent(status: 64), "\(count)")
        }
    }

    @Test func `makes codes only where a service accepts them, and names these services`() throws {
        let place = try HostFixture()
        func make(_ settings: String) throws -> Ending {
            try place.host.write("backend = unix:/nowhere/s\n\(settings)\n", to: "mpin.conf")
            let line = ["mpin", "backup-codes", place.host.user, "--store", place.host.store, "--config"]
            return try run(
                built("mpin"), Array((line + [place.host.store + "/mpin.conf"]).dropFirst()),
                withErrors: true)
        }
        for settings in ["", "backup-codes = none", "[su]\nbackup-codes = sudo"] {
            let refused = try make(settings)
            #expect(refused.status == 2)
            #expect(refused.output.contains("No service on this host takes backup codes."))
            #expect(try place.left() == nil)
        }
        let made = try make("backup-codes = sudo\n[su]\nbackup-codes = su")
        #expect(made.status == 0)
        #expect(made.output.contains("They are valid for sudo, su ('backup-codes' in mpin.conf).\n"))
    }

    @Test func `needs an identity on this host, and codes end with the last one`() throws {
        let place = try HostFixture()
        _ = try place.codes()
        let removed = try object(place.host.mpin("remove", place.host.user, "--json"))
        #expect(removed["backupCodesEnded"] as? Bool == true)
        #expect(!FileManager.default.fileExists(atPath: place.file))
        #expect(try place.make().status == 1)
    }

    @Test func `a damaged file of codes hides no user in a list`() throws {
        let place = try HostFixture()
        _ = try place.codes()
        try place.host.write("rubbish", to: "codes/\(geteuid())")
        let ending = try place.host.mpin("users", "--json")
        #expect(ending.status == 2)
        let told = try object(ending)
        #expect(try objects(told["users"]).count == 1)
        #expect(try objects(told["unreadable"]).first?["file"] as? String == place.file)
        // A new set replaces the damaged file.
        #expect(try place.make().status == 0)
        #expect(try place.left() == 8)
        try place.host.write("rubbish", to: "codes/\(geteuid())")
        #expect(try place.host.mpin("backup-codes", place.host.user, "--remove").status == 0)
    }

    @Test func `mpin why shows whether a service accepts them`() throws {
        let place = try HostFixture("[su]\nbackup-codes = su")
        func why(_ service: String) throws -> (CInt, [String: Any]?, [String]?) {
            let ending = try command(
                "mpin", "why", place.host.user, "--service", service, "--json", "--config",
                place.host.store + "/mpin.conf", "--store", place.host.store)
            let told = try object(ending)
            return (ending.status, told["backup"] as? [String: Any], told["asked"] as? [String])
        }
        #expect(try why("su").1?["reason"] as? String == "no-backup-codes")
        _ = try place.codes("--count", "5")
        let (status, backup, asked) = try why("su")
        #expect(status == 0 && backup?["open"] as? Bool == true && backup?["left"] as? Int == 5)
        #expect(asked == ["code"])
        let other = try why("sudo")
        #expect(other.0 == 1 && other.1?["reason"] as? String == "backup-codes" && other.2 == [])
    }
}
