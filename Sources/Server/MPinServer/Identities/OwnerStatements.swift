// SPDX-License-Identifier: Apache-2.0
// Transactions that concern one user run one after another.
import MPin
import MPinDatabase
import Octets

extension SerialKey {
    static func user(_ userID: String) -> SerialKey { .name("user " + userID) }

    /// The user to whom a registration or an identity belongs; an unknown id stands for itself.
    static func owner(of id: IdentityHash) -> SerialKey {
        .names(foundBy: "SELECT \(nameOfOwner("$1"))", [.octets(id)])
    }

    /// The same for several ids, two of which may have one owner.
    fileprivate static func owners(of ids: [IdentityHash]) -> SerialKey {
        .names(
            foundBy: """
                SELECT \(nameOfOwner("octets")) FROM (
                    SELECT substring($1 FROM 32 * place + 1 FOR 32) AS octets
                    FROM generate_series(0, length($1) / 32 - 1) AS place
                ) AS ids
                """, [.octets(ids.flatMap(\.octets))])
    }

    /// Two identities of one user have one name.
    private static func nameOfOwner(_ id: String) -> String {
        let known = ["identities", "registrations"].map { table in
            "(SELECT 'user ' || user_id FROM \(table) WHERE \(table).id = \(id))"
        }
        return "COALESCE(\(known.joined(separator: ", ")), 'id ' || encode(\(id), 'hex'))"
    }
}

extension Transaction {
    /// Waits for other transactions on the owner of the id that a statement finds, before another statement
    /// uses up the row. Returns nil without a row, and without an id in it.
    func serialize(onOwnerFoundBy statement: String, _ values: [Value]) throws(StorageError) -> IdentityHash?
    {
        guard var found = try row(statement, values), let id: IdentityHash = try found.optionalFixed() else {
            return nil
        }
        try serialize(on: .owner(of: id))
        return id
    }

    /// Waits for other transactions on the owners of several ids.
    func serialize(onOwnersOf ids: [IdentityHash]) throws(StorageError) {
        if !ids.isEmpty { try serialize(on: .owners(of: ids)) }
    }

    /// Runs a statement that returns the id of each row that it touched.
    func ids(_ statement: String, _ values: [Value]) throws(StorageError) -> [IdentityHash] {
        var ids: [IdentityHash] = []
        for var row in try rows(statement, values) { ids.append(try row.fixed()) }
        return ids
    }
}
