// SPDX-License-Identifier: Apache-2.0
// The command `mpin` and its subcommands. The manual page is mpin(1).
//
// Each subcommand is a small file with its options in `Accounts`, `Devices` or `Host`; what it does is a
// type of MPinAdmin. `Command` prints the report or the failure of every one, as text or as JSON.
import ArgumentParser
import CPlatform
import MPinAdmin
import MPinConsole
import MPinCurl

@main enum Program {
    static func main() {
        do {
            var command = try Mpin.parseAsRoot()
            try command.run()
        } catch {
            let text = HelpText.wrapped { Mpin.fullMessage(for: error, columns: $0) }
            let code = Mpin.exitCode(for: error)
            if !text.isEmpty { if code.isSuccess { print(text) } else { writeToStandardError(text) } }
            exit(code.rawValue)
        }
    }
}

struct Mpin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mpin",
        abstract: "Enrol users for M-Pin logins on this host, and approve logins elsewhere.",
        discussion: """
            The first login, on one machine that is server and login host:
              sudo apt install ./build/*.deb
              sudo mpin setup     (asks what it needs, and proves a login)
              sudo -k id -un      (asks for the PIN)
            With a server elsewhere: `sudo mpin setup --backend ADDRESS --ca-file FILE`. When something does
            not work, `sudo mpin doctor` explains why.
            PINs and codes are asked for, or read from a descriptor; they are never arguments.

            \(exitCodes)
            """,
        version: Release.version,
        subcommands: [
            SetupCommand.self, HostCommand.self, EnrollCommand.self, ChangePINCommand.self, AllowCommand.self,
            UsersCommand.self,
            ShowCommand.self, RemoveCommand.self, BackupCodesCommand.self, StandingCommand.self,
            TestCommand.self, WhyCommand.self,
            DoctorCommand.self,
            ApproveCommand.self, SessionCommand.self, LogoutCommand.self, OTPCommand.self,
            AuthcodeCommand.self, BackendCommand.self, ImportCommand.self,
        ])
}

struct HostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Give this host the key that it shares with the server.",
        subcommands: [JoinCommand.self])
}
