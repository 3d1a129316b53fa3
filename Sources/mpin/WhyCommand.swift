// SPDX-License-Identifier: Apache-2.0
// `mpin why`: how a login would begin, and what decides it, by the value that a login itself begins with.
import ArgumentParser
import CPlatform
import MPinLogin

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
    @Flag(help: "As after a public key that sshd accepted.") var key = false
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
        // sshd says this before it starts PAM.
        let tty = (tty ?? (service == "sshd" ? "ssh" : nil)).map { [UInt8]($0.utf8) }
        let rhost = rhost.map { [UInt8]($0.utf8) }
        let stack = ServiceStack(service)
        let settings = try settings(stack, remote: Scene.isRemote(rhost: rhost, tty: tty))
        // Root sees the store as a login does; to anybody else it would only be closed.
        if geteuid() != 0 { try checkOwner(settings.store) }
        let scene = Scene(
            service: settings.service, account: try account(named: [UInt8](user.utf8)), rhost: rhost,
            tty: tty,
            authInfo: key ? [UInt8]("publickey ".utf8) : nil, realUID: getuid())
        let standing = Standing.find(settings, scene)
        let identities = standing.identities
        let login = Login(settings: settings, scene: scene, standing: standing, nonce: freshNonce)
        return WhyReport(user, settings, scene, login, identities, stack)
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
