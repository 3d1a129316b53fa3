// SPDX-License-Identifier: Apache-2.0
// The output of `sshd -T`, parsed.
@testable import MPinAdmin
import Testing

@Suite struct SSHTests {
    private let printed = """
        port 22
        usepam yes
        logingracetime 120
        permitrootlogin without-password
        pubkeyauthentication yes
        passwordauthentication no
        KbdInteractiveAuthentication yes
        authenticationmethods publickey,keyboard-interactive:pam
        acceptenv LANG
        acceptenv LC_*
        banner none

        """

    @Test func `keys are found in any case, and repeated keys have all their values`() {
        let settings = SSHSettings(printed: printed)
        #expect(settings["Port"] == "22" && settings["nothing"] == nil)
        #expect(settings.values(of: "AcceptEnv") == ["LANG", "LC_*"])
        #expect(settings.isOn("UsePAM") == true && settings.isOn("Banner") == nil)
        #expect(settings.loginGraceTime == 120)
        #expect(settings.methods == [["publickey", "keyboard-interactive:pam"]])
    }

    @Test func `a setting that another file overrides is named`() {
        #expect(SSHSettings(printed: printed).missing.isEmpty)
        let other = printed.replacing("passwordauthentication no", with: "passwordauthentication yes")
        #expect(SSHSettings(printed: other).missing == ["PasswordAuthentication"])
        #expect(SSHSettings(printed: "").missing.count == 4)
    }

    @Test func `root's key gives access if it is permitted and sufficient`() {
        #expect(!SSHSettings(printed: printed).rootMayUseKey())
        let root = printed.replacing("publickey,keyboard-interactive:pam", with: "publickey")
        #expect(SSHSettings(printed: root).rootMayUseKey())
        #expect(!SSHSettings(printed: root.replacing("without-password", with: "no")).rootMayUseKey())
        let any = printed.replacing("publickey,keyboard-interactive:pam", with: "any")
        #expect(SSHSettings(printed: any).rootMayUseKey() && SSHSettings(printed: any).methods.isEmpty)
        let keyless = any.replacing("pubkeyauthentication yes", with: "pubkeyauthentication no")
        #expect(!SSHSettings(printed: keyless).rootMayUseKey())
    }

    @Test(arguments: [
        ("", true), ("allowusers alice", false), ("allowusers alice\nallowusers r?ot", true),
        ("allowusers alice *@10.0.0.1", true), ("denyusers root", false), ("denyusers *@10.*", false),
        ("denyusers alice", true), ("allowgroups ssh", false), ("allowgroups ssh wheel", true),
        ("denygroups who* wheel", false), ("denygroups ssh\nallowusers root", true),
        ("allowusers root\ndenyusers r*t", false), ("allowusers ROOT !root roo", false),
    ])
    func `root's key gives no access if root is excluded by name or group`(_ lines: String, _ admits: Bool) {
        let root = printed.replacing("publickey,keyboard-interactive:pam", with: "publickey") + lines
        #expect(SSHSettings(printed: root).rootMayUseKey(groups: ["root", "wheel"]) == admits)
    }

    @Test func `keys are looked for where sshd looks`() {
        func files(_ said: String, _ name: String = "root", _ uid: UInt32 = 0) -> [String] {
            SSHSettings(printed: said).keyFiles(of: name, uid: uid, home: "/r")
        }
        #expect(files("") == ["/r/.ssh/authorized_keys", "/r/.ssh/authorized_keys2"])
        #expect(files("authorizedkeysfile .k /etc/k/%u %h/x") == ["/r/.k", "/etc/k/root", "/r/x"])
        #expect(files("authorizedkeysfile none").isEmpty)
        #expect(files("authorizedkeysfile /k/%U/%u%% %x %", "ann", 7) == ["/k/7/ann%", "/r/%x", "/r/%"])
        #expect(!SSHSettings(printed: "authorizedkeyscommand none\ntrustedusercakeys none").hasUnseenKeys)
        #expect(SSHSettings(printed: "authorizedkeyscommand /usr/bin/keys").hasUnseenKeys)
        #expect(SSHSettings(printed: "trustedusercakeys /etc/ssh/ca.pub").hasUnseenKeys)
    }

    @Test func `a password suffices if sshd accepts it and requires nothing else`() {
        #expect(!SSHSettings(printed: printed).takesPasswordAlone)
        #expect(SSHSettings(printed: "passwordauthentication yes").takesPasswordAlone)
        let both = "passwordauthentication yes\nauthenticationmethods publickey,password"
        #expect(!SSHSettings(printed: both).takesPasswordAlone)
    }

    /// The places of blocks in these files of /etc/ssh; a pattern matches the names that begin with its text
    /// before `*`.
    private func blocks(_ files: [String: String]) -> [String] {
        SSHMatch.blocks(
            read: { path in files[String(path.dropFirst("/etc/ssh/".count))].map { Array($0.utf8) } },
            expand: { pattern in
                let head = pattern.prefix { $0 != "*" }
                return files.keys.map { "/etc/ssh/" + $0 }.filter { $0.hasPrefix(head) }.sorted()
            }
        ).map(\.place)
    }

    @Test func `a Match block that changes authentication is found with file and line`() {
        let main = "Include /etc/ssh/sshd_config.d/*.conf\n# Match all\nPasswordAuthentication yes\n"
        #expect(blocks(["sshd_config": main]).isEmpty)
        #expect(blocks([:]).isEmpty)
        for said in [
            "AuthenticationMethods any", "passwordauthentication yes", "\tKbdInteractiveAuthentication=no",
            "UsePAM no", "PAMServiceName \"other\"", "X11Forwarding no\n\n  UsePAM \t no # why",
        ] {
            let files = ["sshd_config": main + "Match User backup,ops\n" + said]
            #expect(blocks(files) == ["/etc/ssh/sshd_config:4"], "\(said)")
        }
        #expect(blocks(["sshd_config": main + "Match User x\nX11Forwarding no\n# UsePAM no"]).isEmpty)
        // A setting for all is no exception, and neither are the lines after it.
        #expect(blocks(["sshd_config": main + "Match User x\nMatch all\nUsePAM no"]).isEmpty)
    }

    @Test func `a Match block ends with its file, and the files that it includes belong to it`() {
        let main = "Include sshd_config.d/*.conf\nUsePAM yes\nmatch\tgroup \"a b\"\nInclude more\n"
        let drop = "Match Address 10.0.0.0/8\nPasswordAuthentication yes\nMatch User z\n"
        let files = [
            "sshd_config": main, "sshd_config.d/a.conf": drop,
            "sshd_config.d/00-mpin.conf": SSHSettings.dropIn,
            "more": "Match all\nUsePAM no",
        ]
        #expect(blocks(files) == ["/etc/ssh/sshd_config.d/a.conf:1", "/etc/ssh/sshd_config:3"])
        #expect(blocks(["sshd_config": "Include sshd_config\nMatch User x\nUsePAM no"]).count == 1)
    }

    @Test func `malformed text is not a setting`() {
        for text in ["", "\n\n", "  ", "x", "\u{0}\n y z"] {
            #expect(SSHSettings(printed: text)["port"] == nil)
        }
    }
}
