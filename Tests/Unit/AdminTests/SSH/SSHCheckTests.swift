// SPDX-License-Identifier: Apache-2.0
// The findings of `mpin doctor` about the settings of sshd and sudo.
@testable import MPinAdmin
import Testing

@Suite struct SSHCheckTests {
    private let right = RightSSH.settings + "\npermitrootlogin without-password"

    /// The words for these settings, with some values replaced.
    private func words(_ changes: [String: String], phone: Bool = true, needsKey: Bool = true) -> String {
        let lines = right.split(separator: "\n").map { line in
            let key = String(line.prefix { $0 != " " })
            return changes[key].map { "\(key) \($0)" } ?? String(line)
        }
        let wanted = SSHWanted(deadline: 100, asksPIN: true, asksPhone: phone, pinNeedsKey: needsKey)
        let found = SSHSettings(printed: lines.joined(separator: "\n")).findings(wanted)
        return found.map(\.word).joined(separator: " ")
    }

    @Test(arguments: [
        ([:], "sshd"),
        (["usepam": "no"], "sshd-no-pam"),
        (["kbdinteractiveauthentication": "no"], "sshd-no-prompt"),
        (["passwordauthentication": "yes"], "sshd-password"),
        (["authenticationmethods": "publickey"], "sshd-key-alone sshd-pin-unasked"),
        (["authenticationmethods": "publickey publickey,keyboard-interactive"], "sshd-key-alone"),
        (["authenticationmethods": "any"], "sshd-key-alone sshd-pin-unasked"),
        (["authenticationmethods": "any", "pubkeyauthentication": "no"], "sshd-pin-unasked"),
        (
            ["authenticationmethods": "any", "hostbasedauthentication": "yes"],
            "sshd-key-alone sshd-pin-unasked"
        ),
        (["authenticationmethods": "keyboard-interactive,publickey"], "sshd-pin-unasked"),
        (["logingracetime": "100"], "sshd-grace"), (["logingracetime": "101"], "sshd"),
        (["logingracetime": "0"], "sshd"),
        (["permitrootlogin": "yes"], "sshd"),
        (
            ["permitrootlogin": "yes", "passwordauthentication": "yes", "authenticationmethods": "password"],
            "sshd-password sshd-pin-unasked sshd-root-password"
        ),
    ])
    func `settings get the right words`(_ changes: [String: String], _ words: String) {
        #expect(self.words(changes) == words)
    }

    @Test func `the claim that nobody bypasses M-Pin is made only if no Match block exists`() {
        let wanted = SSHWanted(deadline: 100, asksPIN: true, asksPhone: true, pinNeedsKey: true)
        let settings = SSHSettings(printed: right)
        #expect(settings.findings(wanted).first?.message.contains("nobody in without it") == true)
        let found = settings.findings(wanted, apart: [SSHMatch(file: "/x", line: 7)])
        #expect(found.count == 1 && found.first?.word == "sshd")
        #expect(found.first?.message.contains("/x:7") == true)
        #expect(found.first?.message.contains("nobody") == false)
    }

    @Test func `a PIN that needs no key is requested without one`() {
        let alone = ["authenticationmethods": "keyboard-interactive:pam"]
        #expect(words(alone) == "sshd-pin-unasked" && words(alone, needsKey: false) == "sshd")
    }
}

@Suite struct SudoersTests {
    private func words(_ json: String) -> String? {
        Sudoers(json: Array(json.utf8)).map { $0.findings.map(\.word).joined(separator: " ") }
    }

    /// In the format of cvtsudoers 1.9.13.
    private static func rule(_ options: String) -> String {
        #"{"User_Specs": [{"User_List": [{"usergroup": "ops"}], "Host_List": [{"hostname": "ALL"}], "#
            + #""Cmnd_Specs": [{"runasusers": [{"username": "ALL"}], "Options": [\#(options)], "#
            + #""Commands": [{"command": "ALL"}]}]}]}"#
    }

    private static func defaults(_ options: String) -> String {
        #"{"Defaults": [{"Options": [{"env_reset": true}, {"operation": "list_add", "env_keep": ["A"]}]}, "#
            + #"{"Binding": [{"username": "alice"}], "Options": [\#(options)]}]}"#
    }

    @Test(arguments: [
        ("{}", "sudo"),
        (rule(#"{"setenv": true}"#), "sudo"), (rule(#"{"authenticate": true}"#), "sudo"),
        (rule(#"{"authenticate": false}"#), "sudo-unasked"),
        (defaults(#"{"authenticate": false}"#), "sudo-unasked"),
        (defaults(#"{"targetpw": true}"#), "sudo-other-password"),
        (defaults(#"{"rootpw": true}"#), "sudo-other-password"),
        (defaults(#"{"runaspw": true}, {"targetpw": false}"#), "sudo-other-password"),
        (defaults(#"{"timestamp_timeout": "-1"}"#), "sudo-remembers"),
        (defaults(#"{"timestamp_timeout": "15"}"#), "sudo"),
    ])
    func `rules get the right words`(_ json: String, _ words: String) {
        #expect(self.words(json) == words)
    }

    @Test func `accounts that are not asked are named`() throws {
        let sudoers = try #require(Sudoers(json: Array(Self.rule(#"{"authenticate": false}"#).utf8)))
        #expect(sudoers.findings.first?.message.contains("%ops") == true)
    }

    @Test func `malformed text is not a rule`() {
        for text in ["", "[]", "{", #"{"Defaults": 1}"#] { #expect(words(text) == nil) }
    }
}
