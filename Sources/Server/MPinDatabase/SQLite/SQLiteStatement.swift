// SPDX-License-Identifier: Apache-2.0
// A compiled statement of SQLite: values in, rows out.
import CSQLite

@safe final class SQLiteStatement {
    private let statement: OpaquePointer
    /// SQLite's numbers of $1, $2 ...
    private let places: [CInt]

    init(_ text: String, of database: OpaquePointer) throws(StorageError) {
        var compiled: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
        guard code == SQLITE_OK else { throw StorageError(sqlite: code) }
        guard let compiled = unsafe compiled else { throw .refused }
        unsafe statement = compiled
        var places: [CInt] = []
        for number in 0..<(unsafe sqlite3_bind_parameter_count(compiled)) {
            let place = unsafe sqlite3_bind_parameter_index(compiled, "$\(number + 1)")
            guard place > 0 else { break }
            places.append(place)
        }
        self.places = places
    }

    deinit { unsafe sqlite3_finalize(statement) }

    /// Runs the statement to its end with these values for $1, $2 ...; it keeps neither values nor locks
    /// afterwards.
    func run(_ values: [Value]) throws(StorageError) -> [Row] {
        defer {
            unsafe sqlite3_reset(statement)
            unsafe sqlite3_clear_bindings(statement)
        }
        guard values.count <= places.count else { throw .refused }
        for (value, place) in zip(values, places) {
            let code = unsafe bind(value, to: place, of: statement)
            guard code == SQLITE_OK else { throw StorageError(sqlite: code) }
        }
        var rows: [Row] = []
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(unsafe try row(of: statement))
            case SQLITE_DONE: return rows
            case let code: throw StorageError(sqlite: code)
            }
        }
    }
}

/// SQLite binds a null pointer as NULL, so an empty array is bound as a blob of zero octets. C would end a
/// text at a zero byte, so a text with one is refused.
private func bind(
    _ value: Value, to place: CInt, of statement: OpaquePointer
) -> CInt {
    /// SQLITE_TRANSIENT, a macro that Swift cannot see: SQLite copies the octets before it returns.
    let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return unsafe sqlite3_bind_null(statement, place)
    case .integer(let number): return unsafe sqlite3_bind_int64(statement, place, number)
    case .octets(let octets):
        if octets.isEmpty { return unsafe sqlite3_bind_zeroblob(statement, place, 0) }
        return unsafe octets.withUnsafeBytes { bytes in
            unsafe sqlite3_bind_blob64(statement, place, bytes.baseAddress, UInt64(bytes.count), copied)
        }
    case .text(let text):
        if text.utf8.contains(0) { return SQLITE_MISMATCH }
        return unsafe sqlite3_bind_text(statement, place, text, -1, copied)
    }
}

private func row(of statement: OpaquePointer) throws(StorageError) -> Row {
    var values: [Value] = []
    for column in 0..<(unsafe sqlite3_column_count(statement)) {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_NULL: values.append(.null(nil))
        case SQLITE_INTEGER: values.append(.integer(unsafe sqlite3_column_int64(statement, column)))
        case SQLITE_BLOB:
            let start = unsafe sqlite3_column_blob(statement, column)
            values.append(.octets(unsafe [UInt8](octets(at: start, statement: statement, column: column))))
        case SQLITE_TEXT:
            let start = unsafe UnsafeRawPointer(sqlite3_column_text(statement, column))
            values.append(
                .text(
                    unsafe String(
                        decoding: octets(at: start, statement: statement, column: column), as: UTF8.self)))
        default: throw .corrupt
        }
    }
    return Row(values)
}

/// The octets of a column of octets or text. SQLite's documentation asks to read the length after the
/// address.
private func octets(
    at start: UnsafeRawPointer?, statement: OpaquePointer, column: CInt
) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
}
