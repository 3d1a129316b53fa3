// SPDX-License-Identifier: Apache-2.0
// How commands open the store and find accounts, users' files and identities.
import CPlatform
import MPinLogin
import MPinProof
import MPinHostStore
import MPinSystem
import MPinWire
import Octets

/// Throws if the caller does not own the folder. Root in another user's store (sudo with that user's HOME)
/// would leave files that the owner cannot read, and would read files that the owner has put there.
func checkOwner(_ path: [UInt8]) throws(Failure) {
    var status = stat()
    let name = path.map { CChar(bitPattern: $0) } + [0]
    guard unsafe stat(name, &status) == 0, status.st_uid != geteuid() else { return }
    throw Failure(
        .store,
        status.st_uid == 0
            ? "\(text(path)) belongs to root, permission denied: run this command as root (sudo)."
            : "\(text(path)) belongs to another user. Run this command as its owner.")
}

/// Opens the store, which must exist.
func openStore(_ path: [UInt8]) throws(Failure) -> FileStore {
    try checkOwner(path)
    do { return try FileStore(at: path) } catch {
        guard error.fault == .missing else { throw Failure(error) }
        throw Failure(.store, "There is no store at \(text(path)). 'sudo mpin host join NAME' makes one.")
    }
}

/// Opens the store, and makes it if there is none.
func makeStore(_ path: [UInt8]) throws(Failure) -> FileStore {
    try checkOwner(path)
    return try Failure.ofStore(FileStore.make(at: path))
}

/// The name of this host in the files of the store: that of the host key, else the machine's.
func hostName(_ store: borrowing FileStore) throws(Failure) -> [UInt8] {
    try Failure.ofStore(store.hostName() ?? machineName())
}

/// The account with this name; nil if the passwd database has none.
func account(named name: [UInt8]) throws(Failure) -> Account? {
    do { return try Account(named: name) } catch {
        throw Failure(.broken, "The passwd database cannot be read: \(systemMessage(error.errno)).")
    }
}

/// The account with this name; throws if there is none.
func findAccount(_ name: String) throws(Failure) -> Account {
    if let account = try account(named: [UInt8](name.utf8)) { return account }
    throw Failure(.settings, "There is no account '\(shown(name))' on this host.")
}

/// The uid of the account; if no account has that name, the typed text as a uid.
func uid(of user: String) throws(Failure) -> UInt32 {
    do { return try findAccount(user).uid } catch {
        guard let uid = UInt32(user), error.kind == .settings else { throw error }
        return uid
    }
}

/// Reads the file of a uid. Throws `notEnrolled` if there is none.
func readUser<T>(
    _ uid: UInt32, named name: String, in store: borrowing FileStore,
    _ body: (borrowing UserFile) throws(Failure) -> T
) throws(Failure) -> T {
    guard let file = try Failure.ofStore(store.user(uid: uid)) else {
        throw Failure(.notEnrolled, "\(shown(name)) has no identity on this host.")
    }
    return try body(file)
}

/// The identities that an account has in a store.
func identities(
    of account: Account, host: [UInt8], in store: borrowing FileStore
) throws(Failure) -> [Identity] {
    guard let file = try Failure.ofStore(store.user(account, host: host)) else { return [] }
    return file.identities
}

/// The identity of the account with these 64 hex digits, or with these first eight.
func namedIdentity(_ typed: String, in file: borrowing UserFile) throws(Failure) -> Identity {
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
