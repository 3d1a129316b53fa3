// SPDX-License-Identifier: Apache-2.0
// Accounts that ssh no longer lets in once it requires a key and M-Pin, and what /etc/shadow says of
// accounts.
@testable import MPinAdmin
import Testing

@Suite struct ShutOutTests {
    private static let debian = """
        usepam yes
        permitrootlogin without-password
        pubkeyauthentication yes
        passwordauthentication yes
        kbdinteractiveauthentication no
        gssapiauthentication no
        hostbasedauthentication no
        authenticationmethods any
        """
    private static let right = promptly(debian)
        .replacing("methods any", with: "methods publickey,keyboard-interactive:pam")
    private static let keyAlone = right.replacing("publickey,keyboard-interactive:pam", with: "publickey")

    /// The settings with passwords at PAM's prompt instead of sshd's own.
    private static func promptly(_ settings: String) -> String {
        settings.replacing("passwordauthentication yes", with: "passwordauthentication no")
            .replacing("kbdinteractiveauthentication no", with: "kbdinteractiveauthentication yes")
    }

    private func account(
        _ key: SSHAccount.Key, password: Bool = false, enrolled: Bool = false, exempt: Bool = false,
        uid: UInt32 = 1_000
    ) -> SSHAccount {
        SSHAccount(
            name: "ann", uid: uid, key: key, hasPassword: password, isEnrolled: enrolled, isExempt: exempt)
    }

    /// - Parameter asksPassword: whether accounts without a PIN are asked for the password.
    private func reason(
        _ account: SSHAccount, from before: String = ShutOutTests.debian,
        to after: String = ShutOutTests.right, asksPassword: Bool = true, both: Bool = false
    ) -> ShutOut.Reason? {
        ShutOut(
            account,
            before: SSHAccess(settings: SSHSettings(printed: before), asksPIN: false, takesPassword: true),
            after: SSHAccess(
                settings: SSHSettings(printed: after), asksPIN: true, takesPassword: asksPassword,
                asksBoth: both)
        )?.reason
    }

    @Test func `an account with only a password needs a key, with a PIN and without`() {
        #expect(reason(account(.none, password: true)) == .noKey)
        #expect(reason(account(.none, password: true, enrolled: true)) == .noKey)
        let typed = Self.promptly(Self.debian)
        #expect(reason(account(.none, password: true), from: typed) == .noKey)
    }

    @Test func `a key without a PIN does not suffice, nor, for programs, a key with a password`() {
        #expect(reason(account(.there)) == .notEnrolled)
        #expect(reason(account(.there, password: true)) == .passwordAsked)
        #expect(reason(account(.there, password: true), asksPassword: false) == .notEnrolled)
    }

    @Test func `an account with key and PIN gets in, and one that never got in is not shut out`() {
        #expect(reason(account(.there, enrolled: true)) == nil)
        #expect(reason(account(.there, password: true, enrolled: true), asksPassword: false) == nil)
        #expect(reason(account(.none)) == nil)
        #expect(reason(account(.none, enrolled: true)) == nil)
        let off = Self.debian.replacing("passwordauthentication yes", with: "passwordauthentication no")
        #expect(reason(account(.none, password: true), from: off) == nil)
    }

    @Test func `an account exempt by a Match block is not shut out`() {
        #expect(reason(account(.there), to: Self.keyAlone) == nil)
        #expect(reason(account(.none, password: true), to: Self.keyAlone) == .noKey)
        let (on, off) = ("kbdinteractiveauthentication yes", "kbdinteractiveauthentication no")
        let mute = Self.right.replacing(on, with: off)
        #expect(reason(account(.there, enrolled: true), to: mute) == .noMethod)
    }

    @Test func `an account exempt by mpin.conf gets in by key, unless its client refuses prompts`() {
        for asks in [true, false] {
            #expect(reason(account(.there, exempt: true), asksPassword: asks) == .batchMode)
            #expect(reason(account(.there, password: true, exempt: true), asksPassword: asks) == .batchMode)
        }
        #expect(reason(account(.there, enrolled: true, exempt: true)) == nil)
        #expect(reason(account(.there, exempt: true), to: Self.keyAlone) == nil)
        #expect(reason(account(.none, password: true, exempt: true)) == .noKey)
        #expect(reason(account(.unseen, exempt: true)) == .keyUnseen)
        // If M-Pin is the first of two factors, the key replaces only the PIN.
        #expect(reason(account(.there, exempt: true), both: true) == .notEnrolled)
        #expect(reason(account(.there, password: true, exempt: true), both: true) == .passwordAsked)
        let typed = Self.right.replacing("publickey,keyboard-interactive:pam", with: "keyboard-interactive")
        #expect(reason(account(.there, password: true, exempt: true), to: typed) == .passwordAsked)
        #expect(ShutOut.Reason.allCases.filter { !$0.mustBeAgreed } == [.batchMode])
    }

    @Test func `a key in no file counts as missing where a key is required`() {
        #expect(reason(account(.unseen, enrolled: true)) == .keyUnseen)
        #expect(reason(account(.unseen, password: true)) == .keyUnseen)
        #expect(reason(account(.unseen), to: Self.keyAlone) == nil)
    }

    @Test func `root's access follows PermitRootLogin`() {
        #expect(reason(account(.none, password: true, uid: 0)) == nil)
        #expect(reason(account(.there, password: true, uid: 0), to: Self.keyAlone) == nil)
        let open = Self.debian.replacing("without-password", with: "yes")
        let after = Self.keyAlone.replacing("without-password", with: "yes")
        #expect(reason(account(.none, password: true, uid: 0), from: open, to: after) == .noKey)
        let closed = Self.debian.replacing("without-password", with: "no")
        #expect(reason(account(.there, uid: 0), from: closed) == nil)
    }

    @Test func `unchanged settings shut nobody out`() {
        let settings = SSHSettings(printed: Self.right)
        let access = SSHAccess(settings: settings, asksPIN: true, takesPassword: true)
        for key in [SSHAccount.Key.none, .there, .unseen] {
            for bits in 0..<8 {
                let one = account(
                    key, password: bits & 1 == 1, enrolled: bits & 2 == 2, exempt: bits & 4 == 4)
                #expect(ShutOut(one, before: access, after: access) == nil)
            }
        }
        // An account that was asked for the password, and now is not let in.
        let deny = SSHAccess(settings: settings, asksPIN: true, takesPassword: false)
        #expect(ShutOut(account(.there, password: true), before: access, after: deny)?.reason == .notEnrolled)
    }

    @Test func `without PAM a password is typed at sshd's own prompt`() {
        let plain = Self.debian.replacing("usepam yes", with: "usepam no")
        #expect(reason(account(.none, password: true), from: plain) == .noKey)
        #expect(reason(account(.none, password: true), from: Self.promptly(plain)) == nil)
    }

    @Test func `shadow shows passwords, locks and expiry dates`() {
        let text = """
            root:*:19000:0:99999:7:::
            ann:$y$j9T$x:19000:0:99999:7::20000:
            bob:!$y$j9T$x:19000:0:99999:7:::
            bob:$y$j9T$x:19000:0:99999:7:::
            cid::19000:0:99999:7::-1:
            dan
            eve:!
            """
        let entries = shadowEntries(Array(text.utf8))
        #expect(entries.keys.sorted() == ["ann", "bob", "cid", "root"])
        #expect(entries["ann"]?.hasPassword == true && entries["ann"]?.end == 20_000)
        #expect(entries["bob"]?.hasPassword == false && entries["bob"]?.isLocked == true)
        #expect(entries["cid"]?.hasEmptyPassword == true && entries["cid"]?.end == nil)
        #expect(entries["root"]?.isLocked == false && entries["root"]?.hasPassword == false)
    }

    @Test func `a key for one command is a key, and a comment is not`() {
        let body = "AAAAC3NzaC1lZDI1NTE5AAAAI" + String(repeating: "x", count: 43)
        for line in [
            "ssh-ed25519 \(body)", "from=\"10.0.0.1\",command=\"rsync --server\" ssh-ed25519 \(body) robot",
            "# none\n\n\tssh-ed25519 \(body)\n", "cert-authority ssh-ed25519 \(body)",
        ] {
            #expect(hasKey(Array(line.utf8)), "\(line)")
        }
        for line in ["", "# ssh-ed25519 \(body)", "ssh-ed25519 AAAA", "command=\"ssh-ed25519 \(body)\""] {
            #expect(!hasKey(Array(line.utf8)), "\(line)")
        }
    }
}
