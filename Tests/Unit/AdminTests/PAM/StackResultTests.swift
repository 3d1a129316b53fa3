// SPDX-License-Identifier: Apache-2.0
// Stacks that let nobody in, which setup must not open, and those that only look so.
@testable import MPinAdmin
import Testing

@Suite struct StackResultTests {
    private func place(_ text: String) throws -> PAMStack.ModulePosition {
        let folder = Folder(files: [
            "x": text, "deny": "auth required pam_deny.so", "unix": "auth required pam_unix.so",
            "debian": Folder.debian12.files["common-auth"] ?? "",
            "done": "auth sufficient pam_unix.so\nauth requisite pam_deny.so",
        ])
        return try #require(try folder.stack("x").places().first)
    }

    private static let rule = "auth [success=done ignore=ignore default=die] pam_mpin.so\n"

    @Test(arguments: [
        "", "auth required pam_deny.so", "auth requisite pam_deny.so\n@include unix",
        "@include unix\nauth required pam_deny.so", "auth [default=die] pam_unix.so",
        "auth [default=ignore] pam_unix.so", "auth [success=bad] pam_unix.so",
        "auth [success=1 default=ignore] pam_unix.so\nauth required pam_permit.so\n@include deny",
        "auth [success=2 default=die] pam_unix.so\nauth required pam_permit.so",
        "auth required pam_permit.so\nauth [success=2 default=bad] pam_unix.so\nauth optional pam_permit.so",
        "@include unix\nauth [default=reset] pam_permit.so",
        "auth substack deny\nauth required pam_permit.so",
        "auth substack done\nauth requisite pam_deny.so", "auth include deny",
        "auth [default=ok] pam_deny.so\nauth required pam_permit.so",
        "auth substack unix\nauth [success=reset default=die] pam_permit.so",
    ])
    func `a stack that lets nobody in is closed, however its rules do that`(_ rest: String) throws {
        let place = try place(Self.rule + rest)
        #expect(place.isClosed && place.opensWhatIsClosed)
    }

    @Test(arguments: [
        "auth required pam_unix.so", "@include debian",
        "auth sufficient pam_unix.so\nauth required pam_deny.so",
        "auth substack done", "auth include done\nauth required pam_deny.so",
        "auth optional pam_deny.so\n@include unix",
        "auth [success=1 default=die] pam_unix.so\nauth requisite pam_deny.so\nauth required pam_permit.so",
        "auth requisite pam_nologin.so\n@include debian",
        "auth [default=ignore] pam_deny.so\n@include debian",
        "auth substack deny\nauth [default=reset] pam_permit.so\nauth required pam_unix.so",
    ])
    func `a stack that lets some users in is not`(_ rest: String) throws {
        let place = try place(Self.rule + rest)
        #expect(!place.isClosed && !place.opensWhatIsClosed)
    }

    @Test func `who gets in only by a rule before the place does not make it open`() throws {
        for before in ["auth sufficient pam_rootok.so\n", "auth [success=1 default=ignore] pam_rootok.so\n"] {
            let rest = "auth required pam_deny.so"
            let place = try place(before + Self.rule + rest)
            #expect(place.isClosed && place.opensWhatIsClosed)
        }
        // A refusal before the place stays one.
        for before in ["auth required pam_deny.so\n", "auth requisite pam_deny.so\n", "auth substack deny\n"]
        {
            let place = try place(before + Self.rule + "@include debian")
            #expect(place.isClosed && !place.opensWhatIsClosed)
        }
    }

    @Test func `as a second factor a PIN is not enough alone where another rule refuses`() throws {
        let second = "auth [success=ok ignore=ignore default=bad] pam_mpin.so\n"
        for (rest, isEnough) in [
            ("@include debian", false), ("auth required pam_unix.so", false), ("auth substack done", false),
            ("auth sufficient pam_unix.so", true), ("auth optional pam_unix.so", true),
            ("auth sufficient pam_unix.so\nauth required pam_permit.so", false),
        ] {
            #expect(try place(second + rest).isEnoughAlone == isEnough, "\(rest)")
            #expect(try !place(Self.rule + rest).isEnoughAlone)
        }
    }

    @Test func `a service without rules of its own has those of other`() throws {
        var folder = Folder(files: [
            "other": "auth required pam_mpin.so", "x": "account required pam_permit.so",
            "y": "auth include x",
            "z": "auth substack x",
        ])
        for service in ["x", "y", "nowhere"] {
            let stack = try folder.stack(service)
            #expect(stack.isOfOther && stack.places().count == 1, "\(service)")
        }
        // The substack counts as a rule, so libpam takes nothing from `other`.
        #expect(try folder.stack("z").places().isEmpty && !folder.stack("z").isOfOther)
        #expect(try !folder.stack("other").isOfOther)
        folder.files["other"] = nil
        #expect(try folder.stack("x").rules.isEmpty)
        #expect(throws: PAMError.missing("nowhere")) { try folder.stack("nowhere") }
    }
}
