// SPDX-License-Identifier: Apache-2.0
// Setup inserts the rule into a stack at its only place, and removes it without a trace.
@testable import MPinAdmin
import Testing

@Suite struct EditTests {
    private let debian = Folder.debian12

    @Test(arguments: Factor.allCases) func `removing the rule restores the file exactly`(factor: Factor)
        throws
    {
        for service in ["sudo", "sshd", "login", "su"] {
            let before = try debian.file(service).text
            let written = try debian.with(factor, in: service)
            let after = try PAMFile(service, text: Array(written.utf8))
            #expect(after.factor == factor)
            #expect(try after.withoutSetup() == before)
            // A second run changes nothing, and another factor replaces the first.
            var folder = debian
            folder.files[service] = written
            #expect(try folder.with(factor, in: service) == written)
            for other in Factor.allCases {
                #expect(try folder.with(other, in: service) == debian.with(other, in: service))
            }
        }
    }

    @Test func `a rule belongs to setup whatever its comment says, as an older version wrote it`() throws {
        for factor in Factor.allCases {
            let written = try debian.with(factor, in: "sudo")
            let worded = written.replacing(
                factor.comment, with: "M-Pin, and what an older version said of it.")
            let older = worded.replacing(" section=sudo\n", with: "\n")
            #expect(worded != written && older != worded)
            for text in [worded, older] {
                let file = try PAMFile("sudo", text: Array(text.utf8))
                #expect(file.factor == factor)
                #expect(try file.withoutSetup() == debian.file("sudo").text)
            }
            let edited = try PAMFile(
                "sudo", text: Array(older.replacing(factor.control, with: "required").utf8))
            #expect(edited.factor == nil)
        }
    }

    @Test func `the rule is inserted before the first module that asks, after those that do not ask`() throws
    {
        for (service, next) in [
            ("sudo", "@include common-auth"), ("sshd", "@include common-auth"),
            ("login", "@include common-auth"), ("su", "@include common-auth"),
        ] {
            let text = try debian.with(.only, in: service)
            #expect(text.contains(Factor.only.block(for: service) + next), "\(text)")
            var folder = debian
            folder.files[service] = text
            let places = try folder.stack(service).places()
            #expect(places.count == 1 && places[0].entry.file == service)
            #expect(places[0].before.map(\.rule.module).allSatisfy { $0 != "pam_unix.so" })
            #expect(places[0].after.contains { $0.rule.module == "pam_unix.so" })
            #expect(places[0].bypasses.map(\.rule.module) == (service == "su" ? ["pam_rootok.so"] : []))
        }
    }

    @Test func `a stack that was edited is not changed, and the line is named`() {
        for (text, line, words) in [
            ("auth required\n", 1, "names no module"), ("auth\n", 1, "ends where a control"),
            ("\n# x\nauth maybe pam_unix.so\n", 3, "no control 'maybe'"),
            ("auth [success=perhaps] pam_unix.so\n", 1, "no control '[success=perhaps]'"),
            ("auth [success=ok pam_unix.so\n", 1, "names no module"),
            ("auth [success=0] pam_unix.so\n", 1, "no control '[success=0]'"),
            ("auth [success=+1] pam_unix.so\n", 1, "no control '[success=+1]'"),
            ("auto required pam_unix.so\n", 1, "'auto' is not one of"),
            ("account required pam_unix.so\n", 0, "no rule here asks"), ("", 0, "no rule here asks"),
            ("auth required pam_env.so\n", 0, "no rule here asks"),
            ("auth required pam_env.so\nauth required pam_mpin.so\n", 2, "is here already"),
            ("auth required /lib/security/pam_mpin.so\n", 1, "is here already"),
            ("auth required pam_unix.so\n\(Mark.begin)\n", 0, "not a pair"),
            ("\(Mark.end)\n\(Mark.begin)\nauth required pam_unix.so\n", 0, "not a pair"),
            (
                "auth [success=1] pam_succeed_if.so uid < 1000\n@include common-auth\n", 1,
                "skips a number of rules"
            ),
            ("auth include nowhere\n", 1, "no such file"), ("@include x\n", 1, "includes itself"),
            ("auth required pam_unix.so\r\n", 1, "a carriage return"),
            ("auth required pam_unix.so \\\n", 1, "is continued, but"),
            (
                "auth required pam_unix.so " + String(repeating: "x", count: 1_000), 1,
                "longer than libpam takes"
            ),
            ("auth include su\n", 1, "it includes 'su'"),
            (String(repeating: "#", count: 65_537), 0, "longer than 64 KiB"),
        ] {
            var folder = debian
            folder.files["x"] = text
            let error = folder.refusal("x")
            #expect(error?.file == "x" && error?.line == line, "\(text.prefix(200))")
            #expect(error?.sentence.contains(words) == true, "\(text.prefix(200))")
        }
        #expect(debian.refusal("su-l")?.line == 2)
        #expect(debian.refusal("su-l")?.sentence == "it includes 'su'. Use --service su.")
        #expect(debian.refusal("other") == .missing("other"))
        var common = debian
        common.files["common-auth"]? += "auth required pam_mpin.so\n"
        #expect(common.refusal("sudo")?.sentence.contains("is here already") == true)
        #expect(common.refusal("sudo")?.file == "common-auth")
    }

    @Test func `a jump in a file that is included before the place is reported in that file`() throws {
        var folder = debian
        folder.files["head"] = "# x\nauth [success=1 default=ignore] pam_succeed_if.so uid < 1000\n"
        folder.files["deep"] = "auth required pam_env.so\n@include head\n"
        for include in ["@include head", "auth include head", "@include deep", "auth include deep"] {
            folder.files["x"] = include + "\n@include common-auth\n"
            #expect(folder.refusal("x") == .jumps("head", line: 2), "\(include)")
        }
        // A substack keeps its jumps to itself, and a jump after the place does not count the new rule.
        folder.files["inner"] = "auth substack head\n"
        for include in ["auth substack head", "@include inner"] {
            folder.files["x"] = include + "\n@include common-auth\n"
            #expect(folder.refusal("x") == nil, "\(include)")
        }
        folder.files["head"]? += "auth required pam_unix.so\n"
        folder.files["x"] = "@include head\n"
        #expect(try folder.with(.only, in: "x").hasSuffix(Factor.only.block(for: "x") + "@include head\n"))
    }

    @Test func `comments, continued lines, paths and silent rules are read as libpam reads them`() throws {
        var folder = debian
        folder.files["x"] = """
            -AUTH Required /lib/security/pam_x.so a [b c] # no argument
            auth \\
              # between

              [success = done default=ignore] \\
              pam_y.so
            @include common-auth
            """
        let rules = try folder.stack("x").rules
        #expect(rules.map(\.line) == [1, 2, 5, 7, 8, 9])
        #expect(rules[0].rule.isSilent && rules[0].rule.arguments == ["a", "b c"])
        #expect(rules[0].rule.calls("pam_x.so") && !rules[0].rule.calls("x.so"))
        #expect(rules[1].rule.control.action(for: "success") == .done)
        #expect(rules[1].rule.control.action(for: "auth_err") == .ignore)
        #expect(rules[2].file == "common-auth" && rules[2].rule.control.action(for: "success") == .jump(1))
    }

    @Test func `a rule that can bypass the module is found`() throws {
        let module = "auth required pam_mpin.so\n"
        for (text, lines) in [
            ("auth sufficient pam_a.so\n" + module, [1]),
            ("auth [success=1 default=ignore] pam_a.so\n" + module, [1]),
            ("auth [success=ignore default=1] pam_a.so\n" + module, [1]),
            ("auth [success=1 default=ignore] pam_a.so\nauth required pam_b.so\n" + module, []),
            ("auth [success=2 default=ignore] pam_a.so\nauth required pam_b.so\n" + module, [1]),
            // In a substack, `done` ends only the substack, and the substack counts as one rule.
            ("auth substack inner\n" + module, []), ("auth include inner\n" + module, [1]),
            ("auth [success=1 default=bad] pam_a.so\nauth substack inner\n" + module, []),
            ("auth [success=2 default=bad] pam_a.so\nauth substack inner\n" + module, [1]),
            ("auth required pam_a.so\nauth requisite pam_b.so\nauth optional pam_c.so\n" + module, []),
            ("account sufficient pam_a.so\n" + module, []),
        ] as [(String, [Int])] {
            let folder = Folder(files: [
                "x": text, "inner": "auth sufficient pam_i.so\nauth required pam_j.so\n",
            ])
            let places = try folder.stack("x").places()
            #expect(places.count == 1)
            #expect(places.first?.bypasses.map(\.line) == lines, "\(text)")
        }
    }
}
