// SPDX-License-Identifier: Apache-2.0
// What mpind needs from the system: limits, a lock on its folder, Unix sockets, and messages to systemd.
import Glibc
import MPinServer
import Octets
import Synchronization

/// Forbids a core dump, because this process holds secrets.
func neverDumpCore() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
}

/// Raises the limit of descriptors to the hard limit (at most 65,536); every connection is one.
func raiseDescriptors() {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(files, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    unsafe setrlimit(files, &limit)
}

/// How many connections all public listeners may have at a time: 1024, or fewer if the descriptors would not
/// suffice for the database, the administrators, the external RPA, monitoring and connections that are being
/// closed.
let connections: Int = {
    var limit = rlimit()
    let asked = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let files = asked == 0 ? Int(min(limit.rlim_cur, 65_536)) : 1024
    return max(8, min(1024, files - 128 - 3 * (32 + ConnectionLimiter.slack) - ConnectionLimiter.slack))
}()

/// Locks a folder for this process until it ends.
func lockFolder(_ path: String) throws(SetupError) {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0, flock(folder, LOCK_EX | LOCK_NB) == 0 else {
        throw SetupError("Another mpind is running on \(path).")
    }
}

/// Throws if a program answers on a Unix socket: binding it would take the name from that program.
func checkFree(_ path: String) throws(SetupError) {
    guard let (address, length) = unixAddress(path) else {
        throw SetupError("\(path) is too long for a socket.")
    }
    let socket = newSocket(AF_UNIX, SOCK_STREAM)
    guard socket >= 0 else { throw SetupError("The system has no socket for \(path).") }
    defer { close(socket) }
    let connected = unsafe withUnsafeBytes(of: address) { address in
        unsafe connect(socket, address.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
    }
    // EAGAIN: a program listens, but its queue is full.
    guard connected != 0, errno != EAGAIN else {
        throw SetupError("Another program answers on \(path); end it, or listen elsewhere.")
    }
}

/// A non-blocking socket that child programs do not inherit; negative if there is none.
func newSocket(_ family: CInt, _ type: __socket_type) -> CInt {
    socket(family, CInt(type.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
}

/// The address of a path, or of an abstract name with "@" in front; nil if it is too long.
func unixAddress(_ path: String) -> (sockaddr_un, socklen_t)? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    guard name.count < 108 else { return nil }
    if name.first == 0x40 { name[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    return (address, socklen_t(MemoryLayout<sa_family_t>.size + name.count))
}

/// Sets the mode of a socket's file.
func setMode(_ path: String, _ mode: mode_t) { _ = unsafe chmod(path, mode) }

/// Gives a socket to its owner and, if it exists, a group.
func give(_ path: String, toGroup name: String) {
    guard let group = try? groupID(named: Array(name.utf8)) else { return setMode(path, 0o600) }
    guard unsafe chown(path, uid_t.max, group) == 0 else {
        let why = unsafe String(cString: strerror(errno))
        setMode(path, 0o600)
        return log(
            "warning",
            [
                LogField("socket", setting: path), LogField("not-of-group", name), LogField("error", why),
            ])
    }
    setMode(path, 0o660)
}

/// Notifies systemd if it started us with Type=notify (sd_notify(3)).
func notifyManager(_ state: String) {
    guard let path = unsafe getenv("NOTIFY_SOCKET").map({ unsafe String(cString: $0) }),
        path.hasPrefix("/") || path.hasPrefix("@"), let (address, length) = unixAddress(path)
    else { return }
    let socket = newSocket(AF_UNIX, SOCK_DGRAM)
    guard socket >= 0 else { return }
    defer { close(socket) }
    let bytes = [UInt8](state.utf8)
    _ = unsafe withUnsafeBytes(of: address) { address in
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe sendto(
                socket, bytes.baseAddress, bytes.count, 0,
                address.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
        }
    }
}

/// Runs an action once, when it has been counted down to zero.
final class Countdown: Sendable {
    private let left: Atomic<Int>
    var isDone: Bool { left.load(ordering: .acquiring) <= 0 }
    private let action: @Sendable () -> Void

    init(_ count: Int, then action: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.action = action
    }

    func count() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { action() }
    }
}
