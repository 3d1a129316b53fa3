// SPDX-License-Identifier: Apache-2.0
// `mpin setup` on this machine itself: neither a dry run nor a refused setup changes anything.
import Foundation
import TestSupport
import Testing

@Suite(.slow, .serialized) struct SetupTests {
    /// Every stack of this machine, and when each was written.
    private func stacks() throws -> [String: Date?] {
        let folder = "/etc/pam.d"
        var found: [String: Date?] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            found[name] = attributes[.modificationDate] as? Date
        }
        return found
    }

    @Test func `invalid usage ends with 64`() throws {
        for words in [
            ["--factor", "third"], ["--unenrolled", "perhaps"], ["--nonsense"], ["sudo"], ["--pin-fd", "x"],
            ["--shut-out", "bob"],
        ] {
            #expect(try command(["mpin", "setup"] + words).isSilent(status: 64), "\(words)")
        }
        // `--here` gets its code from the server.
        for words in [["--personal"], ["root", "--code-fd", "0"], ["root", "--phone", "--identity", "x"]] {
            #expect(try command(["mpin", "enroll", "--here"] + words).isSilent(status: 64), "\(words)")
        }
    }

    @Test(.enabled(if: geteuid() != 0)) func `a user who is not root gets an error`() throws {
        let ending = try command(
            "mpin", "setup", "--dry-run", "--backend", "here", "--json", "--shut-out")
        #expect(ending.status == 2)
        let error = try #require(object(ending)["error"] as? [String: String])
        #expect(error["message"]?.contains("as root") == true)
    }

    @Test(.enabled(if: geteuid() == 0)) func `a dry run changes nothing and has its shape`() throws {
        let before = try stacks()
        let ending = try command(
            "mpin", "setup", "--dry-run", "--backend", "https://a.example", "--service", "su",
            "--json")
        #expect(ending.status == 0)
        let report = try object(ending)
        #expect(
            report.keys.sorted() == [
                "backend", "changes", "dryRun", "enrolled", "files", "host", "shutOut", "switchedOff",
                "switchedOn",
            ])
        #expect((report["shutOut"] as? [Any])?.isEmpty == true)
        #expect(
            report["dryRun"] as? Bool == true && report["backend"] as? String == "https://a.example")
        #expect((report["files"] as? [String])?.contains("/etc/pam.d/su") == true)
        #expect(try stacks() == before)
        #expect(!FileManager.default.fileExists(atPath: "/run/mpin-setup"))
    }

    @Test(.enabled(if: geteuid() == 0)) func `an impossible setup is refused`() throws {
        let before = try stacks()
        for (words, kind) in [
            (["--service", "no-such-service"], "settings"), (["--service", "../passwd"], "settings"),
            (["--user", "no such account"], "settings"), (["--backend", "http://example.org"], "settings"),
            (["--user", "root= x"], "settings"),
            (["--host", "x", "--service", "common-account"], "settings"),
        ] {
            let ending = try command(
                ["mpin", "setup", "--dry-run", "--backend", "https://a.example", "--json"] + words)
            #expect(ending.status == 2, "\(words)")
            let error = try #require(object(ending)["error"] as? [String: String])
            #expect(error["kind"] == kind, "\(words)")
        }
        #expect(try stacks() == before)
    }
}
