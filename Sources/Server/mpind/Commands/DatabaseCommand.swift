// SPDX-License-Identifier: Apache-2.0
// `mpind database`: checks the database, makes its tables, and copies it from a file to PostgreSQL or back.
import ArgumentParser
import Glibc
import MPinDatabase
import MPinServer
import MPinWire

struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Check the database, make its tables, or copy it to another engine.",
        subcommands: [DatabaseCheckCommand.self, DatabaseUpgradeCommand.self, DatabaseCopyCommand.self])
}

struct DatabaseCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check whether a server would take the PostgreSQL database.",
        discussion: """
            Connects as the server does, and reports what it would refuse: a standby, settings that could lose
            commits, another version. Warns of a standby that commits do not wait for. It changes nothing.
            Root connects as the user who runs the server, unless --config names a file.
            """)

    @OptionGroup var place: SettingsOptions
    @OptionGroup var output: JSONOutput

    private struct Checked: Encodable { let hasTables: Bool }

    func run() throws {
        let database = try place.configuration().postgres()
        let hasTables = try acting(as: place.server()) { () throws(SetupError) in try database.checkTables() }
        try output.show(
            Checked(hasTables: hasTables),
            lines: [
                hasTables
                    ? "The database is good."
                    : "The database is good and has no tables yet: the first server makes them."
            ])
    }
}

struct DatabaseUpgradeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade", abstract: "Make the tables of an empty database.",
        discussion: """
            Makes the tables of an empty PostgreSQL database, as the first start of a server does; for a role
            that may make tables, if that of the servers may not. Until version 1.0 no version changes the
            tables of an earlier one: such a database is refused. Root connects as the user who runs the
            server, unless --config names a file.
            """)

    @OptionGroup var place: SettingsOptions

    func run() throws {
        let settings = try place.configuration()
        _ = try settings.postgres()
        try acting(as: place.server()) { () throws(SetupError) in try Databases.makeStorage(settings) }
        print("The database has the tables of this version (schema \(Schema.server.version)).")
    }
}

extension SettingsOptions {
    /// The user who runs the system's server, as whom root connects; nil for the caller.
    fileprivate func server() throws(SetupError) -> UserAccount? {
        try UserAccount.ofNewServer(user: nil, hasFolder: data != nil || config != nil)
    }
}

extension DaemonSettings {
    /// The PostgreSQL database.
    fileprivate func postgres() throws(SetupError) -> DatabaseSettings {
        guard let database else {
            throw SetupError(
                "`database` is not set: the database is the file \(location.data)/mpind.db, which the server"
                    + " makes.")
        }
        return database
    }
}

struct DatabaseCopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy the database from a file to PostgreSQL, or back.",
        discussion: """
            Stop the server, or the authority with --book, before. The target must be empty, or a copy that
            was interrupted, which goes on. Every row is compared before the copy is complete; no server
            opens it earlier. Logins under way are left out: users begin them again.
            """)

    @OptionGroup var place: SettingsOptions

    @Option(help: ArgumentHelp("Copy from the file to this database.", valueName: "address"))
    var to: String?

    @Option(help: ArgumentHelp("Copy from this database to the file.", valueName: "address"))
    var from: String?

    @Option(help: ArgumentHelp("The password of that database.", valueName: "file"))
    var databasePasswordFile: String?

    @ArgumentParser.Flag(help: "Copy the authority's book instead.") var book = false

    func validate() throws {
        guard (to == nil) != (from == nil) else { throw ValidationError("Give either --to or --from.") }
    }

    func run() throws {
        let folder = try folder()
        let file = book ? Databases.bookFile(in: folder) : Databases.storageFile(in: folder)
        try checkPrivateFolder(folder)
        try lockFolder(folder)
        guard to == nil || exists(file) else { throw SetupError("There is no \(file).") }
        let database = DatabaseSettings(
            address: to ?? from ?? "", passwordFile: databasePasswordFile.map(absolute))
        try copy(file: file, database)
        print("The copy is complete: all rows are the same.")
    }

    /// The authority's user may not read the settings of the server.
    private func folder() throws -> String {
        guard book else { return try place.configuration().data }
        if place.config != nil || place.data != nil { return try place.configuration().authorityData }
        return place.authorityData.map(absolute) ?? ServerLocation.usual.authorityData
    }

    private func copy(file: String, _ database: DatabaseSettings) throws(SetupError) {
        let postgres = try database.connected()
        let sqlite = try Databases.opened(file) { place throws(StorageError) in try SQLiteConnection(place) }
        let schema: Schema = book ? .authorityBook : .server
        let copy =
            to != nil
            ? DatabaseCopy(from: sqlite, to: postgres, of: schema)
            : DatabaseCopy(from: postgres, to: sqlite, of: schema)
        try database.explained { () throws(PostgresFailure) in
            try copy.run { table, count in print("\(table): \(count)") }
        }
    }
}
