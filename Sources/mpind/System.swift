// SPDX-License-Identifier: Apache-2.0
// What the daemon wants of the operating system: one daemon a folder, sockets for the right people, a manager.
import Glibc
import MPinService
import Synchronization

/// No core of a process that holds master secrets.
func neverDumpCore() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
}

/// Holds the data folder for this process, until it ends.
func lockFolder(_ path: String) throws(SetupError) {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0, flock(folder, LOCK_EX | LOCK_NB) == 0 else {
        throw SetupError("Another mpind is running on \(path).")
    }
}

/// A socket that everybody may open, where its folder lets them.
func openSocket(_ path: String, mode: mode_t) { _ = unsafe chmod(path, mode) }

/// The admin socket: its owner and, where there is one, the group mpin-admin.
func giveToAdministrators(_ path: String) {
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    var strings = [CChar](repeating: 0, count: 65_536)
    if unsafe getgrnam_r("mpin-admin", &entry, &strings, strings.count, &found) == 0, unsafe found != nil {
        _ = unsafe chown(path, uid_t.max, entry.gr_gid)
        openSocket(path, mode: 0o660)
    } else {
        openSocket(path, mode: 0o600)
    }
}

/// Tells systemd, where it started us with Type=notify (sd_notify(3)).
func notifyManager(_ state: String) {
    guard let path = unsafe getenv("NOTIFY_SOCKET").map({ unsafe String(cString: $0) }),
        path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count < 108
    else { return }
    let socket = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return }
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // "@" stands for the zero octet before an abstract name.
    let name = path.utf8.map { $0 == 0x40 && path.hasPrefix("@") ? 0 : $0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let bytes = [UInt8](state.utf8)
    _ = unsafe withUnsafeBytes(of: &address) { address in
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe sendto(
                socket, bytes.baseAddress, bytes.count, 0,
                address.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
        }
    }
}

/// Does something once, when it has been counted down to nothing.
final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let then: @Sendable () -> Void

    init(_ count: Int, then: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.then = then
    }

    func count() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { then() }
    }
}
