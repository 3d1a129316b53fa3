// SPDX-License-Identifier: Apache-2.0
// The checks of the programs that bring users to M-Pin by their own settings: sshd and login.
import MPinHostChecks
import MPinProof
import MPinHostStore

extension Check {
    static let sshd = Check("sshd", reads: "sshd's settings, by sshd -T", isForRoot: true) { run in
        guard run.asks("sshd"), fileFacts("/usr/sbin/sshd")?.kind == .file else { return [] }
        guard let ssh = SSHPlan.current(user: "nobody") else {
            let why = SSHPlan.trial(["-T"]).map { firstLine($0.said) } ?? "it cannot be run"
            return [
                Finding(
                    .sshdUnread, "'sshd -T' does not print its settings: \(why)",
                    "Run 'sudo sshd -t', and correct it.")
            ]
        }
        guard case .success(let settings) = run.settings(of: "sshd") else { return [] }
        return ssh.findings(
            SSHWanted(
                deadline: settings.deadline,
                asksPIN: settings.method == .pin || settings.method == .pinAndPhone,
                asksPhone: settings.method != .pin, pinNeedsKey: settings.remotePIN == .key),
            apart: SSHPlan.apart, asked: { SSHPlan.current(user: $0) })
    }

    static let loginDefaults = Check("login timeout", reads: "/etc/login.defs", isForRoot: true) { run in
        guard run.asks("login"), case .success(let settings) = run.doctor.settings(of: "login"),
            settings.method != .pin, let text = fileText("/etc/login.defs")
        else { return [] }
        let found = Finding.login(timeout: loginTimeout(text), deadline: settings.deadline)
        return found.map { [$0] } ?? []
    }
}
