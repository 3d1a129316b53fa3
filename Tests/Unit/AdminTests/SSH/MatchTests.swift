// SPDX-License-Identifier: Apache-2.0
// `Match` blocks of sshd's settings: how they are parsed, and what `mpin doctor` reports for each kind.
@testable import MPinAdmin
import Testing

@Suite struct MatchTests {
    /// All blocks of these files of /etc/ssh; a pattern matches the names that begin with its text before
    /// `*`.
    private func all(_ files: [String: String]) -> [SSHMatch] {
        SSHMatch.all(
            read: { path in files[String(path.dropFirst("/etc/ssh/".count))].map { Array($0.utf8) } },
            expand: { pattern in
                let head = pattern.prefix { $0 != "*" }
                return files.keys.map { "/etc/ssh/" + $0 }.filter { $0.hasPrefix(head) }.sorted()
            })
    }

    private func only(_ text: String) throws -> SSHMatch {
        let blocks = all(["sshd_config": text])
        try #require(blocks.count == 1)
        return blocks[0]
    }

    private func findings(
        _ text: String, _ settings: String? = nil, asked: (String) -> SSHSettings? = { _ in nil }
    ) -> [Finding] {
        let wanted = SSHWanted(deadline: 100, asksPIN: true, asksPhone: true, pinNeedsKey: true)
        let blocks = SSHMatch.blocks(read: { $0 == "/etc/ssh/sshd_config" ? Array(text.utf8) : nil })
        return SSHSettings(printed: settings ?? RightSSH.settings).findings(
            wanted, apart: blocks, asked: asked)
    }

    private func words(_ text: String) -> String {
        findings(text).filter { $0.word != "sshd" }.map(\.word).joined(separator: " ")
    }

    @Test(arguments: [
        "Match User ann,bob", "match\tuser ann,bob # why", "MATCH USER=ann,bob", "Match \"User\" 'ann,bob'",
        "  Match User = ann,bob", "match=user ann,bob\r",
    ])
    func `the accounts of a block are found in every spelling of the line`(_ line: String) throws {
        let block = try only(line + "\nAuthenticationMethods publickey\n")
        #expect(block.names == ["ann", "bob"] && block.isByNameAlone)
        #expect(block.line == 1 && block.said == ["authenticationmethods": "publickey"])
    }

    @Test func `patterns, groups and places give no names, and further criteria are counted`() throws {
        for line in ["User *", "User a?", "User !root,ann", "Group ops", "Address 10.0.0.0/8", "User"] {
            let block = try only("Match \(line)\nUsePAM no")
            #expect(block.names.isEmpty && !block.isByNameAlone, "\(line)")
        }
        let narrow = try only("Match Address 10.0.0.0/8,fe80::/10 User ann\nUsePAM no")
        #expect(narrow.names == ["ann"] && !narrow.isByNameAlone)
        #expect(narrow.criteria.map(\.name) == ["address", "user"])
        #expect(narrow.criteria.first?.patterns == ["10.0.0.0/8", "fe80::/10"])
        #expect(try only("Match invalid-user User x\nUsePAM no").criteria.count == 2)
    }

    @Test func `the first value of a block counts, and the next block or all ends it`() {
        let text = """
            PasswordAuthentication yes
            Match User ann
                passwordauthentication NO
                PasswordAuthentication yes
                ChallengeResponseAuthentication no
                AuthenticationMethods "publickey" publickey,password # both
            Match all
                UsePAM no
            Match User bob
                Banner "a \\"b\\" # c"
            """
        let blocks = all(["sshd_config": text])
        #expect(blocks.map(\.line) == [2, 9] && blocks.map(\.title) == ["Match User ann", "Match User bob"])
        #expect(
            blocks.first?.said == [
                "passwordauthentication": "no", "kbdinteractiveauthentication": "no",
                "authenticationmethods": "publickey publickey,password",
            ])
        #expect(blocks.last?.said == ["banner": #"a "b" # c"#])
    }

    @Test func `an included file is part of the block that includes it, and narrows it`() {
        let files = [
            "sshd_config": "Include sshd_config.d/*.conf\nMatch Group ops\nInclude /etc/ssh/more\nBanner x\n",
            "sshd_config.d/a.conf": "Match User ann\nUsePAM no\n", "sshd_config.d/b.conf": "Port 22\n",
            "more": "PermitTTY no\nMatch User bob\nUsePAM no\nMatch all\nX11Forwarding no\n",
        ]
        let blocks = all(files)
        #expect(
            blocks.map(\.place) == [
                "/etc/ssh/sshd_config.d/a.conf:1", "/etc/ssh/sshd_config:2", "/etc/ssh/more:2",
            ])
        #expect(blocks[1].said == ["permittty": "no", "x11forwarding": "no", "banner": "x"])
        #expect(blocks[2].criteria.map(\.name) == ["group", "user"] && !blocks[2].isByNameAlone)
    }

    @Test func `the first value of a setting has its file and line`() {
        let files = [
            "sshd_config": "Include sshd_config.d/*.conf\nUsePAM no\n",
            "sshd_config.d/00-a.conf": "# x\npasswordauthentication=yes\nMatch User a\nUsePAM no\n",
            "sshd_config.d/00-mpin.conf": SSHSettings.dropIn,
            "sshd_config.d/50-cloud-init.conf": "PasswordAuthentication no\n",
        ]
        let places = SSHMatch.places(
            read: { path in files[String(path.dropFirst("/etc/ssh/".count))].map { Array($0.utf8) } },
            expand: { pattern in
                files.keys.map { "/etc/ssh/" + $0 }.filter { $0.hasPrefix(pattern.prefix { $0 != "*" }) }
                    .sorted()
            })
        #expect(places["passwordauthentication"] == "/etc/ssh/sshd_config.d/00-a.conf:2")
        #expect(places["usepam"] == "/etc/ssh/sshd_config:2" && places["authenticationmethods"] == nil)
    }

    @Test func `setup's own drop-in is ignored, and a changed one is not`() {
        let main = "Include /etc/ssh/sshd_config.d/*.conf\n"
        let own = "sshd_config.d/00-mpin.conf"
        #expect(all(["sshd_config": main, own: SSHSettings.dropIn]).isEmpty)
        #expect(all(["sshd_config": main, own: SSHSettings.dropIn + "Match User ann\n"]).count == 2)
    }

    @Test(arguments: [
        ("User ansible\nAuthenticationMethods publickey", "sshd-match-exempt"),
        ("User a,b Address 10.0.0.1\nAuthenticationMethods publickey", "sshd-match-exempt"),
        ("User a\nAuthenticationMethods publickey\nKbdInteractiveAuthentication no", "sshd-match-exempt"),
        ("Group ops\nAuthenticationMethods publickey", "sshd-match"),
        ("User *\nAuthenticationMethods publickey", "sshd-match"),
        ("User a\nAuthenticationMethods any", "sshd-match"),
        ("User a\nAuthenticationMethods hostbased", ""),
        ("User a\nAuthenticationMethods hostbased\nHostbasedAuthentication yes", "sshd-match"),
        ("User a\nUsePAM no", "sshd-match"),
        ("User a\nAuthenticationMethods publickey\nUsePAM no", "sshd-match"),
        ("User a\nKbdInteractiveAuthentication no", "sshd-match"),
        ("User a\nPAMServiceName other", "sshd-match"), ("User a\nPAMServiceName sshd", ""),
        ("Address 10.0.0.0/8\nPasswordAuthentication yes", "sshd-match-password"),
        ("User a\nPasswordAuthentication yes\nAuthenticationMethods password", "sshd-match-password"),
        (
            "User a\nPasswordAuthentication yes\nAuthenticationMethods any",
            "sshd-match sshd-match-password"
        ),
        ("User a\nPasswordAuthentication no", ""), ("User a\nAuthenticationMethods publickey,password", ""),
        ("User a\nAuthenticationMethods publickey,keyboard-interactive", ""), ("all\nUsePAM no", ""),
        ("User a\nX11Forwarding no", ""),
    ])
    func `each kind of block gets the right word`(_ block: String, _ words: String) {
        #expect(self.words("Match " + block) == words)
    }

    @Test func `a finding names line, criteria and what to do`() throws {
        let exempt = try #require(findings("\nMatch User ansible\nAuthenticationMethods publickey").last)
        #expect(exempt.level == .note)
        #expect(exempt.message.contains("/etc/ssh/sshd_config:2: 'Match User ansible'"))
        #expect(exempt.advice?.contains("AUTOMATION") == true)
        let bypass = try #require(findings("Match Group ops\nAuthenticationMethods publickey").last)
        #expect(bypass.level == .warning)
        #expect(bypass.message.contains(":1: 'Match Group ops' lets people in by 'publickey'"))
        let typed = try #require(findings("Match Group ops\nPasswordAuthentication yes").last)
        #expect(typed.level == .warning && typed.advice?.contains("PasswordAuthentication no") == true)
    }

    @Test func `a setting that applies to all accounts is not an exception`() {
        let any = RightSSH.settings.replacing("publickey,keyboard-interactive:pam", with: "any")
        let found = findings("Match User a\nPasswordAuthentication no\nAuthenticationMethods any", any)
        #expect(found.map(\.word) == ["sshd-key-alone", "sshd-pin-unasked"])
    }

    @Test func `for accounts given by name sshd itself reports its settings`() {
        let text = "Match User ann\nAuthenticationMethods publickey"
        let same = SSHSettings(printed: RightSSH.settings)
        #expect(findings(text, asked: { _ in same }).map(\.word) == ["sshd"])
        let other = SSHSettings(
            printed: RightSSH.settings.replacing("publickey,keyboard-interactive:pam", with: "publickey"))
        #expect(findings(text, asked: { $0 == "ann" ? other : same }).last?.word == "sshd-match-exempt")
        // For an address it cannot.
        let place = "Match Address 10.0.0.1\nAuthenticationMethods publickey"
        #expect(findings(place, asked: { _ in same }).last?.word == "sshd-match")
    }

    @Test func `malformed text does not trap`() {
        for text in [
            "Match", "Match =", "Match User", "Match \"", "Match User \\", "= =", "\"", "Include", "\u{0}",
        ] {
            #expect(findings(text + "\nUsePAM no").allSatisfy { $0.level != .problem })
        }
    }
}
