// SPDX-License-Identifier: Apache-2.0
// A backend on a Unix socket: checks who owns its folder, and who answers at its other end.
import CPlatform
import MPinWire
import Octets

/// The path of a socket, with the results of the checks that are made before the sandbox closes.
struct UnixSocket: Equatable, Sendable {
    /// The path as it was given.
    let path: String
    /// The path without links; nil if others could have placed a socket there.
    private let place: String?
    /// The users, besides root, who may answer.
    private let answerers: [uid_t]

    /// nil unless the path is absolute and fits a socket address.
    init?(path: String, caller: uid_t) {
        guard path.hasPrefix("/"), fitsAddress(path) else { return nil }
        self.path = path
        self.place = trustedPlace(of: path, caller)
        let server = try? passwdEntry(named: ascii("_mpind"))
        self.answerers = [caller] + (server.map { [$0.uid] } ?? [])
    }

    /// Whether only root and the caller can write the folder.
    var isInTrustedFolder: Bool { place != nil }

    /// Where to connect.
    var address: String { place ?? path }

    /// Whether the other end of a connection belongs to root, `_mpind` or the caller.
    func isAnsweredByOwner(_ connection: CInt) -> Bool {
        var peer: uid_t = 0
        guard unsafe mpin_peer_uid(connection, &peer) == 0 else { return false }
        return peer == 0 || answerers.contains(peer)
    }
}

private func fitsAddress(_ path: String) -> Bool {
    path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
}

/// The path of the socket with its folder's links followed; nil unless only root and the caller can change
/// the folder and the folders above it. A folder above may be one like /tmp, where others cannot move our
/// files.
private func trustedPlace(of path: String, _ caller: uid_t) -> String? {
    let name = path.split(separator: "/").last ?? ""
    // Without the slash at its end, because libc would then look at the folder by one more system call.
    let above = path.dropLast(name.utf8.count + 1)
    guard let found = unsafe realpath(above.isEmpty ? "/" : String(above), nil) else { return nil }
    defer { unsafe free(found) }
    let folder = unsafe String(cString: found)
    let place = (folder == "/" ? "" : folder) + "/" + name
    var upper = ""
    for step in folder.split(separator: "/") {
        guard isTrustedFolder(upper.isEmpty ? "/" : upper, caller, mayBeShared: true) else { return nil }
        upper += "/" + step
    }
    guard isTrustedFolder(folder, caller, mayBeShared: false), fitsAddress(place) else { return nil }
    return place
}

private func isTrustedFolder(_ path: String, _ caller: uid_t, mayBeShared: Bool) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.isFolder else { return false }
    let isShared = mayBeShared && status.st_uid == 0 && status.st_mode & 0o1000 != 0
    return isShared || status.isOwned(by: caller) && status.st_mode & 0o022 == 0
}
