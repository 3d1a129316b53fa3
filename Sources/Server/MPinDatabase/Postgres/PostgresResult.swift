// SPDX-License-Identifier: Apache-2.0
// Results of PostgreSQL, and the values in them and for it, in its binary format.
import CPostgres

/// The object ids of the types that we bind and read (pg_type.dat).
private enum TypeID {
    static let boolean: Oid = 16
    static let octets: Oid = 17
    static let integer8: Oid = 20
    static let integer2: Oid = 21
    static let integer4: Oid = 23
    static let text: Oid = 25
    static let void: Oid = 2278
}

extension Value {
    /// The type of a bound value; 0 lets PostgreSQL infer it.
    var typeID: Oid {
        switch self {
        case .integer, .null(.integer): TypeID.integer8
        case .text, .null(.text): TypeID.text
        case .octets, .null(.octets): TypeID.octets
        case .null(nil): 0
        }
    }

    /// The octets of a bound value; nil for null.
    var encoded: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number):
            [UInt8](unsafe withUnsafeBytes(of: number.bigEndian) { unsafe [UInt8]($0) })
        case .text(let text): Array(text.utf8)
        case .octets(let octets): octets
        }
    }

    /// Reads a column. Throws `corrupt` for a type that no query of ours returns.
    fileprivate init(_ octets: UnsafeRawBufferPointer, _ type: Oid) throws(StorageError) {
        switch type {
        case TypeID.integer8, TypeID.integer4, TypeID.integer2, TypeID.boolean:
            guard unsafe !octets.isEmpty, octets.count <= 8 else { throw .corrupt }
            let sign: Int64 = unsafe octets.first.map { $0 & 0x80 == 0 ? 0 : -1 } ?? 0
            self = .integer(unsafe octets.reduce(sign) { $0 << 8 | Int64($1) })
        case TypeID.text: self = .text(unsafe String(decoding: octets, as: UTF8.self))
        case TypeID.octets: self = .octets(unsafe [UInt8](octets))
        case TypeID.void: self = .null(nil)
        default: throw .corrupt
        }
    }
}

/// A result of libpq.
@safe struct PostgresResult: ~Copyable {
    private let result: OpaquePointer?

    init(_ result: OpaquePointer?) { unsafe self.result = result }

    deinit { unsafe PQclear(result) }

    var status: ExecStatusType { unsafe PQresultStatus(result) }

    var isGood: Bool { status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK }

    /// The SQLSTATE of an error; nil if the connection failed.
    var state: String? { unsafe mpin_pq_state(result).map { unsafe String(cString: $0) } }

    /// The server's sentence about an error, which has no values in it.
    var message: String {
        unsafe mpin_pq_message(result).map { unsafe String(cString: $0) } ?? ""
    }

    /// The command that was done, such as "COMMIT".
    var command: String { unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? "" }

    /// The rows of a result in binary format.
    func rows() throws(StorageError) -> [Row] {
        var rows: [Row] = []
        let columns = unsafe PQnfields(result)
        for row in 0..<(unsafe PQntuples(result)) {
            var values: [Value] = []
            for column in 0..<columns { values.append(try value(row: row, column: column)) }
            rows.append(Row(values))
        }
        return rows
    }

    private func value(row: CInt, column: CInt) throws(StorageError) -> Value {
        if unsafe PQgetisnull(result, row, column) != 0 { return .null(nil) }
        let octets = unsafe UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        return unsafe try Value(octets, PQftype(result, column))
    }

    /// The number of seconds in the first column of the first row of a result in text format, such as
    /// "1795218263.123456", in milliseconds.
    func milliseconds() throws(StorageError) -> Int64 {
        guard unsafe PQntuples(result) == 1, let text = unsafe PQgetvalue(result, 0, 0),
            case let parts = unsafe String(cString: text).split(separator: "."),
            let seconds = parts.first.flatMap({ Int64($0) }), parts.count <= 2,
            let thousandths = Int64(((parts.dropFirst().first ?? "") + "000").prefix(3))
        else { throw .corrupt }
        return seconds * 1000 + thousandths
    }
}
