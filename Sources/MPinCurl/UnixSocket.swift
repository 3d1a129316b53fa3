// SPDX-License-Identifier: Apache-2.0
// A backend on a Unix socket: who may own its folder, and who may answer at its other end.
import CPlatform

/// The socket's path, and what was found out about its surroundings before the sandbox closed.
struct UnixSocket: Equatable, Sendable {
    let path: String
    /// The folder is one that only root can write; elsewhere anybody could have put a socket there.
    private let isInTrustedFolder: Bool
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

    /// A connected socket whose other end root, `_mpind` or the caller himself holds.
    func connect(milliseconds: Int) throws(SocketFailure) -> CInt {
        guard isInTrustedFolder else { throw .wrongOwner }
        let descriptor = try newSocket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        do {
            try connect(descriptor, milliseconds: milliseconds)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private func connect(_ descriptor: CInt, milliseconds: Int) throws(SocketFailure) {
        var patience = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size) == 0 else {
            throw .cannotConnect
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let connected = unsafe withUnsafeBytes(of: &address) {
            unsafe CPlatform.connect(
                descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        guard connected == 0 else { throw .cannotConnect }
        var peer: uid_t = 0
        guard unsafe mpin_peer_uid(descriptor, &peer) == 0, peer == 0 || answerers.contains(peer) else {
            throw .wrongOwner
        }
    }
}

/// Why there is no connected socket.
enum SocketFailure: Error, Equatable {
    /// This process may not have one more descriptor: nothing is known about the other end.
    case noSocket
    case cannotConnect
    /// The folder, or the process at the other end, belongs to somebody else. As with a certificate that does
    /// not fit, somebody is there who cannot show that he is mpind.
    case wrongOwner
}

func newSocket(_ family: CInt, _ type: CInt, _ number: CInt) throws(SocketFailure) -> CInt {
    let descriptor = socket(family, type | CInt(SOCK_CLOEXEC.rawValue), number)
    guard descriptor >= 0 else { throw mpin_errno() == EAFNOSUPPORT ? .cannotConnect : .noSocket }
    return descriptor
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
