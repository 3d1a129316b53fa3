// SPDX-License-Identifier: Apache-2.0
// Reports the accounts that ssh will no longer let in, as JSON and as lines for the administrator who
// decides.
import MPinHostChecks

/// The JSON of one account.
struct ShutOutReport: Encodable {
    let account: String
    let reason: String

    init(_ shutOut: ShutOut) {
        account = shown(shutOut.account)
        reason = shutOut.reason.rawValue
    }

    /// The accounts as a list for a sentence.
    static func names(_ all: [ShutOutReport]) -> String {
        let names = all.prefix(ShutOut.mostNames).map { "\($0.account) (\($0.reason))" }
        let rest = all.count > names.count ? " and \(all.count - names.count) more" : ""
        return names.joined(separator: ", ") + rest
    }
}

extension ShutOut {
    /// The largest number of accounts that are named; of the others only the number is shown.
    static let mostNames = 20

    /// The accounts with their reasons, for the administrator who decides.
    ///
    /// - Parameters:
    ///   - exemptsSources: whether some addresses are exempt.
    ///   - isHere: whether the server is on this machine.
    static func lines(_ every: [ShutOut], exemptsSources: Bool, isHere: Bool) -> [String] {
        let all = every.filter(\.reason.mustBeAgreed)
        let exempt = exemptLine(every)
        guard !all.isEmpty else { return exempt }
        var lines = ["ssh lets these accounts in today, but will no longer, or not as before:"]
        lines += all.prefix(mostNames).map { "    \($0.sentence)" }
        if all.count > mostNames { lines.append("    And \(all.count - mostNames) more.") }
        let enrolment = ServerPlace.enrolmentCommand(isHere: isHere)
        lines.append("People need a key in authorized_keys, and a PIN ('\(enrolment)') or a second device.")
        if all.contains(where: { $0.reason != .noKey }) {
            lines.append(
                "Programs that log in by key (Ansible, scp, rsync) need a 'Match User' block: see AUTOMATION "
                    + "in pam_mpin(8).")
        }
        if exemptsSources {
            lines.append(
                "From the addresses of 'exempt-from' a key is enough, but not for a client with 'BatchMode "
                    + "yes'.")
        }
        return lines + exempt
    }

    /// The lines about accounts that mpin.conf exempts, but whose programs may no longer get in.
    private static func exemptLine(_ every: [ShutOut]) -> [String] {
        let names = every.filter { !$0.reason.mustBeAgreed }.map { shown($0.account) }
        guard !names.isEmpty else { return [] }
        let rest = names.count > mostNames ? " and \(names.count - mostNames) more" : ""
        return [
            "Exempt in mpin.conf, so they still log in by key: "
                + names.prefix(mostNames).joined(separator: ", ") + rest + ".",
            "But programs that answer no questions (ssh with 'BatchMode yes', Ansible) do not get in. Run "
                + "ssh without 'BatchMode yes', or give the account a 'Match User' block: see AUTOMATION in "
                + "pam_mpin(8).",
        ]
    }

    private var sentence: String {
        let name = shown(account)
        return switch reason {
        case .noKey: "\(name) has no authorized key, and sshd will ask for one."
        case .keyUnseen: "\(name) has no authorized key in a file; sshd may know one from elsewhere."
        case .notEnrolled: "\(name) has a key, but is not enrolled: M-Pin will not let it in."
        case .passwordAsked:
            "\(name) has a key, but is not enrolled: it will be asked for the Unix password too, which no "
                + "program answers."
        case .batchMode: "\(name) is exempt: its key lets it in, but not with 'BatchMode yes'."
        case .noMethod: "\(name) is in a 'Match' block of sshd's settings that will leave it no way in."
        }
    }
}
