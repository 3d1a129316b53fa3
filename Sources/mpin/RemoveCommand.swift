// SPDX-License-Identifier: Apache-2.0
// `mpin remove`: takes identities of an account off this host.
import ArgumentParser
import MPinLogin
import MPinProof
import MPinWire

struct RemoveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take an account's identities, or one of them, off this host.",
        discussion: "The server still knows them: `mpind user revoke NAME` ends them everywhere.")

    @Argument(help: "The account, or the uid of an account that no longer exists.") var user: String
    @Option(help: "The identity: its 64 hex digits, or the first eight.") var identity: String?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> RemoveReport {
        let store = try openStore(store.path)
        let uid = try uid(of: user)
        return try readUser(uid, user, in: store) { file throws(Failure) in
            let ids: [[UInt8]]
            if let identity {
                ids = [try find(identity, in: file).id]
            } else {
                ids = file.identities.map(\.id)
            }
            // The file's own words: one of a renamed account, or of another host, can be removed too.
            let account = Account(uid: uid, gid: 0, name: file.name)
            var codesEnded = false
            do throws(StoreError) {
                // Codes are good only beside an identity, but another may come.
                if ids.count == file.identities.count { codesEnded = try store.removeCodes(uid: uid) }
                try store.remove(ids, of: account, host: file.host)
            } catch { throw Failure(error) }
            return RemoveReport(
                user: String(decoding: file.name, as: UTF8.self), uid: uid, removed: ids.map(hexText),
                backupCodesEnded: codesEnded)
        }
    }
}

/// The uid of the account, or what was typed where no account has that name.
func uid(of user: String) throws(Failure) -> UInt32 {
    do { return try findAccount(user).uid } catch {
        guard let uid = UInt32(user), error.trouble == .settings else { throw error }
        return uid
    }
}

struct RemoveReport: Report {
    let user: String
    let uid: UInt32
    let removed: [String]
    let backupCodesEnded: Bool

    var lines: [String] {
        removed.map { "Removed \($0.prefix(8)) of \(shown(user)) from this host." }
            + (backupCodesEnded ? ["The backup codes of \(shown(user)) are void."] : [])
    }
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
