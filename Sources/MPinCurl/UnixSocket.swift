// SPDX-License-Identifier: Apache-2.0
// A backend on a Unix socket: who may own its folder, and who may answer at its other end.
import CPlatform
import MPinWire

/// The socket's path, and what was found out about its surroundings before the sandbox closed.
struct UnixSocket: Equatable, Sendable {
    let path: String
    /// The folder is one that only root can write; elsewhere anybody could have put a socket there.
    let isInTrustedFolder: Bool
    /// Who may answer beside root.
    private let answerers: [uid_t]

    /// nil unless the path is absolute and fits a socket address.
    init?(path: String) {
        guard path.hasPrefix("/"), path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        self.path = path
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        self.isInTrustedFolder = onlyTrustedCanWrite(slash == path.startIndex ? "/" : String(path[..<slash]))
        self.answerers = [geteuid()] + (uid(of: "_mpind").map { [$0] } ?? [])
    }

    /// What a connection of this socket is worth: nil if root, `_mpind` or the caller himself holds its other end,
    /// otherwise the status. As with a certificate that does not fit, a stranger is somebody who is there and
    /// cannot show that he is mpind.
    func refusal(of connection: CInt) -> UInt16? {
        var peer: uid_t = 0
        guard unsafe mpin_peer_uid(connection, &peer) == 0, peer != .max else { return Answer.unreachable }
        return peer == 0 || answerers.contains(peer) ? nil : Answer.tlsRefused
    }
}

/// Whether root or the caller owns the file or folder and nobody else can write it.
func onlyTrustedCanWrite(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return isTrusted(status)
}

func isTrusted(_ status: stat) -> Bool {
    (status.st_uid == 0 || status.st_uid == geteuid()) && status.st_mode & 0o022 == 0
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
