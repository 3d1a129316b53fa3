// SPDX-License-Identifier: Apache-2.0
// `mpin users`: every account of this host that has an identity.
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore

/// The enrolled accounts of this host, and the files that could not be read.
package struct UsersReport: Report {
    private(set) var users: [UserReport] = []
    private(set) var unreadable: [Unreadable] = []

    struct Unreadable: Encodable {
        let file: String
        let message: String
    }

    /// All accounts in the store at `store`. Throws if the store cannot be read.
    package init(from store: [UInt8]) throws(Failure) {
        let store = try openStore(store)
        let uids = try Failure.ofStore(store.uids())
        for uid in uids { add(uid, in: store) }
    }

    /// Adds an account, or notes why its file cannot be read: a bad file does not hide the others.
    private mutating func add(_ uid: UInt32, in store: borrowing FileStore) {
        do throws(StoreError) {
            guard let file = try store.user(uid: uid) else { return }
            users.append(UserReport(file, backupCodes: codesLeft(uid, in: store)))
        } catch {
            note(error)
        }
    }

    private mutating func codesLeft(_ uid: UInt32, in store: borrowing FileStore) -> Int? {
        do throws(StoreError) { return try store.codesLeft(uid: uid) } catch {
            note(error)
            return nil
        }
    }

    private mutating func note(_ error: StoreError) {
        unreadable.append(Unreadable(file: text(error.file), message: Failure(error).sentence))
    }

    /// A table with a row for each identity.
    package var lines: [String] {
        guard !users.isEmpty else { return unreadable.isEmpty ? ["Nobody is enrolled on this host."] : [] }
        var rows = [["USER", "UID", "CODES", "ID", "WAY", "ENROLLED", "LABEL"]]
        for user in users {
            for identity in user.identities {
                rows.append([
                    shown(user.user), "\(user.uid)", user.backupCodes.map { "\($0)" } ?? "-", identity.id8,
                    identity.way, identity.enrolled, shown(identity.label),
                ])
            }
        }
        return alignedColumns(rows)
    }

    /// A failure for each file that could not be read.
    package var failures: [Failure] { unreadable.map { Failure(.store, $0.message) } }
}
