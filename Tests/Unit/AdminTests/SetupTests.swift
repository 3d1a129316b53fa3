// SPDX-License-Identifier: Apache-2.0
// `mpin setup` on a host that is a folder: what it asks, plans, writes and removes again.
import Foundation
@testable import MPinAdmin
import Testing

@Suite(.enabled(if: geteuid() == 0)) struct SetupTests {
    @Test func `a dry run shows every file and changes none`() throws {
        let host = try FolderHost()
        var setup = host.setup(ScriptedRespondent())
        (setup.services, setup.isDryRun) = (["su"], true)
        let lines = try setup.run().lines
        #expect(lines.contains { $0.contains("pam_mpin.so") })
        #expect(lines.contains { $0.hasPrefix("This host joins unix:/nowhere/s as ") })
        #expect(lines.last == "This was a dry run: nothing was changed.")
        #expect(host.text(of: "etc/pam.d/su") == FolderHost.stack)
        #expect(host.text(of: "etc/mpin/mpin.conf") == nil)
    }

    @Test func `missing settings are asked for, and the answer no changes nothing`() throws {
        let host = try FolderHost()
        let person = ScriptedRespondent("su, login", "-", "n")
        var setup = host.setup(person)
        // This machine may be a container.
        setup.desktop = .here
        #expect(throws: Failure(.cancelled, "Cancelled. Nothing was changed.")) { try setup.run() }
        #expect(
            person.asked == [
                "Which services ask for the PIN? [sudo] ",
                person.asked.dropFirst().first ?? "", "Do all this? [y/N] ",
            ])
        #expect(person.asked[1].hasPrefix("Which account gets a PIN first ('-' for none)?"))
        #expect(person.heard.count { $0.hasPrefix("--- ") } == 3)
        #expect(host.text(of: "etc/pam.d/login") == FolderHost.stack)
    }

    @Test func `where no account has a PIN, setup writes settings and no stack`() throws {
        let host = try FolderHost()
        try host.giveKey()
        var setup = host.setup(ScriptedRespondent())
        (setup.services, setup.isAgreed, setup.unenrolled) = (["su"], true, .deny)
        let lines = try setup.run().lines
        #expect(lines.first?.hasPrefix("Everything is prepared, and nothing is switched on") == true)
        let settings = try #require(host.text(of: "etc/mpin/mpin.conf"))
        #expect(
            settings.contains("backend = unix:/nowhere/s\n") && settings.contains("[su]\n")
                && settings.contains("unenrolled = deny\n"))
        #expect(host.text(of: "etc/pam.d/su") == FolderHost.stack)
    }

    @Test func `undo removes what setup added, and nothing else`() throws {
        let host = try FolderHost()
        try host.switchOn("su")
        var setup = host.setup(ScriptedRespondent())
        (setup.services, setup.isDryRun) = (["su"], true)
        #expect(
            try setup.undo().lines.contains {
                $0.hasPrefix("-auth ") && $0.hasSuffix("pam_mpin.so section=su")
            })
        #expect(host.text(of: "etc/pam.d/su")?.contains("pam_mpin.so") == true)
        setup.isDryRun = false
        #expect(try setup.undo().lines.first?.hasSuffix("/etc/pam.d/su is as it was.") == true)
        #expect(host.text(of: "etc/pam.d/su") == FolderHost.stack)
        let again = try setup.undo().lines
        #expect(again == ["mpin setup has changed nothing here, so there is nothing to undo."])
    }

    @Test func `a service with an invalid name, or without a stack, is refused`() throws {
        let host = try FolderHost()
        for service in ["../passwd", "no-such-service", ".su"] {
            var setup = host.setup(ScriptedRespondent())
            (setup.services, setup.isDryRun) = ([service], true)
            do {
                _ = try setup.run()
                Issue.record("\(service) was not refused")
            } catch { #expect(error.kind == .settings, "\(service)") }
        }
    }
}
