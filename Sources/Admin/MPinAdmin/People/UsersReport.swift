// SPDX-License-Identifier: Apache-2.0
// `mpin users` and `mpin show`: the accounts of this host that have an identity.
import MPinConsole
import MPinHostStore
import MPinLogin
import MPinProof

/// One account and its identities.
package struct UserReport: Report {
    let user: String
    let uid: UInt32
    let host: String
    let identities: [IdentityReport]
    /// The number of unused backup codes; nil if no set was made.
    let backupCodes: Int?

    init(_ file: borrowing UserFile, backupCodes: Int?) {
        user = String(decoding: file.name, as: UTF8.self)
        uid = file.uid
        host = String(decoding: file.host, as: UTF8.self)
        identities = file.identities.map { IdentityReport($0) }
        self.backupCodes = backupCodes
    }

    /// The account, the host, and each identity in full.
    package var lines: [String] {
        let codes = backupCodes.map { ["  backup codes left: \($0)"] } ?? []
        let head = ["\(shown(user)) (uid \(uid)) on \(shown(host))"]
        return head + codes
            + identities.flatMap { identity in
                ["", "  \(shown(identity.label))"]
                    + identity.details.map { "    " + aligned($0.0, 11) + $0.1 }
            }
    }
}

extension UserReport {
    /// The report of the account `user`, from the store at `store`. Throws if it has no identity on this
    /// host.
    package static func read(_ user: String, from store: [UInt8]) throws(Failure) -> UserReport {
        let store = try openStore(store)
        let account = try findAccount(user)
        let codes = try Failure.ofStore(store.codesLeft(uid: account.uid))
        return try readUser(account.uid, named: user, in: store) { UserReport($0, backupCodes: codes) }
    }
}

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
