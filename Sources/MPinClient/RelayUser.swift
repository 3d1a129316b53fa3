// SPDX-License-Identifier: Apache-2.0
// Who the relay becomes, and whether the program it runs may be trusted with a login.
import CPlatform

/// The account that the relay of a root process runs as.
package struct RelayUser: Equatable, Sendable {
    let uid: UInt32
    let gid: UInt32

    package init(uid: UInt32, gid: UInt32) {
        self.uid = uid
        self.gid = gid
    }

    /// `_mpin` as this system knows it; nil if it does not, or cannot say.
    package static func find() -> RelayUser? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var strings = [CChar](repeating: 0, count: 16_384)
        let failure = unsafe getpwnam_r("_mpin", &entry, &strings, strings.count, &found)
        guard failure == 0, unsafe found != nil else { return nil }
        return unsafe RelayUser(uid: entry.pw_uid, gid: entry.pw_gid)
    }
}

/// Whether the program may be started: an absolute path to a regular file that, for a root process, root owns
/// and nobody else can write. The path is text with a NUL behind it.
func isTrustedProgram(_ path: [CChar]) -> Bool {
    guard path.first == 0x2f else { return false }
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else {
        return false
    }
    return geteuid() != 0 || status.st_uid == 0 && status.st_mode & 0o022 == 0
}
