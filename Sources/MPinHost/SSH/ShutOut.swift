// SPDX-License-Identifier: Apache-2.0
// Whom ssh lets in today, and no longer when it asks for a key and M-Pin.

/// An account, and what it has to get in by.
package struct SSHAccount: Equatable, Sendable {
    package enum Key: Equatable, Sendable {
        case none, there
        /// No file has one, but sshd may learn of one elsewhere.
        case unseen
    }

    package let name: String
    package let uid: UInt32
    package var key: Key
    /// Whether it has one that can be typed.
    package var hasPassword: Bool
    /// Whether it has a PIN or a second device here.
    package var isEnrolled: Bool
    /// Whether mpin.conf has M-Pin not ask it, wherever it comes from.
    package var isExempt: Bool

    package init(
        name: String, uid: UInt32, key: Key, hasPassword: Bool, isEnrolled: Bool, isExempt: Bool = false
    ) {
        self.name = name
        self.uid = uid
        self.key = key
        self.hasPassword = hasPassword
        self.isEnrolled = isEnrolled
        self.isExempt = isExempt
    }
}

/// sshd and its stack of PAM, as one account meets them.
package struct SSHDoor: Equatable, Sendable {
    let settings: SSHSettings
    let asksPIN: Bool
    let takesPassword: Bool
    let asksBoth: Bool

    /// - Parameters:
    ///   - asksPIN: whether the stack asks M-Pin.
    ///   - takesPassword: whether it asks those for the password who have no PIN.
    ///   - asksBoth: whether it asks for the password after M-Pin, too.
    package init(_ settings: SSHSettings, asksPIN: Bool, takesPassword: Bool, asksBoth: Bool = false) {
        self.settings = settings
        self.asksPIN = asksPIN
        self.takesPassword = takesPassword
        self.asksBoth = asksBoth
    }

    /// The lists of methods that an account can go through.
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
            // Behind a key the module lets in; otherwise, or where both are asked for, the password decides.
            return behindKey && !asksBoth || account.hasPassword
        case "keyboard-interactive":
            return asksPAM && (asksPIN && account.isEnrolled || takesPassword && account.hasPassword)
        // The module refuses what is typed by this method.
        case "password": return account.hasPassword && !(asksPAM && asksPIN)
        // Of tickets and other hosts nothing is known here.
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

/// An account that ssh no longer lets in, or no longer without a person who answers.
package struct ShutOut: Equatable, Sendable {
    package enum Reason: String, Sendable, CaseIterable {
        case noKey = "no-key"
        /// sshd may learn of a key that stands in no file.
        case keyUnseen = "key-unseen"
        case notEnrolled = "not-enrolled"
        /// It has a key and is not enrolled: the password is asked for besides.
        case passwordAsked = "password-asked"
        /// It is exempt, so its key lets it in, but only by a client that takes questions.
        case batchMode = "batch-mode"
        /// sshd's settings leave it no method.
        case noMethod = "no-method"

        /// Whether somebody must agree to it: whoever exempted an account has done so.
        package var mustBeAgreed: Bool { self != .batchMode }
    }

    package let account: String
    package let reason: Reason

    /// nil for an account that gets in as before, and for one that does not get in today.
    package init?(_ account: SSHAccount, before: SSHDoor, after: SSHDoor) {
        var best = account
        if account.key == .unseen { best.key = .there }
        let ways = before.ways(of: best)
        let left = after.ways(of: account)
        // Nor for one whose key nobody saw and who needs nothing but that key, as today.
        guard !ways.isEmpty, account.key != .unseen || ways != after.ways(of: best) else { return nil }
        if !left.isEmpty {
            // Only who is enrolled is known to be a person, who answers what is asked.
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
