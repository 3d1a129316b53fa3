// SPDX-License-Identifier: Apache-2.0
// Decides which accounts ssh lets in today, but no longer when it asks for a key and M-Pin.

/// An account, and what it has for logging in by ssh.
struct SSHAccount: Equatable, Sendable {
    /// Whether an account has an authorized key.
    enum Key: Equatable, Sendable {
        case none, there
        /// No file has a key, but sshd may know one from elsewhere.
        case unseen
    }

    let name: String
    let uid: UInt32
    var key: Key
    /// Whether it has a password that can be typed.
    var hasPassword: Bool
    /// Whether it has a PIN or a second device here.
    var isEnrolled: Bool
    /// Whether mpin.conf exempts it from every address.
    var isExempt = false
}

/// sshd's settings for one account, and what its PAM stack asks for.
struct SSHAccess: Equatable, Sendable {
    let settings: SSHSettings
    /// Whether the stack asks M-Pin.
    let asksPIN: Bool
    /// Whether it asks users without a PIN for the password.
    let takesPassword: Bool
    /// Whether it also asks for the password after M-Pin.
    var asksBoth = false

    /// The lists of methods that an account can complete.
    func ways(of account: SSHAccount) -> [[String]] {
        settings.ways.filter { way in
            way.indices.allSatisfy { passes(account, way[$0], behindKey: way[..<$0].contains("publickey")) }
        }
    }

    private func passes(_ account: SSHAccount, _ method: String, behindKey: Bool) -> Bool {
        let isTyped = method == "password" || method == "keyboard-interactive"
        guard account.uid != 0 || admitsRoot(typing: isTyped) else { return false }
        let asksPAM = settings.isOn("usepam") != false
        switch method {
        case "publickey": return account.key == .there
        case "keyboard-interactive" where asksPAM && asksPIN && account.isExempt:
            // After a key the module grants; without one, or if both are asked for, the password decides.
            return behindKey && !asksBoth || account.hasPassword
        case "keyboard-interactive":
            return asksPAM && (asksPIN && account.isEnrolled || takesPassword && account.hasPassword)
        // The module refuses everything that is typed by this method.
        case "password": return account.hasPassword && !(asksPAM && asksPIN)
        // Nothing is known here about tickets and keys of other hosts, so they count as possible.
        default: return true
        }
    }

    private func admitsRoot(typing isTyped: Bool) -> Bool {
        switch settings["permitrootlogin"] {
        case "yes": true
        case "no": false
        default: !isTyped
        }
    }
}

/// An account that ssh will no longer let in, or only if a person answers questions.
struct ShutOut: Equatable, Sendable {
    /// Why an account is shut out.
    enum Reason: String, Sendable, CaseIterable {
        case noKey = "no-key"
        /// No file has a key, but sshd may know one from elsewhere.
        case keyUnseen = "key-unseen"
        case notEnrolled = "not-enrolled"
        /// The account has a key and is not enrolled: it will be asked for the password too.
        case passwordAsked = "password-asked"
        /// The account is exempt, so its key lets it in, but only with a client that allows questions.
        case batchMode = "batch-mode"
        /// sshd's settings leave the account no method.
        case noMethod = "no-method"

        /// Whether the administrator must agree to it. With an exemption they have agreed already.
        var mustBeAgreed: Bool { self != .batchMode }
    }

    let account: String
    let reason: Reason

    /// nil for an account that can log in as before, and for one that cannot log in today.
    init?(_ account: SSHAccount, before: SSHAccess, after: SSHAccess) {
        var best = account
        if account.key == .unseen { best.key = .there }
        let ways = before.ways(of: best)
        let left = after.ways(of: account)
        // An account whose key may be elsewhere, and which needs only that key as today, is not shut out
        // either.
        guard !ways.isEmpty, account.key != .unseen || ways != after.ways(of: best) else { return nil }
        if !left.isEmpty {
            // An account that is not enrolled may belong to a program, which answers no questions.
            let isAsked = ways.contains(["publickey"]) && !left.contains(["publickey"])
            guard isAsked, !account.isEnrolled else { return nil }
            var silent = account
            silent.hasPassword = false
            reason = account.isExempt && !after.ways(of: silent).isEmpty ? .batchMode : .passwordAsked
        } else if after.settings.ways.isEmpty {
            reason = .noMethod
        } else {
            reason =
                switch account.key {
                case .none: .noKey
                case .unseen: .keyUnseen
                case .there: .notEnrolled
                }
        }
        self.account = account.name
    }
}
