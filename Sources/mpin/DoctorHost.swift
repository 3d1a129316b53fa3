// SPDX-License-Identifier: Apache-2.0
// What `mpin doctor` asks this machine: facts about files, and their texts.
import CPlatform
import MPinHost
import MPinLogin
import MPinProof

/// The facts of a path itself, links not followed; nil if this user may not know.
func fileFacts(_ path: String) -> FileFacts? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
        return mpin_errno() == ENOENT ? FileFacts(.missing) : nil
    }
    let kind: FileFacts.Kind =
        switch status.st_mode & mode_t(S_IFMT) {
        case mode_t(S_IFREG): .file
        case mode_t(S_IFDIR): .folder
        case mode_t(S_IFSOCK): .socket
        default: .other
        }
    return FileFacts(kind, uid: status.st_uid, mode: UInt16(status.st_mode & 0o7777))
}

/// Whether this machine has a terminal at which `login` shows that somebody is here: a container has none but
/// pseudoterminals.
func hasConsole() -> Bool {
    ["tty1", "ttyS0", "ttyAMA0", "hvc0", "xvc0", "ttysclp0", "console"].contains { name in
        var status = stat()
        guard unsafe stat("/dev/\(name)", &status) == 0,
            status.st_mode & mode_t(S_IFMT) == mode_t(S_IFCHR)
        else { return false }
        return !SeatRow.isPseudoterminal(UInt32(truncatingIfNeeded: status.st_rdev >> 8 & 0xfff))
    }
}

/// The text of a file; nil if it cannot be read.
func fileText(_ path: String) -> [UInt8]? { (try? HostFile(path, followsLink: true))?.text }

/// The first line that a program said, for a sentence.
func firstLine(_ said: String) -> String { text([UInt8](said.utf8.prefix { $0 != 0x0a }), limit: 120) }
