// SPDX-License-Identifier: Apache-2.0
// The findings of `mpin doctor` about stacks: correct ones, and every mistake.
@testable import MPinAdmin
import Testing

@Suite struct StackCheckTests {
    private static let installed = "/usr/lib/x86_64-linux-gnu/security/pam_mpin.so"

    /// The words for the service `sudo` with this stack.
    private func words(_ text: String, ignores: Bool = false) throws -> [String] {
        var folder = Folder.debian12
        folder.files["sudo"] = text
        let check = try StackCheck(folder.stack("sudo"))
        return check.findings(installed: Self.installed, ignores: ignores).map(\.word)
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
        (
            "auth [success=done authinfo_unavail=ignore default=die] pam_mpin.so\n@include common-auth",
            "fails-open"
        ),
        ("auth [success=ok authinfo_unavail=1 default=bad] pam_mpin.so\n@include common-auth", "fails-open"),
        ("auth [success=ok authinfo_unavail=die default=bad] pam_mpin.so\n@include common-auth", ""),
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
    func `a stack gets the right words`(_ text: String, _ words: String) throws {
        #expect(try self.words(text).joined(separator: " ") == words)
    }

    /// The rules, as file:line, that do not ask a user whom M-Pin lets in.
    private func skipped(_ control: String, _ text: String) throws -> [String] {
        var folder = Folder.debian12
        folder.files["sudo"] = "auth \(control) pam_mpin.so\n" + text
        folder.files["inner"] = "auth sufficient pam_mpin.so\nauth required pam_wheel.so\n"
        let places = try folder.stack("sudo").places()
        return places.flatMap(\.skipped).map { "\($0.file):\($0.line)" }
    }

    @Test(arguments: [
        ("@include common-auth", ""), ("@include common-auth\nauth optional pam_x.so", ""),
        ("@include common-auth\nauth required pam_google_authenticator.so", "sudo:3"),
        ("auth required pam_wheel.so\n@include common-auth\n-auth requisite pam_access.so", "sudo:2 sudo:4"),
        ("@include common-auth\nauth [success=ok default=bad] /opt/pam_duo.so", "sudo:3"),
        (
            "@include common-auth\nauth [success=1 default=ignore] pam_duo.so\nauth requisite pam_deny.so",
            "sudo:3"
        ),
        ("auth required pam_faillock.so preauth\nauth required pam_unix.so", "sudo:2"),
        ("auth [success=1 default=bad] pam_unix.so\nauth [default=die] pam_faillock.so authfail", ""),
        // A fingerprint instead of the password is not an additional condition.
        ("auth [success=2 default=ignore] pam_fprintd.so\n@include common-auth", ""),
        ("auth sufficient pam_fprintd.so\n@include common-auth", ""),
        ("auth [success=ignore default=1] pam_x.so\n@include common-auth", "sudo:2"),
        ("auth required pam_fprintd.so\n@include common-auth", "sudo:2"),
        ("auth optional pam_group.so\nauth required pam_cap.so\nauth [default=ignore] pam_x.so", ""),
        ("account required pam_access.so\n@include common-auth", ""),
    ])
    func `a rule that is skipped for users whom M-Pin lets in is named`(_ text: String, _ rules: String)
        throws
    {
        for factor in [Factor.only, .first] {
            #expect(try skipped(factor.control, text).joined(separator: " ") == rules)
        }
        #expect(try skipped("sufficient", text).joined(separator: " ") == rules)
        #expect(try skipped(Factor.second.control, text).isEmpty && skipped("required", text).isEmpty)
    }

    @Test func `only rules that the jump passes are skipped`() throws {
        let behind = "auth required pam_a.so\nauth required pam_b.so"
        #expect(try skipped("[success=1 default=ignore]", behind) == ["sudo:2"])
        // `done` in a substack ends only the substack.
        let inner = "auth substack inner\n" + behind
        #expect(try skipped("required", inner) == ["inner:2"])
        #expect(try skipped("required", "auth include inner\n" + behind) == ["inner:2", "sudo:3", "sudo:4"])
    }

    @Test func `a skipped rule is a warning with its place`() throws {
        var folder = Folder.debian12
        folder.files["su"] = """
            auth sufficient pam_mpin.so
            @include common-auth
            auth required pam_wheel.so
            """
        let found = try StackCheck(folder.stack("su")).findings(installed: "", ignores: false)
        #expect(found.map(\.word) == ["first-factor", "stack-skipped"])
        #expect(found.last?.level == .warning)
        #expect(found.last?.message.contains("pam_wheel.so (/etc/pam.d/su:3)") == true)
    }

    @Test func `an ignore that the control refuses is reported if a setting has one`() throws {
        let refuses = "auth [success=ok default=bad] pam_mpin.so"
        #expect(try words(refuses) == [] && words(refuses, ignores: true) == ["stack-denies-ignored"])
        #expect(try words("auth required pam_mpin.so", ignores: true) == [])
    }

    @Test func `advice names file, line and the text there`() throws {
        var folder = Folder.debian12
        folder.files["sudo"] = "# a comment\nauth sufficient pam_unix.so\nauth required pam_mpin.so"
        let finding = try #require(
            StackCheck(folder.stack("sudo")).findings(installed: "", ignores: false).first)
        #expect(finding.message.contains("/etc/pam.d/sudo:2") && finding.level == .problem)
        #expect(finding.advice?.contains("'sufficient'") == true && finding.fix == nil)
    }

    @Test func `a rule that libpam cannot read is a problem, with its place`() throws {
        var folder = Folder.debian12
        for (text, word) in [
            ("auth required pam_mpin.so " + String(repeating: "x", count: 1_024), "stack-line-too-long"),
            ("auth perhaps pam_mpin.so", "stack-wrong"), ("auth include no-such-file", "stack-wrong"),
        ] {
            folder.files["sudo"] = "\n" + text
            let error = #expect(throws: PAMError.self) { try folder.stack("sudo") }
            let finding = StackCheck.finding(try #require(error))
            #expect(finding.word == word && finding.message.contains("sudo:2"))
        }
    }

    @Test func `a stack reports whether it asks, and whether it has another way`() throws {
        var folder = Folder.debian12
        #expect(try !StackCheck(folder.stack("login")).asks)
        for (control, otherWay, passedOver) in [
            ("required", false, true), ("[success=done default=ignore]", true, true),
            ("[success=done ignore=ignore default=die]", false, true),
            ("[success=ok default=bad]", false, false),
        ] {
            folder.files["login"] = "auth \(control) pam_mpin.so\n@include common-auth"
            let check = try StackCheck(folder.stack("login"))
            #expect(check.asks && check.hasOtherWay == otherWay && check.asksTheIgnored == passedOver)
        }
        folder.files["login"] = "auth required pam_mpin.so"
        #expect(try !StackCheck(folder.stack("login")).asksTheIgnored)
    }
}
