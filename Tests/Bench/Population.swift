// SPDX-License-Identifier: Apache-2.0
// Many registered identities, written straight into a database of mpind.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets

/// Identities of one host, each with a PIN there. An identity's number determines everything about it.
final class Population: Sendable {
    static let host = "bench"
    let count: Int
    private let first: MasterShare
    private let second: MasterShare

    /// - Parameter master: the file of the authority, whose shares make the client secrets.
    init(count: Int, master: String) throws {
        self.count = count
        first = try Population.share("share-1", in: master)
        second = try Population.share("share-2", in: master)
    }

    private static func share(_ key: String, in file: String) throws -> MasterShare {
        let line = file.split(separator: "\n").first { $0.hasPrefix(key + " = ") }
        guard let line, let octets = hexOctets(line.dropFirst(key.count + 3)) else { throw BenchError.master }
        return try MasterShare(try unsafe Secret(copying: octets.span.bytes))
    }

    static func mpinID(_ number: Int) -> [UInt8] {
        let salt = hexText([UInt8](sha256([UInt8]("salt \(number)".utf8)).prefix(16)))
        return [UInt8](
            #"{"issued": "2026-11-20 23:45:15.098568", "userID": "someone", "mobile": 0, "salt": "\#(salt)"}"#
                .utf8)
    }

    func clientSecret(_ id: IdentityHash) throws -> Secret {
        try MPin.clientSecret(first.clientSecretShare(of: id), second.clientSecretShare(of: id))
    }

    func timePermit(_ id: IdentityHash, date: UInt32) throws -> [UInt8] {
        try MPin.timePermit(
            first.timePermitShare(of: id, date: date), second.timePermitShare(of: id, date: date))
    }

    /// Adds identities to a SQLite database, in the order of its indexes.
    static func fill(_ path: String, count: Int) throws {
        let connection = try SQLiteConnection(.file(path))
        let people = (0..<count).map { (identityHash(mpinID($0)), $0) }
            .sorted { $0.0.octets.lexicographicallyPrecedes($1.0.octets) }
        for start in stride(from: 0, to: count, by: 50_000) {
            try connection.begin(.brief)
            for (id, number) in people[start..<min(start + 50_000, count)] {
                try add(id, number, to: connection)
            }
            try connection.commit()
        }
    }

    private static func add(_ id: IdentityHash, _ number: Int, to connection: SQLiteConnection) throws {
        let userID = Value.text("user-" + hexText([UInt8](id.octets.prefix(8))))
        _ = try connection.run("INSERT INTO users \(person) VALUES ($1, 1795218263000)", [userID])
        _ = try connection.run(
            "INSERT INTO identities \(columns) VALUES ($1, $2, $3, $1, \(constants))",
            [.octets(id.octets), .octets(mpinID(number)), userID])
    }

    private static let person = "(user_id, added_at)"
    private static let columns = """
        (id, mpin_id, user_id, a, kind, host, host_epoch, suite, epoch, device_name, user_data, push_token,
            issued_at, unconfirmed, counts_together, wrong_count, wrong_at, wrong_source)
        """
    private static let constants = """
        0, '\(host)', 1, 'BN254CX', 1, '', '', '', 1795218263000, 0, 0, 0, 0, ''
        """

    /// A script that makes the same identities in PostgreSQL.
    static func script(count: Int) -> String {
        """
        CREATE TEMPORARY TABLE people AS SELECT sha256(mpin_id) AS id, mpin_id FROM (
            SELECT convert_to('{"issued": "2026-11-20 23:45:15.098568", "userID": "someone", "mobile": 0, '
                || '"salt": "' || left(encode(sha256(convert_to('salt ' || i, 'UTF8')), 'hex'), 32) || '"}',
                'UTF8') AS mpin_id FROM generate_series(0, \(count - 1)) AS i) AS made;
        INSERT INTO users \(person) SELECT 'user-' || left(encode(id, 'hex'), 16), 1795218263000
            FROM people ORDER BY id;
        INSERT INTO identities \(columns) SELECT id, mpin_id, 'user-' || left(encode(id, 'hex'), 16), id,
            \(constants) FROM people ORDER BY id;
        """
    }

    /// Rows that have expired, for the housekeeping to remove, and 300,000 audit records that stay for ever.
    static func fillWithExpired(_ path: String) throws {
        let connection = try SQLiteConnection(.file(path))
        for (count, insertion) in [
            (60_000, "nonces (nonce, expires_at) SELECT CAST('expired ' || i AS BLOB), i"),
            (20_000, "known_sources (id, source, last_at) SELECT CAST(i AS BLOB), '192.0.2.1', i"),
            (20_000, "tries (id, counter, origin, at, returned_at) SELECT CAST(i AS BLOB), 1, 's', i, i"),
            (300_000, "audit \(auditColumns) SELECT i, 'user.add', 'somebody', '', '', '', 0"),
            (140_000, "audit \(auditColumns) SELECT i, 'login', 'expired', 'bench', 's', '', 1"),
        ] {
            _ = try connection.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
                INSERT INTO \(insertion) FROM n
                """, [.integer(Int64(count))])
        }
        _ = try connection.run(
            """
            INSERT INTO audit_fields (number, place, name, value)
            SELECT number, place, 'verdict', 'granted' FROM audit, (SELECT 0 AS place UNION SELECT 1 UNION
                SELECT 2) WHERE kind = 'login' AND subject = 'expired'
            """, [])
    }

    private static let auditColumns = "(at, kind, subject, host, source, attempt, retention)"
}

func hexOctets(_ text: Substring) -> [UInt8]? { octets(fromHex: [UInt8](text.utf8)) }

enum BenchError: Error {
    case arguments
    case master
    case system(String, Int32)
    case refused(status: Int, body: String)
    case silent
}
