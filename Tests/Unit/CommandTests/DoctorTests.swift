// SPDX-License-Identifier: Apache-2.0
// `mpin doctor` on a store of the test's own: words and levels, what it mends, and test QR codes.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct DoctorTests {
    /// A host with a key and settings, whose server cannot be reached.
    private struct HostFixture {
        let host: Host
        var config: String { host.store + "/mpin.conf" }

        init(_ settings: String = "") throws {
            host = try Host()
            try host.giveKey()
            try #require(host.allow().status == 0)
            try host.write("backend = unix:/nowhere/s\n\(settings)\n", to: "mpin.conf")
        }

        func doctor(_ words: String...) throws -> (status: CInt, told: [String: Any]) {
            let ending = try command(
                ["mpin", "doctor", "--json", "--config", config, "--store", host.store] + words)
            return (ending.status, try object(ending))
        }

        /// The words of all findings.
        func words(_ words: String...) throws -> [String] {
            let ending = try command(
                ["mpin", "doctor", "--json", "--config", config, "--store", host.store] + words)
            return try objects(object(ending)["findings"]).compactMap { $0["word"] as? String }
        }

        func change(_ name: String, mode: Int) throws {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: "\(host.store)/\(name)")
        }

        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: "\(host.store)/\(name)")[.posixPermissions]
                as? Int
        }
    }

    @Test func `a single account is reported in the singular`() throws {
        let findings = try objects(HostFixture().doctor().told["findings"])
        let users = findings.first { $0["word"] as? String == "users" }
        #expect(users?["message"] as? String == "1 account is enrolled. 'sudo mpin users' lists them.")
    }

    @Test func `each finding has a word, a level and a sentence, and all but the good ones have advice`()
        throws
    {
        let (status, told) = try HostFixture().doctor()
        // The server of this host cannot be reached, whatever else is missing on this machine.
        #expect(status == 1 || status == 2)
        let findings = try objects(told["findings"])
        let levels = ["problem", "warning", "note", "ok"]
        for finding in findings {
            let level = try #require(finding["level"] as? String)
            #expect(levels.contains(level) && finding["fixable"] is Bool)
            #expect((finding["word"] as? String)?.isEmpty == false)
            #expect((finding["message"] as? String)?.hasSuffix(".") == true, "\(finding)")
            #expect(level == "ok" || finding["advice"] is String, "\(finding)")
        }
        let order = findings.compactMap { levels.firstIndex(of: $0["level"] as? String ?? "") }
        #expect(order == order.sorted())
        let words = findings.compactMap { $0["word"] as? String }
        for word in ["store", "host-key", "users", "settings"] { #expect(words.contains(word), "\(words)") }
        let problems = findings.count { $0["level"] as? String == "problem" }
        #expect(told["problems"] as? Int == problems && problems > 0)
    }

    @Test(arguments: [
        ("no-such = 1", "settings-wrong"), ("users = no-such-account", "unknown-name"),
        ("unavailable = deny", "settings-wrong"), ("ca-file = /nowhere", "ca-file-wrong"),
        ("exempt-users = b*", "exempt"), ("[sudo]\nexempt-from = 192.0.2.7", "exempt"),
        ("exempt-users = b* **", "exempt-everybody"), ("exempt-groups = * !wheel", "exempt-everybody"),
        ("[sshd]\nexempt-from = 192.0.2.0/24 ::/0", "exempt-everybody"),
        ("exempt-users = no-such-account", "exempt-unknown"),
        ("exempt-groups = no-such group", "exempt-unknown"),
        ("[su]\nexempt-users = x* !y z", "exempt-unknown"),
        ("users = \"no such account\"", "unknown-name"), ("never = \"root", "settings-wrong"),
        ("backend = http://127.0.0.1:9", "plain-http"), ("phone-address = https://x.example/m", "settings"),
    ])
    func `each setting gets the word of its finding`(_ settings: String, _ word: String) throws {
        #expect(try HostFixture(settings).words().contains(word))
    }

    @Test func `an exemption is reported in its section, and once`() throws {
        let place = try HostFixture("exempt-users = b*\n[sudo]\ntries = 1\n[su]\nexempt-from = 192.0.2.7")
        let found = try objects(place.doctor().told["findings"]).filter { $0["word"] as? String == "exempt" }
        let messages = found.compactMap { $0["message"] as? String }
        #expect(messages.count == 2, "\(messages)")
        let all = "mpin.conf: M-Pin does not ask some users: 'exempt-users = b*'."
        #expect(messages.first?.hasSuffix(all) == true)
        #expect(messages.last?.contains("[su]: ") == true)
        #expect(messages.last?.hasSuffix("'exempt-users = b*', 'exempt-from = 192.0.2.7'.") == true)
    }

    @Test func `unreadable settings or an unreadable store end with 2`() throws {
        let place = try HostFixture("no-such = 1")
        let (status, told) = try place.doctor()
        let wrong = try objects(told["findings"]).first { $0["word"] as? String == "settings-wrong" }
        #expect(status == 2)
        #expect((wrong?["message"] as? String)?.contains("mpin.conf:2: 'no-such'") == true)
        try FileManager.default.removeItem(atPath: place.config)
        #expect(try place.words().contains("settings-missing"))
        try FileManager.default.removeItem(atPath: place.host.store + "/users/.mpin-store")
        #expect(try place.doctor().status == 2)
    }

    @Test func `safe repairs are made, and a second run has nothing to mend`() throws {
        let place = try HostFixture()
        let user = "users/\(geteuid())"
        for (name, mode) in [("", 0o755), ("users", 0o755), ("host", 0o640), (user, 0o644)] {
            try place.change(name, mode: mode)
        }
        try FileManager.default.removeItem(atPath: place.host.store + "/users/.mpin-store")
        #expect(try place.words().contains("store-open"))
        let mended = try objects(place.doctor("--fix").told["mended"])
        #expect(mended.count >= 4 && mended.allSatisfy { $0["done"] as? Bool == true }, "\(mended)")
        #expect(try [place.mode("users"), place.mode("host"), place.mode(user)] == [0o700, 0o600, 0o600])
        #expect(try objects(place.doctor("--fix").told["mended"]).isEmpty)
        let words = try place.words()
        #expect(words.contains("store") && words.contains("host-key") && !words.contains("host-key-open"))
    }

    @Test func `nothing is mended behind a link, or below a folder that others can write`() throws {
        let place = try HostFixture()
        try place.change("users", mode: 0o755)
        let folder = URL(filePath: place.host.store).deletingLastPathComponent().path
        let link = folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
        let ending = try command(
            ["mpin", "doctor", "--json", "--fix", "--config", place.config, "--store", link + "/store"])
        let mended = try objects(object(ending)["mended"])
        #expect(mended.count == 1 && mended.first?["done"] as? Bool == false)
        #expect(try place.mode("users") == 0o755)
    }

    @Test func `a file that others could have written is not mended`() throws {
        let place = try HostFixture()
        try place.change("host", mode: 0o622)
        let (_, told) = try place.doctor("--fix")
        let open = try objects(told["findings"]).first { $0["word"] as? String == "host-key-open" }
        #expect(open?["fixable"] as? Bool == false)
        #expect(try place.mode("host") == 0o622)
        #expect((open?["advice"] as? String)?.contains("Look at what is in it first") == true)
    }

    @Test func `test QR codes run no checks and need no settings`() throws {
        let told = try object(command("mpin", "doctor", "--screen", "--json", "--config", "/nowhere"))
        let screens = try objects(told["screens"])
        let modes = ["utf8", "utf8-inverse", "ascii", "ascii-inverse", "large", "large-inverse"]
        #expect(screens.compactMap { $0["mode"] as? String } == modes && told["findings"] == nil)
        #expect(screens.compactMap { $0["fits"] as? Bool } == [true, true, false, false, false, false])
        let lines = try command("mpin", "doctor", "--screen", "ascii").output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("qr = ascii: 70 columns, 35 rows") == true)
        #expect(lines.filter { $0.contains("##") }.count == 35)
        #expect(try command("mpin", "doctor", "--screen", "green").status == 64)
    }

    @Test func `the text has problems first, and good findings only with --verbose`() throws {
        let place = try HostFixture()
        let words = ["mpin", "doctor", "--config", place.config, "--store", place.host.store]
        let brief = try command(words).output.split(separator: "\n")
        #expect(brief.first?.hasPrefix("problem: ") == true && brief.first?.hasSuffix("]") == true)
        #expect(!brief.contains { $0.hasPrefix("ok:") })
        #expect(brief.last?.contains("problem") == true && brief.last?.hasSuffix("in order.") == true)
        #expect(try command(words + ["--verbose"]).output.contains("\nok:"))
    }
}
