// SPDX-License-Identifier: Apache-2.0
// The accounts of this system that run the server, and acting as one of them.
import Glibc
import MPinWire
import Octets

/// An account of this system.
package struct UserAccount: Equatable, Sendable {
    package let name: String
    package let uid: UInt32
    package let gid: UInt32

    /// nil if there is no such account.
    package init?(named name: String) {
        guard let entry = try? passwdEntry(named: Array(name.utf8)) else { return nil }
        self.name = name
        (uid, gid) = (entry.uid, entry.gid)
    }

    /// The owner of a file, as whom root can act; nil if it is the caller. Throws for anyone but root if the
    /// file belongs to another user.
    package static func owner(of path: String) throws(SetupError) -> UserAccount? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw SetupError("There is no \(path). `mpind init` makes it.")
        }
        guard status.st_uid != geteuid() else { return nil }
        guard geteuid() == 0, let account = UserAccount(named: name(status.st_uid)) else {
            throw SetupError("\(path) belongs to \(name(status.st_uid)); run this as root.")
        }
        return account
    }

    /// The name of a user, or the uid if there is none, for messages.
    static func name(_ uid: uid_t) -> String {
        guard let entry = try? passwdEntry(uid: uid) else { return String(uid) }
        return String(decoding: entry.name, as: UTF8.self)
    }

    /// The user for whom a new server is made; nil if it is the caller. Root makes it for the named user or,
    /// if no folder is named either, for the user as whom the system runs the server, if there is one.
    package static func ofNewServer(
        user: String?, hasFolder: Bool, caller: UInt32 = geteuid()
    ) throws(SetupError) -> UserAccount? {
        guard let user else {
            guard caller == 0, !hasFolder else { return nil }
            return UserAccount(named: DaemonSettings.user)
        }
        guard let account = UserAccount(named: user) else {
            throw SetupError(
                "There is no user \(user); make it first (systemd-sysusers, or adduser --system).")
        }
        guard account.uid != caller else { return nil }
        guard caller == 0 else {
            throw SetupError("Only root can make a server for \(user); without --user it is your own.")
        }
        return account
    }

    /// The user for whom the authority of a new server of this user is made. If the system runs both, they
    /// are two users, neither of whom can read the other's folder.
    package func ofNewAuthority(_ settings: DaemonSettings) throws(SetupError) -> UserAccount {
        guard name == DaemonSettings.user, settings.authoritySocket != nil else { return self }
        guard let account = UserAccount(named: DaemonSettings.authorityUser) else {
            throw SetupError(
                "There is no user \(DaemonSettings.authorityUser), as whom the authority runs; make it first"
                    + " (systemd-sysusers).")
        }
        return account
    }
}

/// Runs `body` as another user, only in that user's own group; then this process is root again. Without an
/// account `body` runs as the current user.
package func acting<R: ~Copyable>(
    as account: UserAccount?, _ body: () throws(SetupError) -> R
) throws(SetupError) -> R {
    guard let account else { return try body() }
    guard setgroups(0, nil) == 0, setegid(account.gid) == 0, seteuid(account.uid) == 0 else {
        throw SetupError("Cannot become the user \(account.name).")
    }
    defer {
        // The uid first: another user may not change the group.
        guard seteuid(0) == 0, setegid(0) == 0 else { abort() }
    }
    return try body()
}
