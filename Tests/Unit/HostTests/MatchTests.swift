// SPDX-License-Identifier: Apache-2.0
// `Match` blocks of a real sshd's settings, and what `mpin doctor` reports for each kind.
import MPinHost
import Testing

@Suite(.enabled(if: RealSSHD.isThere)) struct MatchTests {
    private static let right = """
        UsePAM yes
        PasswordAuthentication no
        KbdInteractiveAuthentication yes
        AuthenticationMethods publickey,keyboard-interactive:pam

        """

    /// sshd with these lines after the settings that setup leaves; the first is line 7 of its file.
    private func sshd(_ text: String, _ settings: String = right) throws -> RealSSHD {
        try RealSSHD(settings + text)
    }

    private func words(_ text: String) throws -> String {
        try sshd(text).findings().filter { $0.word != .sshd }.map(\.word.rawValue).joined(separator: " ")
    }

    @Test(arguments: [
        "Match User ann,bob", "match\tuser ann,bob # why", "MATCH USER=ann,bob", "Match User 'ann,bob'",
        "  Match User = ann,bob", "match=user ann,bob\r",
    ])
    func `the accounts of a block are found in every spelling of the line`(_ line: String) throws {
        let found = try sshd(line + "\nAuthenticationMethods publickey\n").findings()
        #expect(found.last?.word == .sshdMatchExempt, "\(found)")
        #expect(found.last?.message.contains("/sshd_config:7: ") == true)
    }

    @Test func `the first value of a block counts, and the next block or all ends it`() throws {
        let text = """
            Match User ann
                passwordauthentication NO
                PasswordAuthentication yes
            Match all
                X11Forwarding no
            Match User bob
                Banner none
            Match User cid
                ChallengeResponseAuthentication no
            """
        let found = try sshd(text).findings()
        #expect(found.map(\.word) == [.sshd, .sshdMatch])
        #expect(found.last?.message.contains("/sshd_config:14: 'Match User cid'") == true)
        // Neither bob's block nor that for all is an exception.
        #expect(found.first?.message.contains("/sshd_config:12") == false)
    }

    @Test func `a block in an included file is found, and ends with its file`() throws {
        let part = "Match User ann\nUsePAM no\n"
        let sshd = try RealSSHD(Self.right, ["a.conf": part, "b.conf": "Banner none\n"])
        let found = try sshd.findings().filter { $0.word == .sshdMatch }
        #expect(found.map { $0.message.contains("/sshd_config.d/a.conf:1: ") } == [true])
    }

    @Test func `the first value of a setting has its file and line`() throws {
        let parts = [
            "00-a.conf": "# x\npasswordauthentication=yes\nMatch User a\nX11Forwarding no\n",
            "50-cloud-init.conf": "PasswordAuthentication no\n",
        ]
        let sshd = try RealSSHD("UsePAM no\n", parts)
        let places = sshd.daemon.places
        #expect(places["passwordauthentication"] == "\(sshd.folder)/sshd_config.d/00-a.conf:2")
        #expect(places["usepam"] == "\(sshd.folder)/sshd_config:3" && places["authenticationmethods"] == nil)
    }

    @Test func `a Match block that changes authentication is found with file and line`() throws {
        for said in [
            "AuthenticationMethods any", "passwordauthentication yes", "\tKbdInteractiveAuthentication=no",
            "UsePAM no", "X11Forwarding no\n\n  UsePAM \t no # why",
        ] {
            let sshd = try sshd("Match User backup,ops\n" + said)
            #expect(
                SSHMatch.decisive(sshd.daemon.changes).map(\.place) == ["\(sshd.folder)/sshd_config:7"],
                "\(said)")
        }
        for text in [
            "", "Match User x\nX11Forwarding no\n# UsePAM no",
            // A setting for all is no exception, and neither are the lines after it.
            "Match User x\nMatch all\nUsePAM no",
        ] {
            #expect(SSHMatch.decisive(try sshd(text).daemon.changes).isEmpty, "\(text)")
        }
    }

    @Test(arguments: [
        ("User ansible\nAuthenticationMethods publickey", "sshd-match-exempt"),
        ("User a,b Address 10.0.0.1\nAuthenticationMethods publickey", "sshd-match-exempt"),
        ("User a\nAuthenticationMethods publickey\nKbdInteractiveAuthentication no", "sshd-match-exempt"),
        ("Group games\nAuthenticationMethods publickey", "sshd-match"),
        ("Group !root,games\nAuthenticationMethods publickey", "sshd-match"),
        ("User *\nAuthenticationMethods publickey", "sshd-match"),
        ("User !root,a?\nAuthenticationMethods publickey", "sshd-match"),
        ("User a\nAuthenticationMethods any", "sshd-match"),
        ("User a\nAuthenticationMethods hostbased", ""),
        ("User a\nAuthenticationMethods hostbased\nHostbasedAuthentication yes", "sshd-match"),
        ("User a\nUsePAM no", "sshd-match"),
        ("User a\nAuthenticationMethods publickey\nUsePAM no", "sshd-match"),
        ("User a\nKbdInteractiveAuthentication no", "sshd-match"),
        ("Address 10.0.0.0/8\nPasswordAuthentication yes", "sshd-match-password"),
        ("Address 192.168.*.*,!10.0.0.1\nAuthenticationMethods publickey", "sshd-match"),
        ("Address fe80::/10\nAuthenticationMethods publickey", "sshd-match"),
        ("Host *.example.org LocalAddress 10.0.0.1 LocalPort 2222\nUsePAM no", "sshd-match"),
        ("User a\nPasswordAuthentication yes\nAuthenticationMethods password", "sshd-match-password"),
        (
            "User a\nPasswordAuthentication yes\nAuthenticationMethods any",
            "sshd-match sshd-match-password"
        ),
        ("User a\nPasswordAuthentication no", ""), ("User a\nAuthenticationMethods publickey,password", ""),
        ("User a\nAuthenticationMethods publickey,keyboard-interactive", ""), ("all\nBanner none", ""),
        ("User a\nX11Forwarding no", ""),
    ])
    func `each kind of block gets the right word`(_ block: String, _ words: String) throws {
        #expect(try self.words("Match " + block) == words)
    }

    @Test func `a finding names line, criteria and what to do`() throws {
        let exempt = try #require(
            try sshd("\nMatch User ansible\nAuthenticationMethods publickey").findings().last)
        #expect(exempt.level == .note)
        #expect(exempt.message.contains("/sshd_config:8: 'Match User ansible'"))
        #expect(exempt.advice?.contains("AUTOMATION") == true)
        let bypass = try #require(
            try sshd("Match Group games\nAuthenticationMethods publickey").findings().last)
        #expect(bypass.level == .warning)
        #expect(bypass.message.contains(":7: 'Match Group games' lets people in by 'publickey'"))
        let typed = try #require(try sshd("Match Group games\nPasswordAuthentication yes").findings().last)
        #expect(typed.level == .warning && typed.advice?.contains("PasswordAuthentication no") == true)
    }

    @Test func `a setting that applies to all accounts is not an exception`() throws {
        let any = Self.right.replacing("publickey,keyboard-interactive:pam", with: "any")
        let found = try sshd("Match User a\nPasswordAuthentication no\nAuthenticationMethods any", any)
            .findings()
        #expect(found.map(\.word) == [.sshdKeyAlone, .sshdPINUnasked])
    }

    @Test func `for accounts given by name sshd itself reports its settings`() throws {
        let key = "AuthenticationMethods publickey\n"
        let both = "AuthenticationMethods publickey,keyboard-interactive:pam\n"
        // The first block that applies decides, and only that is named.
        let closed = try sshd("Match User ann\n\(both)Match User ann\n\(key)").findings()
        #expect(closed.map(\.word) == [.sshd])
        let open = try sshd("Match Address 127.0.0.1 User ann\nBanner none\nMatch User ann\n\(key)")
            .findings()
        #expect(open.dropFirst().map(\.word) == [.sshdMatchExempt])
        #expect(open.last?.message.contains(":9: ") == true)
        // A block before it decides for one account of two.
        let half = try sshd("Match User ann\n\(both)Match User ann,bob\n\(key)").findings()
        #expect(half.dropFirst().map(\.word) == [.sshdMatchExempt])
    }

    @Test func `the claim that nobody bypasses M-Pin is made only if no Match block exists`() throws {
        #expect(try sshd("").findings().first?.message.contains("nobody in without it") == true)
        let found = try sshd("Match User ann\nAuthenticationMethods publickey,password").findings()
        #expect(found.count == 1 && found.first?.word == .sshd)
        #expect(found.first?.message.contains("/sshd_config:7") == true)
        #expect(found.first?.message.contains("nobody") == false)
    }

    @Test func `malformed text does not trap`() throws {
        for text in ["Match", "Match =", "Match User", "Match \"", "= =", "\"", "Include", "\u{0}"] {
            let daemon = try sshd(text + "\nUsePAM no").daemon
            #expect(
                daemon.settings(of: SSHLogin()) == nil && daemon.changes.isEmpty || daemon.changes.count < 2)
        }
    }
}
