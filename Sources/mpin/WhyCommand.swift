// SPDX-License-Identifier: Apache-2.0
// `mpin why`: how a login would begin, and what decides it, by the value that a login itself begins with.
import ArgumentParser
import CPlatform
import MPinHost
import MPinLogin
import MPinProof

struct WhyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain which ways in a login would have, and what decides it.",
        discussion: """
            Reads stack, settings and store as the login does. Asks neither the person nor the server, \
            and counts as no attempt.
            """)

    @Argument(help: "The account, as it would be typed.") var user: String
    @Option(help: ArgumentHelp("The PAM service.", valueName: "name")) var service: String
    @Option(help: ArgumentHelp("PAM_RHOST: where the person comes from.", valueName: "address"))
    var rhost: String?
    @Option(help: ArgumentHelp("PAM_TTY, such as tty1; of sshd it is always 'ssh'.", valueName: "name"))
    var tty: String?
    @Option(
        help: ArgumentHelp(
            "What asks: a setuid program that a person started, root's process at a terminal, or a daemon. "
                + "(default: setuid for sudo and su, console for login, else daemon)",
            valueName: "setuid|console|daemon"))
    var caller: WhyCaller?
    @Option(
        help: ArgumentHelp(
            "The uid of the user who started the setuid program. (default: the account's)", valueName: "n"))
    var uid: UInt32?
    @Flag(help: "As if sshd had accepted a public key.") var key = false
    @Option(
        help: ArgumentHelp(
            "An argument of the module, such as method=pin, in place of those in /etc/pam.d. May repeat.",
            valueName: "key=value"))
    var argument: [String] = []
    @Option(help: ArgumentHelp("Settings, in place of /etc/mpin/mpin.conf.", valueName: "file"))
    var config: String?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> WhyReport {
        let stack = ServiceStack(service)
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
        let standing = AccountCredentials.find(settings, context)
        let identities = standing.identities
        let login = Login(settings: settings, context: context, standing: standing, nonce: freshNonce)
        return WhyReport(user, settings, context, login, identities, stack, exemption)
    }

    /// What PAM and the kernel would say of this login.
    private func facts(of account: Account?) -> CallFacts {
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
            authInfo: key ? [UInt8]("publickey ".utf8) : [], process: process)
    }

    private func settings(_ stack: ServiceStack, remote: Bool) throws(Failure) -> Settings {
        let arguments = moduleArguments(
            argument.isEmpty ? stack.arguments : argument, config: config.map(absolute),
            store: store.store.map(absolute))
        do throws(SettingsError) {
            return try Settings.load(arguments: arguments, service: [UInt8](service.utf8), remote: remote)
        } catch {
            guard error.problem == .unreadable(.missing) else { throw Failure(error) }
            throw Failure(.settings, "There is no \(text(error.file)), and without it nobody is let in.")
        }
    }
}

/// The kinds of programs that ask through PAM.
enum WhyCaller: String, ExpressibleByArgument, CaseIterable {
    case setuid, console, daemon

    /// What usually is behind a service.
    init(_ service: String) {
        switch UsualCaller(service) {
        case .setuid: self = .setuid
        case .console: self = .console
        case .sshd, .nobody, .daemon: self = .daemon
        }
    }
}
