// SPDX-License-Identifier: Apache-2.0
// A file of the host, read as a whole and replaced atomically: after a crash it has either the old or the new
// text.
package import CPlatform
package import Octets

/// Why a file of the host cannot be read or replaced.
package struct HostFileError: Error, Equatable {
    package let path: String
    package let problem: TrustedFile.Fault

    package init(_ path: String, _ problem: TrustedFile.Fault) {
        self.path = path
        self.problem = problem
    }

    /// The problem, with a full stop, for the end of a sentence.
    package var words: String {
        switch problem {
        case .missing: "there is no such file."
        case .notAFile: "it is not the file that belongs here, but a link or something else."
        case .foreignOwner, .tooOpen: "users other than root can change it."
        case .tooLong: "it is too long."
        case .changed: "another program changed it meanwhile. Run the command again."
        case .system(let number): "\(accessMessage(number))."
        }
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
        do throws(TrustedFile.Fault) {
            let file = try TrustedFile(Array(path.utf8), followsLink: followsLink, owner: nil)
            (owner, group, mode) = (file.status.st_uid, file.status.st_gid, file.status.st_mode & 0o7777)
            text = try file.contents(atMost: 1 << 20)
        } catch { throw HostFileError(path, error == .system(ENOTDIR) ? .missing : error) }
    }

    /// A file that does not exist yet. It gets the caller as owner, and this mode and group.
    package init(new path: String, mode: mode_t = 0o644, group: gid_t = getegid()) {
        self.path = path
        self.mode = mode
        text = []
        owner = geteuid()
        self.group = group
    }

    /// The file at a path; nil if there is none.
    package static func ifThere(
        _ path: String, followsLink: Bool = false
    ) throws(HostFileError) -> HostFile? {
        do { return try HostFile(path, followsLink: followsLink) } catch {
            guard error.problem == .missing else { throw error }
            return nil
        }
    }

    /// Replaces the text; owner and mode stay. Throws `changed` if the file is not as it was read.
    package func replace(with text: [UInt8]) throws(HostFileError) {
        let (above, name) = place(of: path)
        let folder = try openFolder(above)
        let replacement = FileReplacement(
            Array(name.utf8), draft: Array(".\(name).mpin-new".utf8), in: folder.number, mode: mode,
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
        let folder = try openFolder(place(of: path).folder)
        guard fsync(folder.number) == 0 else { throw HostFileError(path, .system(mpin_errno())) }
    }

    private func checkUnchanged() throws(HostFileError) {
        let now = try HostFile.ifThere(path)?.text ?? []
        guard now == text else { throw HostFileError(path, .changed) }
    }
}

private func openFolder(_ path: String) throws(HostFileError) -> Descriptor {
    let folder = Descriptor(unsafe mpin_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0))
    guard folder.number >= 0 else { throw HostFileError(path, .system(mpin_errno())) }
    return folder
}

private func place(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
}

/// Makes a folder that all users may read, whatever the umask is. One that is there stays as it is.
/// - Returns: whether there is one; if not, `errno` tells why.
@discardableResult
package func makeOpenFolder(_ path: String) -> Bool {
    guard unsafe mkdir(path, 0o755) == 0 else { return mpin_errno() == EEXIST }
    return unsafe chmod(path, 0o755) == 0
}
