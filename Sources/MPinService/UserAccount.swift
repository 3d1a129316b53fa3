// SPDX-License-Identifier: Apache-2.0
// An account of this system, and becoming it for good.
import Glibc

package struct UserAccount: Equatable, Sendable {
    package let name: String
    package let uid: UInt32
    package let gid: UInt32

    /// nil if there is no such account.
    package init?(named name: String) {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var strings = [CChar](repeating: 0, count: 16_384)
        let failure = unsafe getpwnam_r(name, &entry, &strings, strings.count, &found)
        guard failure == 0, unsafe found != nil else { return nil }
        self.name = name
        self.uid = unsafe entry.pw_uid
        self.gid = unsafe entry.pw_gid
    }

    /// The name of a user for people; his number where he has none.
    static func name(_ uid: uid_t) -> String {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var strings = [CChar](repeating: 0, count: 16_384)
        let failure = unsafe getpwuid_r(uid, &entry, &strings, strings.count, &found)
        guard failure == 0, unsafe found != nil, let name = unsafe entry.pw_name else { return String(uid) }
        return unsafe String(cString: name)
    }

    /// Who a new server is for; nil for whoever makes it. Root makes it for the named user or, where no
    /// folder is named either, for the user as whom the system runs the server, if there is one.
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

    /// From here on this process is that user, in his own group alone, and cannot go back.
    package func become() throws(SetupError) {
        guard setgroups(0, nil) == 0, setgid(gid) == 0, setuid(uid) == 0, getuid() == uid,
            geteuid() == uid, getgid() == gid, getegid() == gid, uid == 0 || setuid(0) != 0
        else { throw SetupError("Cannot become the user \(name).") }
    }
}
