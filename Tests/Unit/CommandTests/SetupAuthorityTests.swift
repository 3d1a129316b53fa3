// SPDX-License-Identifier: Apache-2.0
// `mpin setup --ca-file` shows the fingerprint that `mpind tls self` printed, and refuses a private key. Only
// one setup runs at a time, so these tests belong to the suite of the others.
import Foundation
import TestSupport
import Testing

extension SetupTests {
    private func dryRun(_ file: String) throws -> Ending {
        try command(
            "mpin", "setup", "--dry-run", "--backend", "https://a.example", "--service", "su", "--ca-file",
            file,
            "--json")
    }

    @Test(.enabled(if: geteuid() == 0)) func `the plan has the fingerprint of the CA`() throws {
        let folder = try TemporaryFolder()
        let made = try object(
            command("mpind", "tls", "self", "a.example", "--folder", folder.path + "/tls", "--json"))
        let plan = try object(dryRun(folder.path + "/tls/ca.pem"))
        let lines = try #require(plan["changes"] as? [String])
        #expect(lines.contains("    \(made["fingerprint"] as? String ?? "?")"))
        #expect((plan["files"] as? [String])?.contains("/etc/mpin/ca.pem") == true)
        #expect(lines.contains("+ca-file = /etc/mpin/ca.pem"))
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a file with a key, or without certificates, is refused`() throws {
        let folder = try TemporaryFolder()
        #expect(
            try command("mpind", "tls", "self", "a.example", "--folder", folder.path + "/tls").status == 0)
        let pem = try String(contentsOfFile: folder.path + "/tls/ca.pem", encoding: .utf8)
        let key = try String(contentsOfFile: folder.path + "/tls/ca.key", encoding: .utf8)
        for text in [
            pem + key, key, "", "nonsense", pem.replacingOccurrences(of: "-----END", with: "-----NO"),
        ] {
            let file = folder.path + "/given.pem"
            try Data(text.utf8).write(to: URL(filePath: file))
            #expect(try dryRun(file).status == 2, "\(text)")
        }
        #expect(try dryRun(folder.path + "/missing.pem").status == 2)
    }
}
