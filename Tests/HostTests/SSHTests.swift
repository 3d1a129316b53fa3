// SPDX-License-Identifier: Apache-2.0
// What `sshd -T` prints, as values.
import MPinHost
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

    @Test func `keys are found in any case, and those that repeat have all their values`() {
        let settings = SSHSettings(printed: printed)
        #expect(settings["Port"] == "22" && settings["nothing"] == nil)
        #expect(settings.values(of: "AcceptEnv") == ["LANG", "LC_*"])
        #expect(settings.isOn("UsePAM") == true && settings.isOn("Banner") == nil)
        #expect(settings.loginGraceTime == 120)
        #expect(settings.methods == [["publickey", "keyboard-interactive:pam"]])
    }

    @Test func `what another file says first is named`() {
        #expect(SSHSettings(printed: printed).missing.isEmpty)
        let other = printed.replacing("passwordauthentication no", with: "passwordauthentication yes")
        #expect(SSHSettings(printed: other).missing == ["PasswordAuthentication"])
        #expect(SSHSettings(printed: "").missing.count == 4)
    }

    @Test func `root's key is a way in where it is permitted and enough`() {
        #expect(!SSHSettings(printed: printed).rootMayUseKey)
        let root = printed.replacing("publickey,keyboard-interactive:pam", with: "publickey")
        #expect(SSHSettings(printed: root).rootMayUseKey)
        #expect(!SSHSettings(printed: root.replacing("without-password", with: "no")).rootMayUseKey)
        let any = printed.replacing("publickey,keyboard-interactive:pam", with: "any")
        #expect(SSHSettings(printed: any).rootMayUseKey && SSHSettings(printed: any).methods.isEmpty)
        let keyless = any.replacing("pubkeyauthentication yes", with: "pubkeyauthentication no")
        #expect(!SSHSettings(printed: keyless).rootMayUseKey)
    }

    @Test func `rubbish is no setting`() {
        for text in ["", "\n\n", "  ", "x", "\u{0}\n y z"] {
            #expect(SSHSettings(printed: text)["port"] == nil)
        }
    }
}
