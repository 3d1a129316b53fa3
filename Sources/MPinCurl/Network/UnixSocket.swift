// SPDX-License-Identifier: Apache-2.0
// A backend on a Unix socket: who may own its folder, and who may answer at its other end.
import CPlatform
import MPinWire

/// The socket's path, and what was found out about its surroundings before the sandbox closed.
struct UnixSocket: Equatable, Sendable {
    /// As it is called.
    let path: String
    /// Without links; nil where others could have put a socket, and elsewhere than where it is thought to be.
    private let place: String?
    /// Who may answer beside root.
    private let answerers: [uid_t]

    /// nil unless the path is absolute and fits a socket address.
    init?(path: String, caller: uid_t) {
        guard path.hasPrefix("/"), fitsAddress(path) else { return nil }
        self.path = path
        self.place = trustedPlace(of: path, caller)
        self.answerers = [caller] + (uid(of: "_mpind").map { [$0] } ?? [])
    }

    /// The folder is one that only root and the caller can write.
    var isInTrustedFolder: Bool { place != nil }

    /// Where to connect.
    var address: String { place ?? path }

    /// What a connection of this socket is worth: nil if root, `_mpind` or the caller holds its other end,
    /// otherwise the status. As with a certificate that does not fit, a stranger is somebody who is there and
    /// cannot show that he is mpind. No other end yet: too many connections wait to be taken, and to libcurl
    /// the EAGAIN of that looks like a connection on its way.
    func refusal(of connection: CInt) -> UInt16? {
        var peer: uid_t = 0
        guard unsafe mpin_peer_uid(connection, &peer) == 0, peer != .max else {
            return RelayResponse.timedOut
        }
        return peer == 0 || answerers.contains(peer) ? nil : Distrust.owner.status
    }
}

private func fitsAddress(_ path: String) -> Bool {
    path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
}

/// The path of the socket with its folder's links followed, if root and the caller alone can change the
/// folder and what is above it. Above it others may make files where they cannot move ours, as in /tmp.
private func trustedPlace(of path: String, _ caller: uid_t) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let found = unsafe realpath(String(path.dropLast(name.utf8.count)), nil) else { return nil }
    defer { unsafe free(found) }
    let folder = unsafe String(cString: found)
    let place = (folder == "/" ? "" : folder) + "/" + name
    var above = ""
    for step in folder.split(separator: "/") {
        guard isTrustedFolder(above.isEmpty ? "/" : above, caller, mayBeShared: true) else { return nil }
        above += "/" + step
    }
    guard isTrustedFolder(folder, caller, mayBeShared: false), fitsAddress(place) else { return nil }
    return place
}

private func isTrustedFolder(_ path: String, _ caller: uid_t, mayBeShared: Bool) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & UInt32(S_IFMT) == UInt32(S_IFDIR) else {
        return false
    }
    let isShared = mayBeShared && status.st_uid == 0 && status.st_mode & 0o1000 != 0
    return isShared || isTrusted(status, caller)
}

/// Whether root or the caller owns the file or folder and nobody else can write it.
func isTrusted(_ status: stat, _ caller: uid_t) -> Bool {
    (status.st_uid == 0 || status.st_uid == caller) && status.st_mode & 0o022 == 0
}

private func uid(of name: String) -> uid_t? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var strings = [CChar](repeating: 0, count: 16_384)
    guard unsafe getpwnam_r(name, &entry, &strings, strings.count, &found) == 0, unsafe found != nil else {
        return nil
    }
    return unsafe entry.pw_uid
}
