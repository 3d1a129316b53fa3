// SPDX-License-Identifier: Apache-2.0
// The two databases of a server: its own, and the authority's book.
import MPinCurl
import MPinDatabase
import MPinServer
import MPinWire

enum Databases {
    /// The server's SQLite file in its data folder.
    static func storageFile(in folder: String) -> String { folder + "/mpind.db" }

    /// The SQLite file of the authority's book in its data folder.
    static func bookFile(in folder: String) -> String { folder + "/book.db" }

    /// The database of a server that is starting. It waits for a PostgreSQL that does not answer.
    static func openStorage(_ settings: DaemonSettings, _ metrics: Metrics) throws(SetupError)
        -> ServerDatabase
    {
        let storage = try storage(settings, metrics, waits: true)
        metrics.runs(Release.version, on: storage.engine, schema: Schema.server.version)
        return storage
    }

    /// Makes the tables, or checks their version.
    static func makeStorage(_ settings: DaemonSettings) throws(SetupError) {
        _ = try storage(settings, Metrics(), waits: false)
    }

    private static func storage(
        _ settings: DaemonSettings, _ metrics: Metrics, waits: Bool
    ) throws(SetupError) -> ServerDatabase {
        if let database = settings.database {
            return try database.opened(waits: waits) { place throws(PostgresFailure) in
                try ServerDatabase(postgres: place, lives: settings.lives, observer: metrics)
            }
        }
        return try opened(storageFile(in: settings.data)) { file throws(StorageError) in
            try ServerDatabase(sqlite: file, lives: settings.lives, observer: metrics)
        }
    }

    /// Opens a SQLite file.
    static func opened<R>(
        _ path: String, _ open: (SQLiteLocation) throws(StorageError) -> R
    ) throws(SetupError) -> R {
        do { return try open(.file(path)) } catch { throw SetupError(opening: path, error) }
    }

    /// The authority's book. It waits for a PostgreSQL that does not answer.
    /// - Parameter database: nil for a file in the folder.
    static func openBook(
        _ folder: String, _ database: DatabaseSettings? = nil
    ) throws(SetupError) -> AuthorityBook {
        if let database {
            return try database.opened(connections: 1, waits: true) { place throws(PostgresFailure) in
                try AuthorityBook(postgres: place)
            }
        }
        return try opened(bookFile(in: folder)) { file throws(StorageError) in
            try AuthorityBook(sqlite: file)
        }
    }
}

extension DatabaseSettings {
    /// Throws a sentence if the address is not allowed.
    func check() throws(SetupError) { _ = try place(password: nil, connections: 1) }

    /// One connection, for a copy.
    func connected() throws(SetupError) -> PostgresConnection {
        try opened(connections: 1) { place throws(PostgresFailure) in try PostgresConnection(place) }
    }

    /// Checks the database without a change. Whether it has the tables; throws if it has none and this role
    /// may not make them.
    func checkTables() throws(SetupError) -> Bool {
        let tables = try opened(connections: 1) { place throws(PostgresFailure) in
            try Database.tables(of: .server, in: place)
        }
        guard tables != .forbidden else {
            throw SetupError(
                "The database has no tables, and this role may not make any: run `mpind database upgrade`"
                    + " with one that may.")
        }
        return tables == .made
    }

    /// Opens the database with its password. `waits` tries again while PostgreSQL does not answer, because it
    /// may still be starting, as after a reboot. There is no limit, as with the authority.
    fileprivate func opened<R>(
        connections: Int = 8, waits: Bool = false, _ open: (PostgresPlace) throws(PostgresFailure) -> R
    ) throws(SetupError) -> R {
        let place = try place(password: try password(), connections: connections)
        var waiting = StartupPause(for: LogField("database", setting: address))
        var hasAnswered = false
        while true {
            do throws(SetupError) {
                return try explained { () throws(PostgresFailure) in try open(place) }
            } catch {
                guard waits else { throw error }
                let answers = place.answers()
                // One that answers may have started after the attempt, so there is another one.
                if answers, hasAnswered { throw error }
                hasAnswered = answers
                if !answers { waiting.pause(because: "\(error)") }
            }
        }
    }

    /// Makes a sentence of a failure.
    func explained<R>(_ body: () throws(PostgresFailure) -> R) throws(SetupError) -> R {
        do {
            return try body()
        } catch {
            switch error {
            case .storage(let error): throw SetupError(openingPostgres: address, error)
            case .reason(let why): throw SetupError(opening: address, because: why)
            }
        }
    }

    private func place(password: String?, connections: Int) throws(SetupError) -> PostgresPlace {
        do throws(PostgresFailure) {
            return try PostgresPlace(
                address, password: password, prepares: prepares, connections: connections,
                warn: { logWarning($0) })
        } catch {
            switch error {
            case .storage(let error): throw SetupError(opening: address, error)
            case .reason(let why): throw SetupError("`database`: \(why); see mpind.conf(5).")
            }
        }
    }
}
