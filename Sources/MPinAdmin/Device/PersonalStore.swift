// SPDX-License-Identifier: Apache-2.0
// A person's own tokens, for approvals: below XDG_STATE_HOME, and nobody else's, root's least of all.
import CPlatform
import MPinLogin
import MPinProof
import MPinStore

/// Whoever runs this command: in a file of his own no name says who he is.
func ownAccount() -> Account { Account(uid: geteuid(), gid: getegid(), name: []) }

/// Where the tokens are.
/// - Parameter making: folders above it that are missing are made, closed to others.
func personalPath(_ named: [UInt8]?, making: Bool) throws(Failure) -> [UInt8] {
    if let named { return named }
    let folder = try stateFolder()
    try checkOwnGround(folder)
    if making { try makeFolders(folder) }
    // Homes may be reached through links; below this nothing may be one.
    guard let found = unsafe realpath(folder, nil) else { return [UInt8]("\(folder)/mpin".utf8) }
    defer { unsafe free(found) }
    return unsafe [UInt8]("\(String(cString: found))/mpin".utf8)
}

/// As the XDG base directory specification has it: a relative path does not count.
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

/// What is there of the path must be the caller's: under sudo the HOME of somebody else is no place for
/// root's tokens, and root must not follow what that person has put there.
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

/// The tokens of whoever runs this command.
struct PersonalStore: ~Copyable {
    let store: FileStore
    let account = ownAccount()

    static func make(_ named: [UInt8]?) throws(Failure) -> PersonalStore {
        let path = try personalPath(named, making: true)
        try checkOwner(path)
        do { return PersonalStore(store: try FileStore.make(at: path, isPersonal: true)) } catch {
            throw Failure(error)
        }
    }

    static func open(_ named: [UInt8]?) throws(Failure) -> PersonalStore {
        let path = try personalPath(named, making: false)
        try checkOwner(path)
        do { return PersonalStore(store: try FileStore(at: path)) } catch {
            guard error.fault == .missing else { throw Failure(error) }
            throw .enrolledNowhere
        }
    }

    /// nil: no token is kept here.
    borrowing func file() throws(Failure) -> UserFile? {
        do { return try store.user(account, host: []) } catch { throw Failure(error) }
    }

    borrowing func identities() throws(Failure) -> [Identity] {
        guard let file = try file() else { return [] }
        return file.identities
    }

    borrowing func pending() throws(Failure) -> PendingRegistration? {
        do { return try store.pending(account, host: []) } catch { throw Failure(error) }
    }
}

extension Failure {
    static let enrolledNowhere = Failure(
        .notEnrolled,
        "This device is not enrolled. Run 'mpin enroll --personal --identity NAME --backend ADDRESS' first.")
}
