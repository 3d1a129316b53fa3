// SPDX-License-Identifier: Apache-2.0
// A storage in a file of its own, the client's default.
import CPlatform
import Octets

/// Keeps its text in one file, of mode 0600 once something was written. A new text is a new file that is
/// synced and put in the place of the old one, then its folder is synced: a write that throws may have left
/// either text, whole. No link is followed. What Milagro's core wrote on Linux opens as it is.
public struct FileStorage: Storage {
    /// Octets of the longest file that is read.
    private static let limit = 16 << 20
    private let folder: String
    private let name: String

    /// - Parameter path: of the file; its folder must be there, and nobody else should be able to write in
    ///   it.
    public init(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let folder = String(path.dropLast(name.count))
        self.folder = folder.isEmpty ? "." : folder
        self.name = String(name)
    }

    /// The file's contents, empty where there is no file. A link, a pipe or more than 16 MiB is refused.
    public func read() throws(StorageFailure) -> [UInt8] {
        let folder = try opened(folder: folder)
        defer { close(folder) }
        // Without O_NONBLOCK a pipe in the file's place would hold the app for ever.
        let file = unsafe mpin_openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0)
        guard file >= 0 else {
            if mpin_errno() == ENOENT { return [] }
            throw failure("cannot be opened")
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else {
            throw StorageFailure("\(name) is no file")
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

    /// Writes a new file beside the old one, syncs it and puts it in its place.
    public func write(_ text: [UInt8]) throws(StorageFailure) {
        let folder = try opened(folder: folder)
        defer { close(folder) }
        // Whoever else writes here would take the half of a text for his own.
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
