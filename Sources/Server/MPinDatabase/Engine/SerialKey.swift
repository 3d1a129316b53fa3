// SPDX-License-Identifier: Apache-2.0
// What transactions of several connections must not do at the same time.

/// Transactions with the same key run one after another, on any replica.
package enum SerialKey: Equatable, Sendable {
    /// What is counted or numbered together, such as the sessions of one host.
    case name(String)
    /// The names that a query returns.
    case names(foundBy: String, [Value])

    fileprivate var order: String {
        switch self {
        case .name(let name): name
        case .names: ""
        }
    }
}

extension Transaction {
    /// Waits for other transactions on these keys; on PostgreSQL only, because SQLite has one writer. Call it
    /// before anything is read that decides. All transactions take several keys in one order, so that two
    /// never wait for each other.
    package func serialize(on keys: SerialKey...) throws(StorageError) {
        for key in keys.sorted(by: { $0.order < $1.order }) { try connection.serialize(on: key) }
    }

    /// Waits for a transaction that has serialized on this key, and not for others that share it.
    package func share(_ name: String) throws(StorageError) { try connection.share(name) }

    /// Whether no other replica does this periodic work now; none begins it before this transaction ends.
    package func isAlone(in work: String) throws(StorageError) -> Bool { try connection.isAlone(on: work) }
}
