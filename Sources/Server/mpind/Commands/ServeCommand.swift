// SPDX-License-Identifier: Apache-2.0
// `mpind serve`: runs the server.
import ArgumentParser
import Glibc
import MPinServer
import MPinWire

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the server.",
        discussion: """
            Serves logins on each --listen (`unix:PATH`, `127.0.0.1:PORT`, `[::1]:PORT`; any address if the
            settings have a TLS certificate) and administration on the admin socket, which root, the server's
            user and the group mpin-admin may open. Sockets of these addresses that systemd hands over are
            served as they are. Writes "ready" to stderr when every listener is open; SIGHUP makes it read
            the certificate and the phone page again; SIGTERM ends it after the requests under way.
            """)

    @OptionGroup var place: SettingsOptions

    @Option(help: ArgumentHelp("Where to listen; may be repeated.", valueName: "address"))
    var listen: [String] = []

    @Option(
        help: ArgumentHelp(
            "The address by which clients know this server; needed with TCP.", valueName: "url"))
    var publicURL: String?

    @Option(
        help: ArgumentHelp(
            "code: with an activation code only; confirm: others wait until you confirm them.",
            valueName: "policy"))
    var registration: String?

    mutating func run() async throws {
        var settings = try place.configuration()
        writeLog(as: settings.logFormat)
        if !listen.isEmpty { settings.listen = try listen.map { try listener($0) } }
        if let publicURL {
            settings.publicURL =
                try PublicURL(publicURL)
                ?? {
                    throw SetupError(
                        "--public-url \(publicURL) is not an address like https://login.example.org.")
                }()
        }
        if let registration {
            guard let policy = RegistrationPolicy(rawValue: registration) else {
                throw SetupError("--registration is `code` or `confirm`.")
            }
            settings.registration = policy
        }
        guard settings.role == nil || (publicURL == nil && registration == nil) else {
            throw SetupError("A server with `role` takes no --public-url and no --registration.")
        }
        try settings.check()
        for warning in settings.warnings { logWarning(warning) }
        try await Daemon(settings).run()
    }

    private func listener(_ text: String) throws(SetupError) -> Listener {
        let typed = text.hasPrefix("unix:") ? "unix:" + absolute(String(text.dropFirst(5))) : text
        guard let listener = Listener(typed) else {
            throw SetupError(
                "--listen \(text): give unix:PATH, 127.0.0.1:PORT or [::1]:PORT, with a numeric address.")
        }
        return listener
    }
}
