// SPDX-License-Identifier: Apache-2.0
// The store as commands use it: only its owner does, and accounts are found as the passwd database has them.
import CPlatform
import MPinLogin
import MPinProof
import MPinStore
import MPinWire

/// Refuses whoever does not own the folder: root with somebody else's store leaves files that their owner
/// cannot read, and reads what somebody else has put there (sudo with another's HOME).
func checkOwner(_ path: [UInt8]) throws(Failure) {
    var status = stat()
    let name = path.map { CChar(bitPattern: $0) } + [0]
    guard unsafe stat(name, &status) == 0, status.st_uid != geteuid() else { return }
    let owner = status.st_uid == 0 ? "root" : "another user"
    throw Failure(.store, "\(text(path)) belongs to \(owner). Run this command as its owner.")
}

/// The store as it is.
func openStore(_ path: [UInt8]) throws(Failure) -> FileStore {
    try checkOwner(path)
    do { return try FileStore(at: path) } catch {
        guard error.fault == .missing else { throw Failure(error) }
        throw Failure(.store, "There is no store at \(text(path)). 'sudo mpin host join NAME' makes one.")
    }
}

/// The store, made if there is none.
func makeStore(_ path: [UInt8]) throws(Failure) -> FileStore {
    try checkOwner(path)
    do { return try FileStore.make(at: path) } catch { throw Failure(error) }
}

/// The name of this host as the files of the store bear it.
func hostName(_ store: borrowing FileStore) throws(Failure) -> [UInt8] {
    do { return try store.hostName() ?? machineName() } catch { throw Failure(error) }
}

func account(named name: [UInt8]) throws(Failure) -> Account? {
    do { return try Account(named: name) } catch {
        throw Failure(.broken, "The passwd database cannot be read: \(systemMessage(error.errno)).")
    }
}

func findAccount(_ name: String) throws(Failure) -> Account {
    if let account = try account(named: [UInt8](name.utf8)) { return account }
    throw Failure(.settings, "There is no account '\(shown(name))' on this host.")
}

/// The uid of the account, or what was typed where no account has that name.
func uid(of user: String) throws(Failure) -> UInt32 {
    do { return try findAccount(user).uid } catch {
        guard let uid = UInt32(user), error.trouble == .settings else { throw error }
        return uid
    }
}

/// Reads the file of a uid; without one, nobody is enrolled.
func readUser<T>(
    _ uid: UInt32, named name: String, in store: borrowing FileStore,
    _ body: (borrowing UserFile) throws(Failure) -> T
) throws(Failure) -> T {
    let file: UserFile?
    do { file = try store.user(uid: uid) } catch { throw Failure(error) }
    guard let file else { throw Failure(.notEnrolled, "\(shown(name)) has no identity on this host.") }
    return try body(file)
}

/// An identity of the account by its 64 hex digits, or by the first eight.
func find(_ typed: String, in file: borrowing UserFile) throws(Failure) -> Identity {
    let wanted = typed.lowercased()
    guard [8, 64].contains(wanted.utf8.count) else {
        throw Failure(.settings, "Name an identity by its 64 hex digits, or by the first eight.")
    }
    let hits = file.identities.filter { hexText($0.id).hasPrefix(wanted) }
    guard let hit = hits.first else {
        throw Failure(.notEnrolled, "\(text(file.name)) has no identity \(shown(typed)) on this host.")
    }
    guard hits.count == 1 else {
        throw Failure(.settings, "More than one identity begins with \(shown(typed)). Name it in full.")
    }
    return hit
}
