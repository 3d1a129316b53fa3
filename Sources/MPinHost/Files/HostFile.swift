// SPDX-License-Identifier: Apache-2.0
// A file of the host, read as a whole and replaced atomically: after a crash it has either the old or the new
// text.
package import CPlatform
import Octets

/// Why a file of the host cannot be read or replaced.
package struct HostFileError: Error, Equatable {
    package enum Problem: Equatable, Sendable {
        case missing
        /// The path is a link, a folder or a device.
        case notAFile
        /// The file has more than 1 MiB.
        case tooLong
        /// Another program changed the file meanwhile.
        case changed
        /// The system's error number.
        case system(Int32)
    }
    package let path: String
    package let problem: Problem

    package init(_ path: String, _ problem: Problem) {
        self.path = path
        self.problem = problem
    }
}

/// The text of a file, with its owner and mode.
package struct HostFile: Equatable, Sendable {
    package let path: String
    package let text: [UInt8]
    private let owner: uid_t
    private let group: gid_t
    private let mode: mode_t

    /// Reads a file.
    /// - Parameter followsLink: whether `path` may be a link. A file to replace must not be one.
    package init(_ path: String, followsLink: Bool = false) throws(HostFileError) {
        self.path = path
        // Without O_NONBLOCK, opening a named pipe would block forever.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW)
        let descriptor = unsafe mpin_open(path, flags, 0)
        guard descriptor >= 0 else { throw HostFileError(path, problem(mpin_errno())) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw HostFileError(path, .system(mpin_errno()))
        }
        guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else { throw HostFileError(path, .notAFile) }
        owner = status.st_uid
        group = status.st_gid
        mode = status.st_mode & 0o7777
        text = try contents(of: descriptor, path)
    }

    /// A file that does not exist yet. It gets the caller as owner, and this mode and group.
    package init(new path: String, mode: mode_t = 0o644, group: gid_t = getegid()) {
        self.path = path
        self.mode = mode
        text = []
        owner = geteuid()
        self.group = group
    }

    /// Replaces the text; owner and mode stay. Throws `changed` if the file is not as it was read.
    package func replace(with text: [UInt8]) throws(HostFileError) {
        let (folder, name) = place(of: path)
        let descriptor = unsafe mpin_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw HostFileError(path, .system(mpin_errno())) }
        defer { close(descriptor) }
        let replacement = FileReplacement(
            Array(name.utf8), draft: Array(".\(name).mpin-new".utf8), in: descriptor, mode: mode,
            owner: (owner, group))
        var changed: HostFileError?
        let code = unsafe replacement.write(text.span.bytes) {
            do throws(HostFileError) { try checkUnchanged() } catch { changed = error }
            return changed == nil
        }
        if let changed { throw changed }
        guard code == 0 else { throw HostFileError(path, .system(code)) }
    }

    /// Removes the file. Throws `changed` if the file is not as it was read.
    package func remove() throws(HostFileError) {
        try checkUnchanged()
        guard unsafe unlink(path) == 0 || mpin_errno() == ENOENT else {
            throw HostFileError(path, .system(mpin_errno()))
        }
        try settle(place(of: path).folder)
    }

    private func checkUnchanged() throws(HostFileError) {
        let now: [UInt8]
        do { now = try HostFile(path).text } catch {
            guard error.problem == .missing else { throw error }
            now = []
        }
        guard now == text else { throw HostFileError(path, .changed) }
    }
}

/// Waits until the folder's entries are on disk.
private func settle(_ folder: String) throws(HostFileError) {
    let descriptor = unsafe mpin_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw HostFileError(folder, .system(mpin_errno())) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw HostFileError(folder, .system(mpin_errno())) }
}

private func place(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
}

private func problem(_ number: Int32) -> HostFileError.Problem {
    switch number {
    case ENOENT, ENOTDIR: .missing
    case ELOOP, ENXIO: .notAFile
    default: .system(number)
    }
}

private func contents(of descriptor: CInt, _ path: String) throws(HostFileError) -> [UInt8] {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, mpin_errno() == EINTR { continue }
        guard count >= 0 else { throw HostFileError(path, .system(mpin_errno())) }
        if count == 0 { return text }
        text += chunk[..<count]
        guard text.count <= 1 << 20 else { throw HostFileError(path, .tooLong) }
    }
}

/// Makes a folder that all users may read, whatever the umask is. One that is there stays as it is.
/// - Returns: whether there is one; if not, `errno` tells why.
@discardableResult
package func makeOpenFolder(_ path: String) -> Bool {
    guard unsafe mkdir(path, 0o755) == 0 else { return mpin_errno() == EEXIST }
    return unsafe chmod(path, 0o755) == 0
}
