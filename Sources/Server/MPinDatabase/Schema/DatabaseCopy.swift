// SPDX-License-Identifier: Apache-2.0
// Copies a database from one engine to another, and compares the two.

/// A copy under way. It can be interrupted and begun again, because each page is one transaction and the rows
/// of a table are copied in the order of their key. No server may use either database meanwhile.
package struct DatabaseCopy {
    private let source: any Connection
    private let target: any Connection
    private let schema: Schema
    private static let page = 500

    /// The source must be a database of this schema.
    package init(from source: any Connection, to target: any Connection, of schema: Schema) {
        (self.source, self.target, self.schema) = (source, target, schema)
    }

    /// Copies what is missing, compares all rows, and then lets servers open the target.
    /// - Parameter progress: gets each table's name, and the number of its rows; it may end the copy.
    package func run(
        progress: (String, Int) throws(StorageError) -> Void = { _, _ in }
    ) throws(PostgresFailure) {
        let isThere: Bool
        do throws(StorageError) { isThere = try source.has(schema) } catch {
            throw .reason("the source is not a complete database of this version")
        }
        guard isThere else { throw .reason("the source has no tables") }
        do throws(StorageError) {
            try target.prepare(as: schema.unfinished)
            for table in tables {
                try copy(table)
                try progress(table.name, try compare(table))
            }
            try target.finishCopy(of: schema)
        } catch {
            guard error == .corrupt else { throw .storage(error) }
            throw .reason("it is in use or holds other rows, so it is no target; copy into an empty database")
        }
    }

    private var tables: [SchemaTable] {
        schema.tables.filter { !schema.fleeting.contains($0.name) }
    }

    private func copy(_ table: SchemaTable) throws(StorageError) {
        let columns = table.columns.joined(separator: ", ")
        let places = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let insert = "INSERT INTO \(table.name) (\(columns)) VALUES (\(places)) ON CONFLICT DO NOTHING"
        var last = try target.transaction(.read) { t throws(StorageError) in
            try t.rows("SELECT \(columns) FROM \(table.name) ORDER BY \(table.order(" DESC")) LIMIT 1").last
        }
        while true {
            let rows = try page(of: table, in: source, after: last)
            guard let end = rows.last else { break }
            try target.transaction(.durable) { t throws(StorageError) in
                for row in rows { try t.run(insert, row.values) }
            }
            last = end
        }
    }

    /// The number of rows, which are the same in both databases.
    private func compare(_ table: SchemaTable) throws(StorageError) -> Int {
        var count = 0
        var last: Row?
        while true {
            let rows = try page(of: table, in: source, after: last)
            guard try page(of: table, in: target, after: last) == rows else { throw .corrupt }
            guard let end = rows.last else { return count }
            count += rows.count
            last = end
        }
    }

    private func page(
        of table: SchemaTable, in connection: any Connection, after last: Row?
    ) throws(StorageError) -> [Row] {
        let key = table.key.joined(separator: ", ")
        let places = table.key.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let condition = last == nil ? "" : "WHERE (\(key)) > (\(places))"
        let query = """
            SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name) \(condition)
            ORDER BY \(table.order()) LIMIT \(DatabaseCopy.page)
            """
        let values = last.map { row in table.places.map { row.values[$0] } } ?? []
        return try connection.transaction(.read) { t throws(StorageError) in try t.rows(query, values) }
    }
}

extension SchemaTable {
    fileprivate func order(_ direction: String = "") -> String {
        key.map { $0 + direction }.joined(separator: ", ")
    }
}

extension SQLiteConnection {
    /// Writes the identifier into the file's header. SQLite sees to greater numbers of new rows by itself.
    package func finishCopy(of schema: Schema) throws(StorageError) {
        try execute("PRAGMA application_id = \(schema.applicationID)")
    }
}

extension PostgresConnection {
    /// Writes the identifier into the table `meta`. New rows get greater numbers than those that were copied.
    package func finishCopy(of schema: Schema) throws(StorageError) {
        try transaction(.durable) { t throws(StorageError) in
            for table in schema.tables {
                guard let column = table.numbered else { continue }
                try t.run(
                    """
                    SELECT setval(pg_get_serial_sequence('\(table.name)', '\(column)'),
                        COALESCE((SELECT MAX(\(column)) FROM \(table.name)), 0) + 1, false)
                    """)
            }
            try t.run("UPDATE meta SET kind = $1", [.integer(schema.applicationID)])
        }
    }
}
