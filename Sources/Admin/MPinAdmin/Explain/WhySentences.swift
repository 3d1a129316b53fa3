// SPDX-License-Identifier: Apache-2.0
// The sentences of `mpin why`: each names the setting that decides, and its value.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinSystem
import Octets

extension Unavailability {
    /// A word for programs: the same as in the log, except that of a failure only the kind is given.
    func word(_ settings: Settings) -> String {
        switch self {
        case .method: "method"
        case .remotePIN: "remote-pin"
        case .service: "backup-codes"
        case .account(let cause): String(decoding: cause.word, as: UTF8.self)
        case .failed(let reason): Failure(reason, settings).kind.rawValue
        }
    }

    /// - Parameter user: the account, for the advice.
    func sentence(_ settings: Settings, of user: String) -> String {
        switch self {
        case .method: "The setting 'method = \(settings.methodWords)' leaves it out."
        case .remotePIN:
            switch settings.remotePIN {
            case .key: "The setting 'remote-pin = key' requires a public key first, which sshd must accept."
            case .no, .long:
                "The setting 'remote-pin = \(settings.remotePIN)' leaves it out over the network."
            }
        case .service: "The setting 'backup-codes = \(backupWords(settings))' does not name the service."
        case .account(let cause): explained(cause, settings, of: user)
        case .failed(let reason): Failure(reason, settings).sentence
        }
    }
}

private func backupWords(_ settings: Settings) -> String {
    settings.backupCodes.isEmpty ? "none" : settings.backupCodes.map { text($0) }.joined(separator: " ")
}

extension Settings {
    fileprivate var methodWords: String {
        switch method {
        case .pin: "pin"
        case .phone: "phone"
        case .pinAndPhone: "pin phone"
        case .otp: "otp"
        }
    }

    /// Why the PIN is open to remote logins.
    var remoteReason: String {
        switch remotePIN {
        case .key: "'remote-pin = key', and a public key was accepted before"
        case .long: "'remote-pin = long', and the PIN was enrolled with --remote"
        case .no: "'remote-pin = no'"
        }
    }

    /// The value of a rule.
    func words(of rule: Rule) -> String {
        switch rule {
        case .never:
            switch never {
            case .standard: "root"
            case .nobody: "none"
            case .users(let names): names.map { listItem($0) }.joined(separator: " ")
            }
        case .users: words(users.map { ($0.isExclusion, $0.text) })
        case .groups: words(groups.map { ($0.isExclusion, $0.text) })
        case .networks: words(networks.map { ($0.isExclusion, $0.text) })
        }
    }

    /// Key and value of an exemption's setting.
    func words(of exemption: Exemption) -> String {
        let value =
            switch exemption {
            case .users: words(exemptUsers.map { ($0.isExclusion, $0.text) })
            case .groups: words(exemptGroups.map { ($0.isExclusion, $0.text) })
            case .from: words(exemptFrom.map { ($0.isExclusion, $0.text) })
            }
        return "\(exemption.word) = \(value)"
    }

    /// What happens to an exempt user.
    func sentence(of exemption: Exemption, _ context: LoginContext) -> String {
        let end =
            context.hasKeyOfSSHD
            ? "the public key that sshd accepted lets the account in"
            : "the module steps aside, and the rest of the stack decides"
        return "M-Pin does not ask, because of '\(words(of: exemption))': \(end)."
    }

    private func words(_ patterns: [(isExclusion: Bool, text: [UInt8])]) -> String {
        patterns.map { ($0.isExclusion ? "!" : "") + listItem($0.text) }.joined(separator: " ")
    }

    /// Why a list of exemptions exempts nobody.
    func sentence(of fault: ExemptionFault) -> String {
        switch fault {
        case .unread(let error):
            "Nobody is exempt while accounts or groups cannot be looked up: \(systemMessage(error.errno))."
        case .unknownName(let exemption, let name):
            "'\(words(of: exemption))' exempts nobody: there is no "
                + "\(exemption == .groups ? "group" : "account") '\(text(name))'."
        }
    }

    /// The rows about users without an identity here, and about grace.
    var policyRows: [[String]] {
        [["not enrolled", "'unenrolled = \(unenrolled)': \(unenrolled.consequence)"]]
            + (grace > 0
                ? [["grace", "'grace = \(grace)s': the same user is not asked again for this time"]] : [])
    }
}

extension SSHSettings.Demand {
    var word: String? {
        switch self {
        case .key: "assumed"
        case .keyAlone: "enough"
        case .nothing: nil
        }
    }

    /// What `mpin why` assumes; nil: nothing.
    var sentence: String? {
        switch self {
        case .key: "assumed, because sshd demands one before it asks M-Pin (AuthenticationMethods)"
        case .keyAlone: "enough for sshd (AuthenticationMethods): M-Pin is not asked"
        case .nothing: nil
        }
    }
}

/// A name as mpin.conf has it in a list.
private func listItem(_ name: [UInt8]) -> String {
    name.contains { $0 == 0x20 || $0 == 0x09 } ? "\"\(text(name))\"" : text(name)
}

extension SeatRow {
    /// The row of the table in pam_mpin(8) that decides, as a sentence.
    var sentence: String {
        switch self {
        case .setting(true): "over the network: the setting 'remote = yes'"
        case .setting(false): "at this host: the setting 'remote = no'"
        case .network: "over the network: PAM_RHOST or PAM_TTY says so"
        case .setuid: "at this host: a user of this host started a setuid program"
        case .setuidService: "over the network: a system account started a setuid program"
        case .console: "at this host: root's process at a terminal that is not a pseudoterminal"
        case .unproved: "over the network: nothing shows that the user is at this host"
        }
    }
}

extension Policy {
    fileprivate var consequence: String {
        switch self {
        case .deny: "refused"
        case .ignore: "the module steps aside, and the rest of the stack decides"
        }
    }
}

extension Login {
    /// What the user would see; in remote services every user sees the same.
    func screenSentence(_ settings: Settings, _ asked: [String], of user: String) -> String {
        if case .notEnrolled(let why) = endUnasked, why.ignored {
            return "nothing is asked, and the module steps aside"
        }
        guard !asked.isEmpty else { return "nothing is asked, and the login ends at once" }
        let isLost =
            methods.ending(settings) == nil ? "" : ", as for every user, but no answer lets this user in"
        guard !asked.contains("code") else { return "a backup code\(isLost)" }
        guard !asked.contains("otp") else { return "a one-time password of a second device\(isLost)" }
        guard asked.contains("phone") else { return "the PIN\(isLost)" }
        let isPlain = settings.qrStyle(for: [UInt8](user.utf8)) == .off
        let qrCode = isPlain ? ", address" : ", address, QR code as it fits"
        let address = settings.phoneAddress == nil ? " (no 'phone-address')" : qrCode
        let code = asked.contains("pin") ? "; then the approval code, or the PIN" : "; then the approval code"
        return "access number\(address)\(code)\(enterSentence(settings))\(isLost)"
    }

    private func enterSentence(_ settings: Settings) -> String {
        if acceptsUnseen { return ", or Enter ('phone-code = optional', on a virtual console)" }
        return requiresApprovalCode ? " ('phone-code = optional' applies on virtual consoles only)" : ""
    }
}
