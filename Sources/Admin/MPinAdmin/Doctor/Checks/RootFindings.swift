// SPDX-License-Identifier: Apache-2.0
// The check whether somebody can become root when the server fails.
import MPinLogin
import MPinProof
import MPinHostStore

extension Check {
    static let root = Check(
        "root", reads: "root's password and keys, and who becomes root by sudo", isForRoot: true
    ) { [$0.rootFinding] }
}

extension Examination {
    fileprivate var rootFinding: Finding {
        var ways = WaysIn()
        ways.rootHasPassword = hasPassword("root", shadow: fileText("/etc/shadow") ?? [])
        let login = stacks.first { $0.service == "login" }
        if login?.hasOtherWay ?? true { ways.passwordServices = ["login"] }
        if let login { ways.passesUnenrolled = passesRoot(login) }
        ways.rootHasKey = SSHPlan.takesRootsKey(SSHPlan.current(user: "root"))
        if ways.certain.isEmpty { ways.byOthers = withoutServer.firstWay().map { [$0.words] } ?? [] }
        return ways.finding
    }

    private var withoutServer: WithoutServer {
        var codes: Set<UInt32> = []
        if case .success(let settings) = settings {
            codes = uidsWithCodes(in: settings.store)
        }
        return WithoutServer(
            codes: codes, stack: { service in (try? doctor.stacks.stack(service)).map { StackCheck($0) } },
            settings: { service in try? settings(of: service).get() },
            ssh: { SSHPlan.current(user: $0) })
    }

    /// Whether the module ignores root at the console and a later module asks for the password. If `login`
    /// counts as remote, `never` refuses root instead.
    private func passesRoot(_ login: StackCheck) -> Bool {
        guard case .success(let settings) = settings(of: "login") else { return false }
        guard !(settings.remote ?? !hasConsole()) || settings.never == .nobody else { return false }
        let file = String(decoding: settings.store, as: UTF8.self) + "/users/0"
        return settings.unenrolled == .ignore && login.asksTheIgnored && fileFacts(file)?.kind == .missing
    }
}

extension WaysIn {
    /// How root can log in without M-Pin, or a warning that root cannot.
    var finding: Finding {
        let ways = certain
        guard ways.isEmpty else {
            let words =
                ways == byOthers ? "Without the server there is a way to root" : "Root gets in without M-Pin"
            return Finding(ok: "root", "\(words): \(ways.joined(separator: ", ")).")
        }
        return Finding(
            warning: "no-way-for-root", "When the server fails, nobody can become root.",
            "Make backup codes for somebody who may use sudo, or give root a password "
                + "('sudo passwd root') and leave 'login' without M-Pin, or a key that sshd accepts alone.")
    }
}
