// SPDX-License-Identifier: Apache-2.0
// What transactions of several connections must not do at the same time.
import MPinStorage
package import Octets

/// Transactions with the same key run one after another, on any replica.
package enum SerialKey: Equatable, Sendable {
    /// What is counted or numbered together, such as the sessions of one host.
    case name(String)
    /// The user to whom a registration or an identity belongs; an unknown id stands for itself.
    case owner(of: IdentityHash)

    /// The audit trail: whoever appends shares the key, so a reader that has it alone sees all numbers up to
    /// the greatest.
    package static let audit = SerialKey.name("audit")
    static func user(_ userID: String) -> SerialKey { .name("user " + userID) }
    /// An access number, which at most one session has.
    static func number(_ number: String) -> SerialKey { .name("number " + number) }
    static func host(_ name: String) -> SerialKey { .name("host " + name) }
}

extension Transaction {
    /// Waits for other transactions on these keys; on PostgreSQL only, because SQLite has one writer. Call it
    /// before anything is read that decides. All transactions take several keys in one order, so that two
    /// never wait for each other.
    func serialize(on keys: SerialKey...) throws(StorageError) {
        for key in keys.sorted(by: { $0.order < $1.order }) { try connection.serialize(on: key) }
    }

    /// The same for the owner of the id that a statement finds, before another statement uses up the row.
    /// Returns nil without a row, and without an id in it.
    func serialize(onOwnerFoundBy statement: String, _ values: [Value]) throws(StorageError) -> IdentityHash?
    {
        guard var found = try row(statement, values), let id: IdentityHash = try found.optionalFixed() else {
            return nil
        }
        try serialize(on: .owner(of: id))
        return id
    }

    /// The same for the owners of several ids.
    func serialize(onOwnersOf ids: [IdentityHash]) throws(StorageError) {
        if !ids.isEmpty { try connection.serialize(onOwnersOf: ids) }
    }

    /// Waits for a transaction that has serialized on this key, and not for others that share it.
    func share(_ key: SerialKey) throws(StorageError) { try connection.share(key) }

    /// Whether no other replica does this periodic work now; none begins it before this transaction ends.
    func isAlone(in work: String) throws(StorageError) -> Bool {
        try connection.isAlone(on: .name(work))
    }
}

extension SerialKey {
    fileprivate var order: String {
        switch self {
        case .name(let name): name
        case .owner: ""
        }
    }
}
