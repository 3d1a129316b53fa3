// SPDX-License-Identifier: Apache-2.0
// `mpind init`: the secrets of a new server, its folders and its empty database.
import ArgumentParser
import Glibc
import MPinSQL
import MPinService

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make the secrets and the database of a new server.",
        discussion: """
            Makes the two shares of the master secret, the master of the host keys and the application's
            credentials, each in a file that only you can read. Nothing that is there is ever overwritten. The
            shares can be made once only: without them everybody must enrol again, and whoever has both can
            log in as anybody. With both on one machine they protect as much as one secret would.

            Run by root without --data, it makes the server for the user \(DaemonSettings.user), as whom the
            system runs it, if there is that user; --user names another. Otherwise the server is your own.
            """)

    @OptionGroup var place: Place

    @Option(help: ArgumentHelp("As whom the server will run; root alone can say it.", valueName: "name"))
    var user: String?

    mutating func run() throws {
        let settings = try place.configuration()
        let made = try settled {
            if let owner = try UserAccount.ofNewServer(user: user, hasFolder: place.data != nil) {
                try makeFolder(settings.data, for: owner)
                try makeFolder(settings.authorityData, for: owner)
                try owner.become()
            }
            return try make(settings)
        }
        guard made else {
            let folders = "\(settings.data) and \(settings.authorityData)"
            say("mpind: \(folders) hold a server already; nothing changed.")
            throw ExitCode(1)
        }
        show("A new server in \(settings.data), its authority in \(settings.authorityData).")
    }

    /// False if everything is there; what an interrupted `init` left undone is done.
    private func make(_ settings: DaemonSettings) throws -> Bool {
        _ = umask(0o077)
        try makePrivateFolder(settings.data)
        try makePrivateFolder(settings.authorityData)
        let hasAuthority = exists(settings.authorityData + "/authority")
        let hasServer = exists(settings.data + "/server")
        if !hasAuthority || !hasServer { try checkEmpty(settings) }
        if !hasAuthority { try MasterFile.create(folder: settings.authorityData) }
        if !hasServer { try ServerSecrets.create(folder: settings.data) }
        // Opening a database ends the logins under way in it: not in one that may be in use.
        guard !hasAuthority || !hasServer else { return false }
        _ = try Stores(settings)
        return true
    }

    /// The databases are made last. Beside one of them a secret is missing because it was lost, and a fresh
    /// one would make every right PIN a wrong one.
    private func checkEmpty(_ settings: DaemonSettings) throws(SetupError) {
        for database in [settings.data + "/mpind.db", settings.authorityData + "/book.db"]
        where exists(database) {
            throw SetupError(
                "\(database) belongs to a server whose secrets are not all there; restore"
                    + " \(settings.data)/server and \(settings.authorityData)/authority from a backup.")
        }
    }

    private func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}
