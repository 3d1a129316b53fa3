// SPDX-License-Identifier: Apache-2.0
// `mpin setup` leaves closed what an administrator closed, and its undo keeps what others wrote.
import Foundation
@testable import MPinAdmin
import Testing

@Suite(.enabled(if: geteuid() == 0)) struct ClosedStackTests {
    private static let closed = "auth required pam_deny.so\n"

    /// What a dry run says, or why setup refuses.
    private func said(_ host: FolderHost, _ services: [String], factor: Factor? = nil) -> String {
        var setup = host.setup(ScriptedRespondent())
        (setup.services, setup.factor, setup.isDryRun) = (services, factor, true)
        do { return try setup.run().lines.joined(separator: "\n") } catch { return error.sentence }
    }

    @Test func `setup refuses a service by which nobody can log in`() throws {
        let host = try FolderHost()
        for text in [Self.closed, "@include none\n", "auth sufficient pam_rootok.so\n" + Self.closed] {
            try host.write(Self.closed, to: "etc/pam.d/none")
            try host.write(text, to: "etc/pam.d/su")
            #expect(said(host, ["su"]).contains("/etc/pam.d/su: nobody can log in here"), "\(text)")
        }
        try host.write("auth sufficient pam_unix.so\n", to: "etc/pam.d/su")
        #expect(said(host, ["su"], factor: .second).contains("no rule here refuses a user by itself"))
        #expect(said(host, ["su"]).contains("+auth [success=done"))
    }

    @Test func `setup for sudo does not open a closed sudo -i`() throws {
        let host = try FolderHost()
        for (text, isClosed) in [(Self.closed, true), (FolderHost.stack, false)] {
            try host.write(FolderHost.stack, to: "etc/pam.d/sudo")
            try host.write(text, to: "etc/pam.d/sudo-i")
            let said = said(host, ["sudo"])
            #expect(said.contains("/etc/pam.d/sudo\n"))
            #expect(said.contains("/etc/pam.d/sudo-i\n") != isClosed)
            #expect(said.contains("sudo-i lets nobody in, and stays as it is.") == isClosed)
        }
        try host.write(Self.closed, to: "etc/pam.d/sudo-i")
        #expect(said(host, ["sudo", "sudo-i"]).contains("/etc/pam.d/sudo-i: nobody can log in here"))
        // Closed below the rule of an earlier setup, it is open to users with a PIN.
        try host.switchOn("sudo-i")
        let on = try #require(host.text(of: "etc/pam.d/sudo-i"))
        try host.write(on.replacing("pam_unix.so", with: "pam_deny.so"), to: "etc/pam.d/sudo-i")
        #expect(said(host, ["sudo"]).contains("/etc/pam.d/sudo-i: nobody can log in here"))
    }

    @Test func `setup refuses a stack that a service includes whose own rules keep users out`() throws {
        let host = try FolderHost()
        for (text, refuses) in [
            ("auth include su\n" + Self.closed, true),
            ("auth include su\nauth required pam_wheel.so\n", true),
            ("auth [success=1 default=ignore] pam_localuser.so\n@include su\n", true),
            (Self.closed + "@include su\n", false), ("auth substack su\n" + Self.closed, false),
            ("@include su\n", false), ("auth requisite pam_wheel.so\n@include su\n", false),
        ] {
            try host.write(text, to: "etc/pam.d/mine")
            #expect(said(host, ["su"]).contains("/etc/pam.d/mine includes su") == refuses, "\(text)")
        }
    }

    @Test func `setup refuses a package's file, and a name that libpam looks up in small letters`() throws {
        let host = try FolderHost()
        try host.write(FolderHost.stack, to: "usr/lib/pam.d/polkit-1")
        #expect(said(host, ["polkit-1"]).contains("Copy it to /etc/pam.d/polkit-1 first."))
        try host.write(FolderHost.stack, to: "etc/pam.d/Su")
        #expect(said(host, ["Su"]).contains("cannot be a PAM service"))
    }

    @Test func `undo keeps the lines between the marks that others wrote, and shows them`() throws {
        let host = try FolderHost()
        try host.switchOn("su")
        let on = try #require(host.text(of: "etc/pam.d/su"))
        let wheel = "# for ops\nauth requisite pam_wheel.so\n"
        try host.write(on.replacing("auth [success", with: wheel + "auth [success"), to: "etc/pam.d/su")
        var setup = host.setup(ScriptedRespondent())
        setup.services = ["su"]
        for isDryRun in [true, false] {
            setup.isDryRun = isDryRun
            let lines = try setup.undo().lines
            #expect(lines.contains("    auth requisite pam_wheel.so") && lines.contains("    # for ops"))
            #expect(!lines.contains { $0.hasSuffix("is as it was.") })
        }
        #expect(host.text(of: "etc/pam.d/su") == wheel + FolderHost.stack)
        let jump = "auth [success=1 default=ignore] pam_succeed_if.so user = bob\n"
        for text in [
            on.replacing("auth [success", with: jump + "auth [success"), jump + on,
            on.replacing("auth [success", with: "auth \\\nauth [success"),
        ] {
            try host.write(text, to: "etc/pam.d/su")
            #expect(try setup.undo().failures.first?.sentence.contains("by hand") == true)
            #expect(host.text(of: "etc/pam.d/su") == text)
        }
    }

    @Test func `why reads a package's stack, and the rules of other`() throws {
        let host = try FolderHost()
        try host.giveKey()
        try host.write("backend = unix:/nowhere/s\n", to: "etc/mpin/mpin.conf")
        func stack(of service: String) throws -> String? {
            var question = LoginQuestion(of: "root", by: service)
            (question.config, question.store) = (Array(host.places.settings.utf8), host.places.store)
            question.stacks = host.places.stacks
            return try question.explain().lines.first { $0.hasPrefix("  stack") }
        }
        try host.write("auth required pam_mpin.so\n", to: "usr/lib/pam.d/vendor")
        #expect(try stack(of: "vendor")?.contains("/usr/lib/pam.d/vendor:1") == true)
        try host.write(FolderHost.stack, to: "etc/pam.d/vendor")
        #expect(try stack(of: "vendor")?.contains("M-Pin is not asked") == true)
        for service in ["nowhere", "bare"] {
            try host.write("account required pam_permit.so\n", to: "etc/pam.d/bare")
            try host.write("auth required pam_mpin.so\n", to: "etc/pam.d/other")
            #expect(try stack(of: service)?.contains("/etc/pam.d/other:1") == true)
            try host.write(FolderHost.stack, to: "etc/pam.d/other")
            #expect(try stack(of: service)?.contains("those of 'other' count, which do not name") == true)
        }
    }
}
