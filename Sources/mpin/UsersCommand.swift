// SPDX-License-Identifier: Apache-2.0
// `mpin users`: every account of this host that has an identity; `mpin show`: one of them.
import ArgumentParser
import MPinLogin
import MPinProof

struct UsersCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "List who may log in on this host.")

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> UsersReport {
        let store = try openStore(store.path)
        let uids: [UInt32]
        do { uids = try store.uids() } catch { throw Failure(error) }
        var report = UsersReport()
        for uid in uids { report.add(uid, in: store) }
        return report
    }
}

struct UsersReport: Report {
    private(set) var users: [UserReport] = []
    private(set) var unreadable: [Unreadable] = []

    struct Unreadable: Encodable {
        let file: String
        let message: String
    }

    /// One bad file hides no other.
    mutating func add(_ uid: UInt32, in store: borrowing FileStore) {
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

    var lines: [String] {
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
        return table(rows)
    }

    var failures: [Failure] { unreadable.map { Failure(.store, $0.message) } }
}

/// Columns, each as wide as its widest word.
func table(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
        zip(row, widths).dropLast().map { aligned($0, $1 + 2) }.joined() + (row.last ?? "")
    }
}

struct ShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the identities of one account.")

    @Argument(help: "The account.") var user: String
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> UserReport {
        let store = try openStore(store.path)
        let account = try findAccount(user)
        let codes: Int?
        do { codes = try store.codesLeft(uid: account.uid) } catch { throw Failure(error) }
        return try readUser(account.uid, user, in: store) { UserReport($0, backupCodes: codes) }
    }
}

/// Reads the file of a uid; without one, nobody is enrolled.
func readUser<T>(
    _ uid: UInt32, _ name: String, in store: borrowing FileStore,
    _ body: (borrowing UserFile) throws(Failure) -> T
) throws(Failure) -> T {
    let file: UserFile?
    do { file = try store.user(uid: uid) } catch { throw Failure(error) }
    guard let file else { throw Failure(.notEnrolled, "\(shown(name)) has no identity on this host.") }
    return try body(file)
}
