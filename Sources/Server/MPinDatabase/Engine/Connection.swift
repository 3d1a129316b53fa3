// SPDX-License-Identifier: Apache-2.0
// The interface of an SQL engine; all queries use it and are written once.

/// One connection to one database, used by one thread at a time. Statements name their values $1, $2 ... and
/// use only the SQL that SQLite and PostgreSQL share.
package protocol Connection: AnyObject {
    /// The database's clock.
    func now() throws(StorageError) -> UnixMilliseconds
    /// The database's clock minus this machine's, when the transaction began.
    var clockOffset: UnixMilliseconds { get }
    /// Runs one statement to its end and gives the rows that it returned.
    func run(_ statement: String, _ values: [Value]) throws(StorageError) -> [Row]
    func begin(_ access: Access) throws(StorageError)
    func commit() throws(StorageError)
    /// Rolls back the open transaction, if there is one.
    func rollBack()
    /// Waits until no other transaction on this key is under way, until the end of this one. For what one
    /// statement cannot do, such as to count and then insert. Nothing where one writer does all the writing.
    func serialize(on key: SerialKey) throws(StorageError)
    /// Takes the name together with others: waits while a transaction has it alone, and none gets it alone
    /// before the end of this one.
    func share(_ name: String) throws(StorageError)
    /// Like `serialize` without waiting: false if another transaction has the name.
    func isAlone(on name: String) throws(StorageError) -> Bool
    /// Makes the tables of an empty database. Throws `corrupt` for one of another kind, and `otherVersion`.
    func prepare(as schema: Schema) throws(StorageError)
    /// Whether it has these tables. Throws `corrupt` for those of another kind, and `otherVersion`.
    func has(_ schema: Schema) throws(StorageError) -> Bool
    /// Gives an unfinished copy its kind, so that servers open it.
    func finishCopy(of schema: Schema) throws(StorageError)
}

extension Connection {
    /// Runs `body` as one transaction, which is rolled back when it throws.
    package func transaction<R>(
        _ access: Access, _ body: (Transaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        try begin(access)
        do throws(StorageError) {
            let result = try body(try Transaction(self))
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }
}
