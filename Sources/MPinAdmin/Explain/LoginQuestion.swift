// SPDX-License-Identifier: Apache-2.0
// `mpin why`: how a login would begin, and what decides it, by the value that a login itself begins with.
import CPlatform
package import MPinHost
import MPinLogin
package import MPinProof
import MPinStore

/// A login that is asked about; nothing of it happens.
package struct LoginQuestion {
    private let user: String
    private let service: String
    /// PAM_RHOST: where the person comes from.
    package var rhost: String?
    /// PAM_TTY; nil: as it usually is in the service.
    package var tty: String?
    /// What asks; nil: what usually does.
    package var caller: WhyCaller?
    /// Of the user who started the setuid program; nil: the account's.
    package var uid: UInt32?
    /// Whether sshd accepted a public key.
    package var hasKey = false
    /// Arguments of the module; empty: those of the stack.
    package var arguments: [String] = []
    /// In place of /etc/mpin/mpin.conf.
    package var config: [UInt8]?
    /// In place of /var/lib/mpin.
    package var store: [UInt8]?

    /// The folder of PAM's stacks.
    package var stacks = PAMFolder.standard

    /// A login of an account, as it would be typed, by a PAM service.
    package init(of user: String, by service: String) { (self.user, self.service) = (user, service) }

    /// How it would begin. Throws if settings or passwd database cannot be read.
    package func explain() throws(Failure) -> WhyReport {
        let stack = ServiceStack(service, in: stacks)
        let account = try account(named: [UInt8](user.utf8))
        let call = facts(of: account)
        let usual = SeatRow(call, account: account, remote: nil)
        let settings = try settings(stack, remote: usual.isRemote)
        // Root sees the store as a login does; to anybody else it would only be closed.
        if geteuid() != 0 { try checkOwner(settings.store) }
        let context = LoginContext(
            service: settings.service, account: account, call: call,
            seat: SeatRow(call, account: account, remote: settings.remote))
        // A login takes what it cannot find out for no exemption.
        let exemption = try? settings.exemption(in: context)
        let credentials = AccountCredentials.find(settings, context)
        let identities = credentials.identities
        let login = Login(settings: settings, context: context, credentials: credentials, nonce: freshNonce)
        return WhyReport(
            login, of: user, with: identities, in: context, by: stack, settings, exemption: exemption)
    }

    /// What PAM and the kernel would say of this login.
    /// - Parameter account: as the passwd database has it; nil: there is none of that name.
    package func facts(of account: Account?) -> CallFacts {
        // sshd says `ssh` before it starts PAM.
        let usual = WhyCaller(service)
        let tty = tty ?? (service == "sshd" ? "ssh" : usual == .console ? "tty1" : "")
        let isTerminal = !tty.isEmpty && !["pts/", "/dev/pts/", ":"].contains { tty.hasPrefix($0) }
        let process: ProcessFacts
        switch caller ?? usual {
        case .setuid:
            let person = account.flatMap { SeatRow.isPersonalUID($0.uid) ? $0.uid : nil } ?? 1_000
            process = ProcessFacts(isSecure: true, realUID: uid ?? person, effectiveUID: 0)
        case .console:
            process = ProcessFacts(
                isSecure: false, realUID: 0, effectiveUID: 0, terminalMajor: isTerminal ? 4 : nil)
        case .daemon: process = ProcessFacts(isSecure: false, realUID: uid ?? 0, effectiveUID: 0)
        }
        return CallFacts(
            rhost: [UInt8]((rhost ?? "").utf8), tty: [UInt8](tty.utf8),
            authInfo: hasKey ? [UInt8]("publickey ".utf8) : [], process: process)
    }

    private func settings(_ stack: ServiceStack, remote: Bool) throws(Failure) -> Settings {
        let arguments = moduleArguments(
            arguments.isEmpty ? stack.arguments : arguments, config: config, store: store)
        do throws(SettingsError) {
            return try Settings.load(arguments: arguments, service: [UInt8](service.utf8), remote: remote)
        } catch {
            guard error.problem == .unreadable(.missing) else { throw Failure(error) }
            throw Failure(.settings, "There is no \(text(error.file)), and without it nobody can log in.")
        }
    }
}
