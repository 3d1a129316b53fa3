// SPDX-License-Identifier: Apache-2.0
// Folders and files that only the daemon may read; a file is written as a whole or not at all.
import Glibc
import Octets
package import Secrets

package func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

/// The text of `errno`.
package func reason() -> String {
    guard [EACCES, EPERM].contains(errno), geteuid() != 0 else {
        return unsafe String(cString: strerror(errno))
    }
    return "permission denied: run this command as root (sudo)"
}

/// Makes a folder of mode 0700, or accepts one that belongs to this user and is closed to others.
package func makePrivateFolder(_ path: String) throws(SetupError) {
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
        throw SetupError("Cannot make the folder \(path): \(reason()).")
    }
    try checkPrivateFolder(path)
}

/// Makes a folder of mode 0700 for another user, as root. A folder that exists must belong to that user.
package func makeFolder(_ path: String, for user: UserAccount) throws(SetupError) {
    guard unsafe mkdir(path, 0o700) == 0 else {
        guard errno == EEXIST else { throw SetupError("Cannot make the folder \(path): \(reason()).") }
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_uid != user.uid else { return }
        let owner = UserAccount.name(status.st_uid)
        throw SetupError(
            "\(path) belongs to \(owner): make the server for that user (--user \(owner)), or give the folder"
                + " to \(user.name) (chown -R \(user.name): \(path)).")
    }
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    guard folder >= 0, fchown(folder, user.uid, user.gid) == 0 else {
        throw SetupError("Cannot give the folder \(path) to \(user.name): \(reason()).")
    }
}

/// Checks that a path is a folder that belongs to this user and is closed to others.
package func checkPrivateFolder(_ path: String) throws(SetupError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
        throw SetupError("Cannot open the folder \(path): \(reason()).\(makingHint)")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw SetupError("\(path) is not a folder.") }
    guard status.st_uid == geteuid() else {
        let (owner, caller) = (UserAccount.name(status.st_uid), UserAccount.name(geteuid()))
        throw SetupError(
            "\(path) belongs to \(owner), and you are \(caller). Let the system start mpind (systemctl start"
                + " mpind), or run it as that user (runuser -u \(owner) -- mpind ...).")
    }
    guard status.st_mode & 0o077 == 0 else {
        throw SetupError("\(path) is open to others; close it (chmod 700 \(path)).")
    }
}

/// Reads a file of at most 64 KiB that belongs to this user and is closed to others, into locked pages.
/// - Parameter isCredential: the file may also belong to root and be readable by its group; root may read any
///   user's.
package func contentsOfFile(_ path: String, isCredential: Bool = false) throws(SetupError) -> Secret {
    try opened(path, isCredential).secret(path, isCredential)
}

private func opened(_ path: String, _ isCredential: Bool) throws(SetupError) -> TrustedFile {
    do throws(TrustedFile.Fault) { return try TrustedFile(Array(path.utf8), owner: nil) } catch {
        guard error != .notAFile else { throw SetupError("\(path) is not a file.") }
        throw SetupError("Cannot open \(path): \(reason()).\(isCredential ? "" : makingHint)")
    }
}

extension TrustedFile {
    fileprivate borrowing func secret(_ path: String, _ isCredential: Bool) throws(SetupError) -> Secret {
        let isRoots = isCredential && (status.st_uid == 0 || geteuid() == 0) && status.st_mode & 0o037 == 0
        guard isRoots || status.st_uid == geteuid() && status.st_mode & 0o077 == 0 else {
            throw SetupError(
                "\(path) must belong to the user that runs mpind, with mode 0600 (chmod 600, chown).")
        }
        guard (1...65_536).contains(status.st_size) else { throw SetupError("\(path) is empty or too long.") }
        var contents = try newSecret(Int(status.st_size))
        let fault = unsafe contents.withMutablePointer { octets, count in
            unsafe read(into: octets, count: count)
        }
        guard fault == nil else { throw SetupError("Cannot read \(path): \(reason()).") }
        return contents
    }
}

/// Writes a new file of mode 0600: under another name first, then durably renamed, if the path is free.
func writeNewFile(_ path: String, _ octets: RawSpan) throws(SetupError) {
    try place(octets, at: path, onlyIfFree: true)
}

/// The same for a file that exists: at any moment either the old file or the new one is there.
package func replaceFile(_ path: String, _ octets: borrowing Secret) throws(SetupError) {
    try octets.withBytes { octets throws(SetupError) in try place(octets, at: path, onlyIfFree: false) }
}

private func place(_ octets: RawSpan, at path: String, onlyIfFree: Bool) throws(SetupError) {
    let (folder, name) = try openedFolder(of: path)
    defer { close(folder) }
    let code = FileReplacement(name, draft: name + ascii(".new"), in: folder).write(
        octets, onlyIfFree: onlyIfFree)
    guard code == 0 else {
        throw SetupError("Cannot write \(path): \(unsafe String(cString: strerror(code))).")
    }
}

/// What makes a file that is missing; empty if another error occurred.
private var makingHint: String { errno == ENOENT ? " `mpind init` makes it." : "" }

/// Makes renames in the folder of a path durable.
package func syncFolder(of path: String) throws(SetupError) {
    let (folder, _) = try openedFolder(of: path)
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw SetupError("Cannot make \(path) durable: \(reason()).") }
}

/// The folder of a path, open, and the name in it.
private func openedFolder(of path: String) throws(SetupError) -> (folder: CInt, name: [UInt8]) {
    let octets = Array(path.utf8)
    let start = octets.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let folder = start == 0 ? "." : String(decoding: octets[..<start], as: UTF8.self)
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SetupError("Cannot open the folder of \(path): \(reason()).") }
    return (descriptor, Array(octets[start...]))
}

/// Checks that a private key belongs to root or this user, and that of all others only its group may read it.
package func checkPrivateKeyFile(_ path: String) throws(SetupError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw SetupError("Cannot open \(path): \(reason()).") }
    guard status.st_uid == 0 || status.st_uid == geteuid(), status.st_mode & 0o027 == 0 else {
        throw SetupError(
            "\(path) must belong to root or to the user that runs mpind, and be readable only by its owner"
                + " and its group (chown root:\(DaemonSettings.user), chmod 640).")
    }
}

/// Reads mpind.conf, which must belong to root or this user, and which nobody else may write. nil if there is
/// no such file.
func contentsOfSettings(_ path: String) throws(SetupError) -> [UInt8]? {
    do throws(TrustedFile.Fault) {
        return try TrustedFile(Array(path.utf8), followsLink: true, owner: geteuid(), forbidden: 0o022)
            .contents(atMost: 65_536)
    } catch {
        switch error {
        case .missing: return nil
        case .changed: throw SetupError("\(path) changed while it was read; try again.")
        case .system: throw SetupError("Cannot open \(path): \(reason()).")
        case .notAFile, .foreignOwner, .tooOpen, .tooLong:
            throw SetupError(
                "\(path) must belong to root (or you), and nobody else may write it (chmod go-w).")
        }
    }
}
