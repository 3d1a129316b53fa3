// SPDX-License-Identifier: Apache-2.0
// A file of the host, read whole and replaced whole: whatever happens, the old text or the new one stands.
package import CPlatform
import Octets

package struct HostFileError: Error, Equatable {
    package enum Problem: Equatable, Sendable {
        case missing
        /// A link, a folder, a device.
        case notAFile
        case tooLong
        /// Somebody else wrote it meanwhile.
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

package struct HostFile: Equatable, Sendable {
    package let path: String
    package let text: [UInt8]
    private let owner: uid_t
    private let group: gid_t
    private let mode: mode_t

    /// - Parameter followsLink: as programs read their settings; what is to be replaced must be no link.
    package init(_ path: String, followsLink: Bool = false) throws(HostFileError) {
        self.path = path
        // Without O_NONBLOCK a pipe in the file's place would hold us for ever.
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

    /// A file that is to be made: root's, read by all or by root alone.
    package init(new path: String, mode: mode_t = 0o644, group: gid_t = getegid()) {
        self.path = path
        self.mode = mode
        text = []
        owner = geteuid()
        self.group = group
    }

    /// Puts `text` in its place, under the same owner and mode.
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

/// Has the folder's own entries on the disk.
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

/// A folder of PAM's: /etc/pam.d, or a copy of it.
package struct PAMFolder: Sendable {
    package static let standard = PAMFolder(path: "/etc/pam.d")
    package let path: String

    package init(path: String) { self.path = path }

    /// Where libpam looks for what an include names.
    package func path(of name: String) -> String { name.hasPrefix("/") ? name : "\(path)/\(name)" }

    /// For `PAMStack` and `PAMFile`: links are followed, as libpam does.
    package func read(_ name: String) throws(PAMError) -> [UInt8] {
        do { return try HostFile(path(of: name), followsLink: true).text } catch {
            throw PAMError(error, name)
        }
    }

    package func stack(_ service: String) throws(PAMError) -> PAMStack {
        try PAMStack(service: service, read: read)
    }

    /// A file that may be written: no link.
    package func file(_ service: String) throws(PAMError) -> (file: HostFile, pam: PAMFile) {
        let file: HostFile
        do { file = try HostFile(path(of: service)) } catch { throw PAMError(error, service) }
        return (file, try PAMFile(service, text: file.text))
    }
}

extension PAMError {
    init(_ error: HostFileError, _ name: String) {
        let problem: Problem =
            switch error.problem {
            case .missing: .missing
            case .notAFile: .notAFile
            case .tooLong: .tooLong
            case .changed: .unreadable(EAGAIN)
            case .system(let number): .unreadable(number)
            }
        self.init(file: name, line: 0, problem: problem)
    }
}
