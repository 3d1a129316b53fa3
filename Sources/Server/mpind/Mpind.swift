// SPDX-License-Identifier: Apache-2.0
// The program mpind: the daemon, and the administrators' commands.
//
// `Commands` has a file for each subcommand; those of administrators call the running daemon over its admin
// socket. `mpind serve` runs `Daemon` (`Server`), which opens the database, binds the sockets (`Sockets`)
// and serves each with the routers of MPinServer (`Serving`). A connection passes `Connections`: `Acceptor`,
// the limiter of MPinServer, `HeadDeadline`, then `Routes`, the only file that knows Hummingbird. `TLS` is
// libssl's handler and the certificates, `Authority` the other process, which has the master secret, and
// `System` what only Linux knows.
import ArgumentParser
import Dispatch
import Glibc
import MPinConsole
import MPinCurl
import MPinServer
import MPinWire

@main
enum Program {
    /// An administrator's command runs on this thread, before there are others: a signal that it blocks
    /// while a QR code is on the screen could end the process through another thread.
    static func main() {
        // A command that root runs acts as the server's user, who may not read root's home: libpq would look
        // for certificates there. Without HOME it uses the home of the user that it acts as.
        _ = unsafe unsetenv("HOME")
        do {
            var command = try Mpind.parseAsRoot()
            guard command is any AsyncParsableCommand else { return try command.run() }
        } catch { end(with: error) }
        Task {
            do {
                if var server = try Mpind.parseAsRoot() as? any AsyncParsableCommand {
                    try await server.run()
                }
            } catch { end(with: error) }
            end(0)
        }
        dispatchMain()
    }

    private static func end(with error: any Error) -> Never {
        if let error = error as? SetupError {
            printError(.settings, "\(error)")
            report(error)
            end(FailureKind.settings.exit)
        }
        let text = HelpText.wrapped { Mpind.fullMessage(for: error, columns: $0) }
        var code = Mpind.exitCode(for: error)
        if code == .failure, !(error is ExitCode) {
            // ArgumentParser gives an error that it does not know the status that says "refused" here.
            printError(.unknown, text)
            code = ExitCode(FailureKind.unknown.exit)
        }
        if !text.isEmpty { if code.isSuccess { print(text) } else { writeToStandardError(text) } }
        end(code.rawValue)
    }

    /// Ends the process without what `exit` does first: libcrypto's tables and static objects of C++ would go
    /// while a server's threads still use them. The databases are closed by then, and the log is not
    /// buffered.
    private static func end(_ code: CInt) -> Never {
        fflush(nil)
        _exit(code)
    }
}

struct Mpind: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mpind",
        abstract: "The M-Pin server: registers users and verifies their logins.",
        discussion: """
            The first login, on one machine that is server and login host:
              sudo apt install ./build/*.deb
              sudo mpin setup     (makes the server, and proves a login)
              sudo -k id -un      (asks for the PIN)
            A server with TLS, for phones and other hosts: `sudo mpind setup NAME`. Without privilege:
            `mpind init --data DIR`, `mpind serve --data DIR`, `mpind user add NAME --data DIR`.

            Without --data and --config everything is read from /etc/mpin/mpind.conf; if that is missing, the
            defaults of mpind.conf(5) apply.

            Exit codes: 0 done, 1 refused, 2 settings or files, 3 the daemon is not running, 4 another error,
            64 usage.
            """,
        version: Release.version,
        subcommands: [
            InitCommand.self, SetupCommand.self, TLSCommand.self, ServeCommand.self, AuthorityCommand.self,
            SealCommand.self, UnsealCommand.self, UserCommand.self, HostCommand.self, AppCommand.self,
            AuditCommand.self, CheckCommand.self, DatabaseCommand.self,
        ])
}

/// The options that say where mpind's settings come from, the same for all commands.
struct SettingsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Settings file, instead of \(DaemonSettings.file).", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Data folder; alone, it means a whole server without a settings file.", valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Folder of the trust authority, which is then in the server's own process.", valueName: "dir"))
    var authorityData: String?

    @Option(help: ArgumentHelp("The administrators' Unix socket.", valueName: "path"))
    var adminSocket: String?

    /// The settings of the file, if one is used, overridden by these options.
    func configuration() throws(SetupError) -> DaemonSettings {
        var settings = try DaemonSettings(file: config, data: data)
        if let authorityData {
            settings.authorityData = absolute(authorityData)
            settings.authoritySocket = nil
        }
        if let adminSocket { settings.adminSocket = absolute(adminSocket) }
        return settings
    }
}

extension SettingsOptions {
    /// The socket for an administrator's command: the default one for a user who may not read the settings.
    func adminSocketPath() throws(SetupError) -> String {
        if let adminSocket { return absolute(adminSocket) }
        if config == nil, data == nil, unsafe access(DaemonSettings.file, R_OK) != 0, errno == EACCES {
            return ServerLocation.usual.adminSocket
        }
        return try configuration().adminSocket
    }
}
