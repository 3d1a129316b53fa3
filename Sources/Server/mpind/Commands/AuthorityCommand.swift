// SPDX-License-Identifier: Apache-2.0
// `mpind authority`: the process that alone holds the master secret.
import ArgumentParser
import Glibc
import MPinServer
import MPinWire

struct AuthorityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authority", abstract: "Run the trust authority, which alone holds the master secret.",
        discussion: """
            Answers the server's four commands at a Unix socket: both shares of the server secret, a share of
            a client secret (once for each identity), a share of a time permit, and a revocation. It reads no
            settings file, and it answers only the user that --front names. A socket that systemd hands
            over is served as it is. Writes "ready" to stderr; SIGTERM ends it after the command under way.
            """)

    @Option(help: ArgumentHelp("Folder of the master secret and the book.", valueName: "dir"))
    var data = ServerLocation.usual.authorityData

    @Option(help: ArgumentHelp("The Unix socket to which the server connects.", valueName: "path"))
    var listen = ServerLocation.usualAuthoritySocket

    @Option(help: ArgumentHelp("text, or json: an object on each line of the log.", valueName: "format"))
    var logFormat: String?

    @Option(help: ArgumentHelp("The user that the server runs as. Default: you.", valueName: "user"))
    var front: String?

    @Option(
        help: ArgumentHelp(
            "A PostgreSQL database for the book, instead of a file in the folder (mpind.conf(5)).",
            valueName: "address"))
    var database: String?

    @Option(help: ArgumentHelp("The password of that database.", valueName: "file"))
    var databasePasswordFile: String?

    @ArgumentParser.Flag(
        inversion: .prefixedNo,
        help: "Prepare statements; a pooler in transaction mode needs --no-database-prepare.")
    var databasePrepare = true

    func run() async throws {
        if let logFormat {
            guard let format = LogFormat(rawValue: logFormat) else {
                throw SetupError("--log-format is `text` or `json`.")
            }
            writeLog(as: format)
        }
        let front = try front.map { name in
            guard let account = UserAccount(named: name) else {
                throw SetupError("There is no user \(name) (--front).")
            }
            return account.uid
        }
        let book = database.map {
            DatabaseSettings(
                address: $0, passwordFile: databasePasswordFile.map(absolute), prepares: databasePrepare)
        }
        try await AuthorityServer(
            data: absolute(data), socket: absolute(listen), front: front ?? geteuid(), database: book
        ).run()
    }
}
