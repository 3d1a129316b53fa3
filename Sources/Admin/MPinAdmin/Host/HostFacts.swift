// SPDX-License-Identifier: Apache-2.0
// Facts about this machine: files and their texts, consoles, and environment variables.
import CPlatform
import FoundationEssentials
import MPinSystem
import MPinProof

/// The facts of a path itself: links are not followed. nil if this user may not read them.
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

/// Whether this machine has a terminal that is not a pseudoterminal, at which `login` counts as local. A
/// container has only pseudoterminals.
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

/// The names in a folder, sorted; empty if it cannot be read.
func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
}

/// The names of the files that can be stacks of services: not backups of an editor or dpkg, nor files to
/// include.
func serviceNames(in folder: PAMFolder) -> [String] {
    Set(names(in: folder.path) + names(in: folder.vendor)).filter {
        !$0.hasPrefix(".") && !$0.hasPrefix("common-") && !$0.hasSuffix("~") && !$0.contains(".dpkg-")
            && !$0.contains(".ucf-")
    }.sorted()
}

/// The value of an environment variable; empty if it is not set.
func variable(_ name: String) -> [UInt8] {
    guard let value = unsafe mpin_getenv(Array(name.utf8) + [0]) else { return [] }
    return unsafe [UInt8](String(cString: value).utf8)
}
