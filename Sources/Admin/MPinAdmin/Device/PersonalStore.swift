// SPDX-License-Identifier: Apache-2.0
// A user's own tokens, for approvals. They lie below XDG_STATE_HOME, in folders that belong to that user.
import CPlatform
import MPinLogin
import MPinProof
import MPinHostStore
import MPinSystem

/// The user who runs this command. The name is empty: a user's own file needs none.
func ownAccount() -> Account { Account(uid: geteuid(), gid: getegid(), name: []) }

/// The folder of the tokens: `named`, or `mpin` below the state folder.
/// - Parameter making: whether missing parent folders are made, with mode 0700.
func personalPath(_ named: [UInt8]?, making: Bool) throws(Failure) -> [UInt8] {
    if let named { return named }
    let folder = try stateFolder()
    try checkOwnGround(folder)
    if making { try makeFolders(folder) }
    // The path of a home may contain symbolic links; from here on none is allowed.
    guard let found = unsafe realpath(folder, nil) else { return [UInt8]("\(folder)/mpin".utf8) }
    defer { unsafe free(found) }
    return unsafe [UInt8]("\(String(cString: found))/mpin".utf8)
}

/// The state folder of the XDG base directory specification, which ignores a relative path.
private func stateFolder() throws(Failure) -> String {
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return state }
    guard let home = variable("HOME"), home.hasPrefix("/") else {
        throw Failure(.settings, "HOME does not name a folder. Name the folder of the tokens: --store DIR.")
    }
    return home + "/.local/state"
}

private func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}

/// Checks that HOME and the deepest existing folder of the path belong to the caller. Under sudo, HOME may be
/// another user's: root's tokens do not belong there, and root must not follow links that this user has made.
private func checkOwnGround(_ folder: String) throws(Failure) {
    var home = stat()
    if let path = variable("HOME"), unsafe lstat(path, &home) == 0, home.st_uid != geteuid() {
        throw .foreign(path)
    }
    var path = folder[...]
    var status = stat()
    while unsafe stat(path.isEmpty ? "/" : String(path), &status) != 0 {
        guard let slash = path.lastIndex(of: "/"), mpin_errno() == ENOENT else {
            throw Failure(.store, "\(shown(folder)) cannot be entered: \(systemMessage(mpin_errno())).")
        }
        path = path[..<slash]
    }
    guard status.st_uid == geteuid() else {
        throw .foreign(String(path))
    }
}

extension Failure {
    fileprivate static func foreign(_ path: String) -> Failure {
        Failure(.store, "\(shown(path)) belongs to another user. Run personal commands as yourself.")
    }
}

private func makeFolders(_ folder: String) throws(Failure) {
    var path = ""
    for step in folder.split(separator: "/") {
        path += "/" + step
        guard unsafe mkdir(path, 0o700) == 0 || mpin_errno() == EEXIST else {
            throw Failure(.store, "\(shown(path)) cannot be made: \(systemMessage(mpin_errno())).")
        }
    }
}

/// The tokens of the user who runs this command.
struct PersonalStore: ~Copyable {
    let store: FileStore
    let account = ownAccount()

    static func make(_ named: [UInt8]?) throws(Failure) -> PersonalStore {
        let path = try personalPath(named, making: true)
        try checkOwner(path)
        return PersonalStore(store: try Failure.ofStore(FileStore.make(at: path, isPersonal: true)))
    }

    static func open(_ named: [UInt8]?) throws(Failure) -> PersonalStore {
        let path = try personalPath(named, making: false)
        try checkOwner(path)
        do { return PersonalStore(store: try FileStore(at: path)) } catch {
            guard error.fault == .missing else { throw Failure(error) }
            throw .enrolledNowhere
        }
    }

    /// The user's file; nil if there is none.
    borrowing func file() throws(Failure) -> UserFile? {
        try Failure.ofStore(store.user(account, host: []))
    }

    borrowing func identities() throws(Failure) -> [Identity] {
        try MPinAdmin.identities(of: account, host: [], in: store)
    }

    borrowing func pending() throws(Failure) -> PendingRegistration? {
        try Failure.ofStore(store.pending(account, host: []))
    }
}

extension Failure {
    static let enrolledNowhere = Failure(
        .notEnrolled,
        "This device is not enrolled. Run 'mpin enroll --personal --identity NAME --backend ADDRESS' first.")
}
