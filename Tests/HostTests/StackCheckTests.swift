// SPDX-License-Identifier: Apache-2.0
// What `mpin doctor` says of stacks: the right ones, and each way to get one wrong.
import MPinHost
import Testing

@Suite struct StackCheckTests {
    private static let installed = "/usr/lib/x86_64-linux-gnu/security/pam_mpin.so"

    /// The words about the service `sudo` whose stack is this text.
    private func words(_ text: String, ignores: Bool = false) throws -> [String] {
        var folder = Folder.debian12
        folder.files["sudo"] = text
        let check = try StackCheck(service: "sudo", read: folder.read)
        return check.findings(installed: Self.installed, ignores: ignores).map(\.word.rawValue)
    }

    @Test(arguments: [
        ("auth required pam_mpin.so", ""),
        ("auth [success=done ignore=ignore default=die] pam_mpin.so\n@include common-auth", ""),
        ("auth [success=ok ignore=ignore default=bad] pam_mpin.so\n@include common-auth", ""),
        ("@include common-auth\nauth required pam_mpin.so", ""),
        ("auth sufficient pam_rootok.so\nauth required pam_mpin.so", ""),
        ("auth [success=1 default=ignore] pam_succeed_if.so user = x\nauth required pam_mpin.so", ""),
        ("auth sufficient pam_mpin.so\nauth required pam_deny.so", ""),
        ("auth required \(installed)", ""),
        ("auth [success=done default=ignore] pam_mpin.so\n@include common-auth", "first-factor"),
        ("auth [success=2 default=ignore] pam_mpin.so\n@include common-auth", "first-factor"),
        ("auth sufficient pam_mpin.so\nauth required pam_unix.so", "first-factor"),
        ("auth optional pam_mpin.so\n@include common-auth", "stack-optional"),
        ("auth [default=ignore] pam_mpin.so\n@include common-auth", "stack-optional"),
        ("auth [success=ok default=ok] pam_mpin.so", "stack-optional"),
        ("auth sufficient pam_mpin.so", "stack-optional"),
        ("auth sufficient pam_mpin.so\nauth required pam_permit.so", "stack-optional"),
        ("auth sufficient pam_unix.so\nauth required pam_mpin.so", "stack-bypassed"),
        ("auth sufficient pam_permit.so\nauth required pam_mpin.so", "stack-bypassed"),
        ("auth [success=done default=bad] pam_unix.so\nauth required pam_mpin.so", "stack-bypassed"),
        ("auth [success=1 default=ignore] pam_unix.so\nauth required pam_mpin.so", "stack-bypassed"),
        ("auth required pam_deny.so\nauth required pam_mpin.so", "stack-after-deny"),
        ("auth requisite pam_deny.so\nauth optional pam_mpin.so", "stack-after-deny stack-optional"),
        ("auth required /opt/pam_mpin.so", "stack-other-module"),
        ("account required pam_mpin.so\n@include common-auth", ""),
    ])
    func `a stack gets the words that it deserves`(_ text: String, _ words: String) throws {
        #expect(try self.words(text).joined(separator: " ") == words)
    }

    @Test func `an ignore that the control refuses is named where settings have one`() throws {
        let refuses = "auth [success=ok default=bad] pam_mpin.so"
        #expect(try words(refuses) == [] && words(refuses, ignores: true) == ["stack-denies-ignored"])
        #expect(try words("auth required pam_mpin.so", ignores: true) == [])
    }

    @Test func `advice names file and line, and what stands there`() throws {
        var folder = Folder.debian12
        folder.files["sudo"] = "# a comment\nauth sufficient pam_unix.so\nauth required pam_mpin.so"
        let finding = try #require(
            StackCheck(service: "sudo", read: folder.read).findings(installed: "", ignores: false).first)
        #expect(finding.message.contains("/etc/pam.d/sudo:2") && finding.level == .problem)
        #expect(finding.advice?.contains("'sufficient'") == true && finding.fix == nil)
    }

    @Test func `what libpam does not read is a problem, with its place`() throws {
        var folder = Folder.debian12
        for (text, word) in [
            ("auth required pam_mpin.so " + String(repeating: "x", count: 1_024), "stack-line-too-long"),
            ("auth perhaps pam_mpin.so", "stack-wrong"), ("auth include no-such-file", "stack-wrong"),
        ] {
            folder.files["sudo"] = "\n" + text
            let error = #expect(throws: PAMError.self) { try StackCheck(service: "sudo", read: folder.read) }
            let finding = StackCheck.finding(try #require(error), "it is wrong.")
            #expect(finding.word.rawValue == word && finding.message.contains("sudo:2"))
        }
    }

    @Test func `who asks, and who has another way`() throws {
        var folder = Folder.debian12
        #expect(try !StackCheck(service: "login", read: folder.read).asks)
        for (control, otherWay, passedOver) in [
            ("required", false, true), ("[success=done default=ignore]", true, true),
            ("[success=done ignore=ignore default=die]", false, true),
            ("[success=ok default=bad]", false, false),
        ] {
            folder.files["login"] = "auth \(control) pam_mpin.so\n@include common-auth"
            let check = try StackCheck(service: "login", read: folder.read)
            #expect(check.asks && check.hasOtherWay == otherWay && check.asksThePassedOver == passedOver)
        }
        folder.files["login"] = "auth required pam_mpin.so"
        #expect(try !StackCheck(service: "login", read: folder.read).asksThePassedOver)
    }
}
