// SPDX-License-Identifier: Apache-2.0
// `mpin why`: shows how a login would begin, and which settings decide it. It builds the same `Login` value
// as a real login.
import CPlatform
import MPinLogin
package import MPinProof
import MPinHostStore
import MPinWire

/// A login to explain. It is not run.
package struct LoginQuestion {
    private let user: String
    private let service: String
    /// PAM_RHOST: the host from which the user comes.
    package var rhost: String?
    /// PAM_TTY; nil: the usual one of the service.
    package var tty: String?
    /// The kind of program that calls PAM; nil: the usual one of the service.
    package var caller: WhyCaller?
    /// The uid of the user who started the program; nil: the account's.
    package var uid: UInt32?
    /// Whether sshd accepted a public key.
    package var hasKey = false
    /// Arguments of the module; empty: those of the stack.
    package var arguments: [String] = []
    /// A path in place of /etc/mpin/mpin.conf.
    package var config: [UInt8]?
    /// A path in place of /var/lib/mpin.
    package var store: [UInt8]?

    /// The folder of the PAM stacks.
    var stacks = PAMFolder.standard

    /// A login to an account, by the name that the user types, in a PAM service.
    package init(of user: String, by service: String) { (self.user, self.service) = (user, service) }

    /// Explains how the login would begin. Throws if the settings or the passwd database cannot be read.
    package func explain() throws(Failure) -> WhyReport {
        let stack = ServiceStack(service, in: stacks)
        let account = try account(named: [UInt8](user.utf8))
        let demand = service == "sshd" && !hasKey ? demandOfSSH : .nothing
        let call = facts(of: account, assumesKey: demand != .nothing)
        let settings = try settings(stack)
        // Only root sees the store as a login does.
        if geteuid() != 0 { try checkOwner(settings.store) }
        let context = LoginContext(
            service: settings.service, account: account, call: call,
            seat: SeatRow(call, account: account, remote: settings.remote))
        // As in a login, a fault means that there is no exemption.
        var exemption: Exemption?
        var fault: ExemptionFault?
        do throws(ExemptionFault) { exemption = try settings.exemption(in: context) } catch { fault = error }
        let credentials = AccountCredentials.find(settings, context)
        let identities = credentials.identities
        let rootless = settings.withoutRoot(in: context, call)
        let login = Login(settings: settings, context: context, credentials: credentials, nonce: freshNonce)
        return WhyReport(
            login, of: user, with: identities, in: context, by: stack, settings, exemption: exemption,
            after: demand, fault: fault, rootless: exemption == nil ? rootless : nil)
    }

    /// What sshd asks of this user before it asks M-Pin; nothing if its settings cannot be read.
    private var demandOfSSH: SSHSettings.Demand {
        let isAddress = IPAddress(ofPeer: [UInt8]((rhost ?? "").utf8)) != nil
        let address = isAddress ? rhost ?? "" : "127.0.0.1"
        return SSHPlan.current(user: user, from: address)?.demand ?? .nothing
    }

    /// The facts that PAM and the kernel would report for this login.
    /// - Parameters:
    ///   - account: the account in the passwd database; nil if there is none.
    ///   - assumesKey: whether sshd has accepted a public key, because it demands one first.
    package func facts(of account: Account?, assumesKey: Bool = false) -> CallFacts {
        // sshd sets PAM_TTY to `ssh` before it starts PAM.
        let usual = WhyCaller(service)
        let tty = tty ?? (service == "sshd" ? "ssh" : usual == .console ? "tty1" : "")
        let isTerminal = !tty.isEmpty && !["pts/", "/dev/pts/", ":"].contains { tty.hasPrefix($0) }
        let process: ProcessFacts
        switch caller ?? usual {
        case .setuid:
            let people = PersonalUIDs.ofThisHost()
            let person = account.flatMap { people.contains($0.uid) ? $0.uid : nil } ?? people.range.lowerBound
            process = ProcessFacts(
                isSecure: true, realUID: uid ?? person, effectiveUID: 0, people: people)
        case .console:
            process = ProcessFacts(
                isSecure: false, realUID: 0, effectiveUID: 0, terminalMajor: isTerminal ? 4 : nil)
        case .daemon: process = ProcessFacts(isSecure: false, realUID: uid ?? 0, effectiveUID: 0)
        case .user:
            let person = uid ?? account?.uid ?? 1_000
            process = ProcessFacts(
                isSecure: false, realUID: person, effectiveUID: person, isOrdinary: true)
        }
        return CallFacts(
            rhost: [UInt8]((rhost ?? "").utf8), tty: [UInt8](tty.utf8),
            authInfo: hasKey || assumesKey ? [UInt8]("publickey ".utf8) : [], process: process)
    }

    private func settings(_ stack: ServiceStack) throws(Failure) -> Settings {
        let arguments = moduleArguments(
            arguments.isEmpty ? stack.arguments : arguments, config: config, store: store)
        do throws(SettingsError) {
            return try Settings.load(arguments: arguments, service: [UInt8](service.utf8))
        } catch {
            guard error.problem == .unreadable(.missing) else { throw Failure(error) }
            throw Failure(.settings, "There is no \(text(error.file)), and without it nobody can log in.")
        }
    }
}
