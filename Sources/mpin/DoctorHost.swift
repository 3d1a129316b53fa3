// SPDX-License-Identifier: Apache-2.0
// What `mpin doctor` asks this machine: facts about files, texts of files, what a program prints.
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

/// What a program of the system printed, on both its outputs, and how it ended.
struct Printed {
    let status: Int32
    let text: [UInt8]

    /// nil if it could not be run.
    init?(_ path: String, _ arguments: String...) {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = mpin_close_on_exec(end) }
        var process: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) }
        unsafe words.append(nil)
        let failure = unsafe mpin_spawn(&process, path, words, ends[1])
        unsafe words.forEach { unsafe free($0) }
        close(ends[1])
        defer { close(ends[0]) }
        guard failure == 0 else { return nil }
        let printed = try? mpin.text(of: ends[0])
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 && mpin_errno() == EINTR {}
        guard let printed, status & 0x7f == 0 else { return nil }
        self.status = (status >> 8) & 0xff
        text = printed
    }
}

/// The first line of a text, for a sentence.
func firstLine(_ octets: [UInt8]) -> String { text([UInt8](octets.prefix { $0 != 0x0a }), limit: 120) }
