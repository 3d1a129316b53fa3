// SPDX-License-Identifier: Apache-2.0
// The private folder in which setup tests drafts before it installs them.
import CPlatform
import FoundationEssentials
import MPinSystem

/// Root's own folder below /run. It is removed when the value ends. A lock on it keeps a second setup from
/// running at the same time.
struct SetupFolder: ~Copyable {
    let path: String
    private let descriptor: CInt

    init(at path: String) throws(Failure) {
        _ = unsafe mkdir(path, 0o700)
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let opened = unsafe mpin_open(path, flags, 0)
        guard opened >= 0 else {
            throw Failure(.broken, "\(path): \(systemMessage(mpin_errno())).")
        }
        var status = stat()
        guard unsafe fstat(opened, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0
        else {
            close(opened)
            throw Failure(.broken, "\(path) can be changed by users other than root. Remove it.")
        }
        // An earlier setup may have removed the folder meanwhile: then the lock is on a folder without a
        // path.
        guard flock(opened, LOCK_EX | LOCK_NB) == 0, isAt(path, status) else {
            close(opened)
            throw Failure(.refused, "Another mpin setup is running.")
        }
        self.path = path
        descriptor = opened
        // A setup that was killed may have left files.
        empty()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(descriptor)
    }

    private borrowing func empty() {
        for name in names(in: path) {
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }

    /// Makes a subfolder with copies of the files of `folder`; `texts` replaces or adds files by name.
    ///
    /// - Returns: its path.
    borrowing func copy(
        of folder: String, as name: String, with texts: [String: [UInt8]]
    ) throws(Failure) -> String {
        let path = "\(self.path)/\(name)"
        try? FileManager.default.removeItem(atPath: path)
        guard unsafe mkdir(path, 0o700) == 0 else {
            throw Failure(.broken, "\(path): \(systemMessage(mpin_errno())).")
        }
        for name in Set(names(in: folder)).union(texts.keys) {
            let text: [UInt8]
            if let given = texts[name] {
                text = given
            } else {
                // A file that cannot be read can be neither a stack nor a part of sshd's settings.
                guard let file = try? HostFile("\(folder)/\(name)", followsLink: true) else { continue }
                text = file.text
            }
            try Failure.ofFile(HostFile(new: "\(path)/\(name)", mode: 0o600).replace(with: text))
        }
        return path
    }
}

/// Whether the opened folder is still the one at the path.
private func isAt(_ path: String, _ opened: stat) -> Bool {
    var there = stat()
    return unsafe lstat(path, &there) == 0 && there.st_ino == opened.st_ino
        && there.st_dev == opened.st_dev
}
