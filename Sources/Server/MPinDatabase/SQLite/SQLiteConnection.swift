// SPDX-License-Identifier: Apache-2.0
// SQLite as a Connection: with a write-ahead log; values are always bound, and statements compiled once.
import CSQLite
import Glibc

/// The place of a SQLite database.
package enum SQLiteLocation: Equatable, Sendable {
    /// A file. It is made with mode 0600 if it does not exist; its folder must exist.
    case file(String)
    /// Memory; its contents are lost when the connection closes.
    case memory
}

@safe package final class SQLiteConnection: Connection {
    private let database: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    private var waitsForDisk = true
    private let clock: (@Sendable () -> UnixMilliseconds)?

    /// Opens the database. `clock` replaces the machine's clock; only tests pass one, to control the time.
    package init(
        _ location: SQLiteLocation, clock: (@Sendable () -> UnixMilliseconds)? = nil
    ) throws(StorageError) {
        unsafe database = try open(location)
        self.clock = clock
        unsafe sqlite3_extended_result_codes(database, 1)
        unsafe sqlite3_busy_timeout(database, 10_000)
        try keepLog(location)
        for pragma in [
            "synchronous = FULL", "secure_delete = ON",
            "foreign_keys = ON", "trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY",
            "journal_size_limit = 33554432", "wal_autocheckpoint = 4000",
        ] {
            try execute("PRAGMA \(pragma)")
        }
    }

    deinit {
        statements = [:]
        unsafe sqlite3_close_v2(database)
    }

    /// It is the same clock.
    package var clockOffset: UnixMilliseconds { 0 }

    package func now() -> UnixMilliseconds { clock?() ?? milliseconds(CLOCK_REALTIME) }

    package func begin(_ access: Access) throws(StorageError) {
        switch access {
        case .read: _ = try run("BEGIN DEFERRED", [])
        case .brief, .voidable: try beginWriting(waitsForDisk: false)
        case .durable: try beginWriting(waitsForDisk: true)
        }
    }

    /// SQLite evaluates this pragma when it compiles it, so it must not be kept as a compiled statement.
    private func beginWriting(waitsForDisk waits: Bool) throws(StorageError) {
        if waits != waitsForDisk {
            try execute("PRAGMA synchronous = \(waits ? "FULL" : "NORMAL")")
            waitsForDisk = waits
        }
        _ = try run("BEGIN IMMEDIATE", [])
    }

    package func commit() throws(StorageError) { _ = try run("COMMIT", []) }

    package func rollBack() {
        guard unsafe sqlite3_get_autocommit(database) == 0 else { return }
        _ = try? run("ROLLBACK", [])
    }

    /// Nothing to do: there is one writer, and all others wait for it.
    package func serialize(on key: SerialKey) {}
    /// Nothing to do, for the same reason.
    package func share(_ name: String) {}
    /// No other process writes meanwhile.
    package func isAlone(on name: String) -> Bool { true }

    package func run(_ statement: String, _ values: [Value]) throws(StorageError) -> [Row] {
        try compiled(statement).run(values)
    }

    private func compiled(_ text: String) throws(StorageError) -> SQLiteStatement {
        if let known = statements[text] { return known }
        let statement = try unsafe SQLiteStatement(text, of: database)
        statements[text] = statement
        return statement
    }

    /// Turns on the write-ahead log, which a database in memory does not have. A file that cannot have one is
    /// refused, because commits would not be as durable as `Access` promises.
    private func keepLog(_ location: SQLiteLocation) throws(StorageError) {
        guard var row = try run("PRAGMA journal_mode = WAL", []).first else { throw .refused }
        let mode = try row.text()
        guard mode == "wal" || location == .memory else { throw StorageError(sqlite: SQLITE_IOERR) }
    }

    /// How SQLite would run a statement: a line for each table that it reads, with the index that it uses.
    package func plan(of statement: String) throws(StorageError) -> [String] {
        var lines: [String] = []
        for var row in try run("EXPLAIN QUERY PLAN " + statement, []) {
            for _ in 0..<3 { _ = try row.integer() }
            lines.append(try row.text())
        }
        return lines
    }

    /// Runs a script of statements without values.
    func execute(_ script: String) throws(StorageError) {
        let code = unsafe sqlite3_exec(database, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw StorageError(sqlite: code) }
    }
}

/// Opens the database. We make the file ourselves, so that it and the -wal and -shm files beside it, to which
/// SQLite gives the same mode, are closed to others whatever the umask is. A file that others may read is
/// refused.
private func open(_ location: SQLiteLocation) throws(StorageError) -> OpaquePointer {
    var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    var name = ":memory:"
    switch location {
    case .memory: flags |= SQLITE_OPEN_MEMORY
    case .file(let path):
        try makePrivate(path)
        flags |= SQLITE_OPEN_NOFOLLOW
        name = path
    }
    var database: OpaquePointer?
    let code = unsafe sqlite3_open_v2(name, &database, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe database else {
        unsafe sqlite3_close_v2(database)
        throw StorageError(sqlite: code)
    }
    return unsafe opened
}

/// Makes the file if it does not exist, and checks its type and mode. An existing file is never opened here:
/// closing any descriptor of a file drops all locks that the process holds on it (fcntl(2)), including those
/// of SQLite's connections.
private func makePrivate(_ path: String) throws(StorageError) {
    let file = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if file >= 0 {
        close(file)
    } else if errno != EEXIST {
        throw errno == ENOSPC || errno == EDQUOT ? .full : .unavailable(.code(errno))
    }
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw StorageError(sqlite: SQLITE_CANTOPEN)
    }
    guard status.st_mode & 0o077 == 0 else { throw StorageError(sqlite: SQLITE_PERM) }
}

extension StorageError {
    /// Translates an extended result code of SQLite.
    init(sqlite code: CInt) {
        switch code & 0xff {
        case SQLITE_FULL: self = .full
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: self = .corrupt
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE: self = .refused
        default: self = .unavailable(.code(code))
        }
    }
}
