// SPDX-License-Identifier: Apache-2.0
// What `mpin doctor` asks this machine: facts about files, texts of files, names in folders.
import CPlatform
import MPinClient
import MPinHost

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

/// What could not be read, by the system's error number.
struct Unread: Error { let number: Int32 }

/// The text of a file, a MiB at most.
func fileText(_ path: String) throws(Unread) -> [UInt8] {
    let descriptor = unsafe mpin_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    guard descriptor >= 0 else { throw Unread(number: mpin_errno()) }
    defer { close(descriptor) }
    return try text(of: descriptor)
}

private func text(of descriptor: CInt) throws(Unread) -> [UInt8] {
    var octets: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while octets.count < 1 << 20 {
        let count = unsafe read(descriptor, &chunk, chunk.count)
        if count < 0 && mpin_errno() == EINTR { continue }
        guard count >= 0 else { throw Unread(number: mpin_errno()) }
        if count == 0 { return octets }
        octets += chunk.prefix(count)
    }
    throw Unread(number: EFBIG)
}

/// The names in a folder, in their order; none of one that cannot be read.
func names(in folder: String) -> [String] {
    guard let open = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(open) }
    var names: [String] = []
    while let entry = unsafe readdir(open) {
        var name = unsafe entry.pointee.d_name
        let text = unsafe withUnsafePointer(to: &name) {
            unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        if text != ".", text != ".." { names.append(text) }
    }
    return names.sorted()
}

/// The first line that a program said, for a sentence.
func firstLine(_ said: String) -> String { text([UInt8](said.utf8.prefix { $0 != 0x0a }), limit: 120) }
