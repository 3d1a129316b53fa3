// SPDX-License-Identifier: Apache-2.0
// PostgreSQL as a Connection: blocking calls of libpq, values bound in binary, and no wait without an end.
import CPostgres
import Glibc
import Octets
import Secrets

/// Used by one thread at a time. After a lost connection every call fails; see `isLost`.
@safe package final class PostgresConnection: Connection {
    private let link: PostgresLink
    private let prepares: Bool
    private let clock: (@Sendable () -> UnixMilliseconds)?
    /// The names of the statements that the server has compiled, by their text.
    private var names: [String: String] = [:]
    /// The database's time at the beginning of the transaction.
    private var time: UnixMilliseconds = 0
    /// The database's clock minus this machine's, when the transaction began; 0 in tests with a clock.
    package private(set) var clockOffset: UnixMilliseconds = 0
    /// Whether the transaction failed only because of another one, so that it may be run again.
    private(set) var wasInTheWay = false
    /// The server's sentence about the last error.
    private var message = ""
    /// Whether the connection can no longer be used.
    var isLost: Bool { link.isLost }

    /// The settings of each transaction, because a pooler may give the next one another connection.
    ///
    /// - `statement_timeout`: the server ends a statement, or the waiting for a lock, after three seconds.
    /// - `idle_in_transaction_session_timeout`: it ends a transaction of a machine that froze.
    /// - `enable_seqscan`: it uses an index where there is one. Otherwise it would keep the plan that it made
    ///   while a table had few rows, and read the whole table at each login.
    /// - `jit`: a table without an index then seems expensive, which must not make the server compile the
    ///   statement.
    private static func settings(_ access: Access) -> [(name: String, value: String)] {
        let all = [
            ("statement_timeout", "3000"), ("idle_in_transaction_session_timeout", "10000"),
            ("enable_seqscan", "off"), ("jit", "off"),
        ]
        return access == .brief ? all + [("synchronous_commit", "off")] : all
    }

    /// Begins a transaction, sets its settings, and asks for the time.
    private static let beginnings = Dictionary(
        uniqueKeysWithValues: Access.allCases.map { access in
            // Not the role's default: with another level, a count made after waiting for a lock would not see
            // what was committed meanwhile.
            let level = access == .read ? "REPEATABLE READ READ ONLY" : "READ COMMITTED"
            let settings = settings(access).map { "set_config('\($0.name)', '\($0.value)', true)" }
            let columns = ["extract(epoch FROM clock_timestamp())::numeric"] + settings
            return (access, "BEGIN ISOLATION LEVEL \(level); SELECT " + columns.joined(separator: ", "))
        })

    /// Connects. Throws the reason if that is not possible, or if the server would lose commits. `clock`
    /// replaces the database's clock; only tests pass one.
    package init(
        _ place: PostgresPlace, clock: (@Sendable () -> UnixMilliseconds)? = nil
    ) throws(PostgresFailure) {
        link = try PostgresLink(place.parameters)
        prepares = place.prepares
        self.clock = clock
        try checkServer(mustBeDurable: place.mustBeDurable)
    }

    /// Adds the server's words to an error.
    func explained<R>(_ body: () throws(StorageError) -> R) throws(PostgresFailure) -> R {
        do throws(StorageError) {
            return try body()
        } catch {
            guard case .unavailable(.state(let state)) = error else { throw .storage(error) }
            throw .reason("PostgreSQL says \(message) (\(state.text))")
        }
    }

    /// The time when the transaction began.
    package func now() throws(StorageError) -> UnixMilliseconds { clock?() ?? time }

    /// Begins a transaction, and sets its settings and asks for the time with the same message.
    package func begin(_ access: Access) throws(StorageError) {
        wasInTheWay = false
        time = try done(link.execute(PostgresConnection.beginnings[access] ?? "")).milliseconds()
        if clock == nil { clockOffset = time - milliseconds(CLOCK_REALTIME) }
    }

    /// A connection that is lost now leaves the outcome open; so does a server that stopped waiting for its
    /// standby, which it reports as a warning.
    package func commit() throws(StorageError) {
        link.hasWarned = false
        let result = link.execute("COMMIT")
        guard !isLost, !link.hasWarned else { throw .unknownOutcome }
        guard try done(result).command == "COMMIT" else { throw .unavailable(.lost) }
    }

    /// Does nothing if no transaction is open, or if the connection is lost. A connection whose transaction
    /// stays open is given up.
    package func rollBack() {
        if !link.isIdle { _ = link.execute("ROLLBACK") }
        if !link.isIdle { link.giveUp() }
    }

    /// Outside of a transaction the statement is one of its own.
    package func run(_ statement: String, _ values: [Value]) throws(StorageError) -> [Row] {
        guard prepares else { return try done(link.run(statement, values)).rows() }
        return try done(link.run(named: try prepared(statement, values), values)).rows()
    }

    private func prepared(_ statement: String, _ values: [Value]) throws(StorageError) -> String {
        if let name = names[statement] { return name }
        let name = statementName(statement, values)
        _ = try done(link.prepare(statement, as: name, values))
        names[statement] = name
        return name
    }

    /// Runs a script of statements without values, which may take a minute.
    func execute(_ script: String) throws(StorageError) {
        _ = try done(link.execute("SET LOCAL statement_timeout = 60000; " + script, seconds: 62))
    }

    /// By a lock of the transaction on a number made of each name, in the order of the numbers.
    package func serialize(on key: SerialKey) throws(StorageError) {
        switch key {
        case .name(let name): _ = try run("SELECT pg_advisory_xact_lock(\(hash("$1")))", [.text(name)])
        case .names(let query, let values):
            _ = try run(
                """
                SELECT pg_advisory_xact_lock(number) FROM (
                    SELECT DISTINCT \(hash("name")) AS number FROM (\(query)) AS found (name) ORDER BY number
                ) AS numbers
                """, values)
        }
    }

    /// By the same lock in the mode that several transactions can have.
    package func share(_ name: String) throws(StorageError) {
        _ = try run("SELECT pg_advisory_xact_lock_shared(\(hash("$1")))", [.text(name)])
    }

    package func isAlone(on name: String) throws(StorageError) -> Bool {
        let found = try run("SELECT pg_try_advisory_xact_lock(\(hash("$1")))", [.text(name)]).first
        guard var found else { throw .corrupt }
        return try found.flag()
    }

    /// With the exact types of the built-in function, so that no function of another schema fits better.
    private func hash(_ text: String) -> String { "hashtextextended(\(text), 0::bigint)" }

    /// Throws what a result that is an error means.
    private func done(_ result: consuming PostgresResult) throws(StorageError) -> PostgresResult {
        if !isLost, result.isGood { return result }
        guard !isLost, let state = result.state else { throw .unavailable(.lost) }
        message = result.message
        switch state {
        case "40001", "40P01":
            wasInTheWay = true
            throw .busy
        case "57014", "55P03": throw .busy
        case "53100": throw .full
        case "26000", "42P05":
            throw .unavailable(.unprepared)
        default: break
        }
        switch state.prefix(2) {
        case "22", "23": throw .refused
        case "XX": throw .corrupt
        default: throw .unavailable(.state(SQLState(state)))
        }
    }
}

extension PostgresConnection {
    /// Refuses a server that would lose what it has committed, or that holds text in another encoding.
    private func checkServer(mustBeDurable: Bool) throws(PostgresFailure) {
        guard link.serverVersion >= 130_000 else { throw .reason("PostgreSQL is older than version 13") }
        let names = ["server_encoding", "fsync", "full_page_writes", "synchronous_commit"]
        let columns = names.map { "current_setting('\($0)')" }.joined(separator: ", ")
        let (found, isStandby, isOpen) = try explained { () throws(StorageError) in
            let query = "SELECT \(columns), pg_is_in_recovery(), \(openSchema)"
            guard var row = try run(query, []).first else { throw .corrupt }
            var found: [String] = []
            for _ in names { found.append(try row.text()) }
            return (found, try row.flag(), try row.flag())
        }
        guard !isStandby else { throw .reason("it is a standby, which takes no changes") }
        guard !isOpen else {
            throw .reason(
                "every role may create tables and functions in a schema that mpind uses; as an "
                    + "administrator, run REVOKE CREATE ON SCHEMA public FROM PUBLIC in this database")
        }
        guard found.first == "UTF8" else { throw .reason("its encoding is not UTF8") }
        for (name, value) in zip(names, found) where value == "off" && mustBeDurable {
            throw .reason(
                "PostgreSQL runs with \(name) = off, so it could lose counts and revocations; set it to on")
        }
    }
}

extension PostgresConnection {
    /// Whether there is a standby that commits do not wait for: there are more standbys than commits wait
    /// for, or one of them is known not to be waited for. A role without `pg_read_all_stats` sees only their
    /// number, which includes a backup that is being made.
    func hasLaggingStandby() throws(PostgresFailure) -> Bool {
        try explained { () throws(StorageError) in
            let found = try run(
                """
                SELECT 1 FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup'
                HAVING count(*) > \(awaitedStandbys)
                    OR count(*) FILTER (WHERE sync_state IN ('async', 'potential')) > 0
                    OR count(*) > 0 AND current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
                """, [])
            return !found.isEmpty
        }
    }
}

/// For how many standbys a commit waits: the number in `synchronous_standby_names`, which is 1 if the setting
/// names standbys without a number (PostgreSQL manual, 20.6.2).
private let awaitedStandbys = #"""
    CASE current_setting('synchronous_standby_names') WHEN '' THEN 0 ELSE COALESCE(
        substring(current_setting('synchronous_standby_names') FROM '^\s*(?:\w+\s+)?(\d+)\s*\(')::int, 1) END
    """#

/// Whether every role may create something in a schema of the search path. A function or an operator there
/// could be called instead of a built-in one, with the rights of mpind.
private let openSchema = """
    EXISTS (SELECT 1 FROM unnest(current_schemas(false)) AS s
        WHERE has_schema_privilege('public', s, 'CREATE'))
    """

/// A name that no other statement has. A pooler may pass this statement to a connection on which another
/// worker has prepared its own: then the name is either unknown there, or it names the same statement.
private func statementName(_ statement: String, _ values: [Value]) -> String {
    let types = values.map { "\($0.typeID)" }.joined(separator: " ")
    let hash = sha256([UInt8]((types + " " + statement).utf8))
    return "mpin" + String(decoding: hex([UInt8](hash.prefix(16))), as: UTF8.self)
}
