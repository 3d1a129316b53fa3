// SPDX-License-Identifier: Apache-2.0
// A storage in a file.
import CPlatform
import Octets

/// Keeps its text in one file, which has mode 0600 after a write. It also reads what Milagro's core wrote on
/// Linux.
///
/// A write makes a new file, syncs it, renames it over the old one and syncs the folder. A write that throws
/// leaves either the old text or the new one, as a whole. If the file is a link, it is not followed.
public struct FileStorage: Storage {
    /// The longest file that is read, in octets.
    private static let limit = 16 << 20
    private let folder: String
    private let name: String

    /// Makes a storage; nothing is read or written yet.
    ///
    /// - Parameter path: the path of the file. Its folder must exist, and only the caller should be able to
    ///   write it.
    public init(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let folder = String(path.dropLast(name.count))
        self.folder = folder.isEmpty ? "." : folder
        self.name = String(name)
    }

    /// The contents of the file; empty if there is no file. Throws if the file cannot be read, is not a
    /// regular file (a link, for example), or is longer than 16 MiB.
    public func read() throws(StorageFailure) -> [UInt8] {
        let folder = try opened(folder: folder)
        defer { close(folder) }
        // Without O_NONBLOCK a pipe in place of the file would block the app for ever.
        let file = unsafe mpin_openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0)
        guard file >= 0 else {
            if mpin_errno() == ENOENT { return [] }
            throw failure("cannot be opened")
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else {
            throw StorageFailure("\(name) is not a regular file")
        }
        guard status.st_size <= FileStorage.limit else { throw StorageFailure("\(name) is too long") }
        return try contents(of: file, count: Int(status.st_size))
    }

    private func contents(of file: CInt, count: Int) throws(StorageFailure) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let more = unsafe text.withUnsafeMutableBytes {
                unsafe CPlatform.read(file, $0.baseAddress?.advanced(by: done), count - done)
            }
            if more < 0, mpin_errno() == EINTR { continue }
            guard more > 0 else { throw failure("cannot be read") }
            done += more
        }
        return text
    }

    /// Replaces the file by a new one, durably. Throws if the folder cannot be opened or locked, or if the
    /// file cannot be written.
    public func write(_ text: [UInt8]) throws(StorageFailure) {
        let folder = try opened(folder: folder)
        defer { close(folder) }
        // Two writers would use the same temporary file.
        while flock(folder, LOCK_EX) != 0 {
            guard mpin_errno() == EINTR else { throw failure("cannot be locked") }
        }
        let code = unsafe FileReplacement(Array(name.utf8), in: folder).write(text.span.bytes)
        guard code == 0 else { throw failure("cannot be written", code) }
    }

    private func opened(folder: String) throws(StorageFailure) -> CInt {
        let folder = unsafe mpin_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard folder >= 0 else { throw failure("is in a folder that cannot be opened") }
        return folder
    }

    private func failure(_ what: String, _ code: CInt = mpin_errno()) -> StorageFailure {
        guard let reason = unsafe strerror(code) else { return StorageFailure("\(name) \(what)") }
        return StorageFailure("\(name) \(what): \(unsafe String(cString: reason))")
    }
}
