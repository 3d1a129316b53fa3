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
        do throws(TrustedFile.Fault) {
            return try TrustedFile(Array(name.utf8), in: folder.number, owner: nil).contents(
                atMost: FileStorage.limit)
        } catch {
            switch error {
            case .missing: return []
            case .notAFile, .foreignOwner, .tooOpen: throw StorageFailure("\(name) is not a regular file")
            case .tooLong: throw StorageFailure("\(name) is too long")
            case .changed: throw StorageFailure("\(name) changed while it was read")
            case .system(let code): throw failure("cannot be read", code)
            }
        }
    }

    /// Replaces the file by a new one, durably. Throws if the folder cannot be opened or locked, or if the
    /// file cannot be written.
    public func write(_ text: [UInt8]) throws(StorageFailure) {
        let folder = try opened(folder: folder)
        // Two writers would use the same temporary file.
        while flock(folder.number, LOCK_EX) != 0 {
            guard mpin_errno() == EINTR else { throw failure("cannot be locked") }
        }
        let code = unsafe FileReplacement(Array(name.utf8), in: folder.number).write(text.span.bytes)
        guard code == 0 else { throw failure("cannot be written", code) }
    }

    private func opened(folder: String) throws(StorageFailure) -> Descriptor {
        let folder = Descriptor(unsafe mpin_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0))
        guard folder.number >= 0 else { throw failure("is in a folder that cannot be opened") }
        return folder
    }

    private func failure(_ what: String, _ code: CInt = mpin_errno()) -> StorageFailure {
        guard let reason = unsafe strerror(code) else { return StorageFailure("\(name) \(what)") }
        return StorageFailure("\(name) \(what): \(unsafe String(cString: reason))")
    }
}
