// SPDX-License-Identifier: Apache-2.0
// The sockets that mpind serves: those that systemd handed over, and its own for all other addresses.
import Glibc
import MPinServer
import MPinWire
import NIOCore

struct ListeningSocket: Sendable {
    let descriptor: CInt
    let listener: Listener
    /// False for an inherited socket. We change neither its name nor its mode: they are systemd's, and the
    /// next mpind needs them.
    let isOurs: Bool

    /// Removes the file of a Unix socket of ours.
    func remove() {
        if isOurs, case .unix(let path) = listener { _ = unsafe unlink(path) }
    }
}

/// How many connections may wait to be accepted, also during a restart.
let backlog: CInt = 4096

struct Sockets {
    let `public`: [ListeningSocket]
    /// For proxies.
    let proxy: [ListeningSocket]
    let admin: ListeningSocket
    /// For an external RPA.
    let rpa: ListeningSocket?
    /// For monitoring.
    let metrics: ListeningSocket?

    /// Makes or takes over a socket for every address of the settings. Removes those of ours again if one
    /// fails.
    init(_ settings: DaemonSettings, _ inherited: [InheritedSocket]) throws(SetupError) {
        var inherited = inherited
        let admin = Listener.unix(settings.adminSocket)
        var made: [ListeningSocket] = []
        do throws(SetupError) {
            for listener in settings.listen + settings.proxyListen + [admin]
                + [settings.rpaListen, settings.metricsListen].compactMap(\.self)
            {
                if let index = inherited.firstIndex(where: { $0.listener == listener }) {
                    let descriptor = inherited.remove(at: index).descriptor
                    made.append(ListeningSocket(descriptor: descriptor, listener: listener, isOurs: false))
                } else {
                    made.append(try ownSocket(listener))
                    if case .unix(let path) = listener {
                        setMode(path, 0o666)
                        if let group = settings.group(of: listener) { give(path, toGroup: group) }
                    }
                }
            }
            if let stranger = inherited.first {
                throw SetupError(
                    "The socket \(stranger.text) was handed over, but is not a `listen`, `proxy-listen`,"
                        + " `admin-socket`, `rpa-listen` or `metrics-listen` of the settings; add it there,"
                        + " or disable its socket unit.")
            }
            for socket in made where socket.isOurs { try open(socket) }
        } catch {
            for socket in made { socket.remove() }
            throw error
        }
        metrics = settings.metricsListen == nil ? nil : made.removeLast()
        rpa = settings.rpaListen == nil ? nil : made.removeLast()
        self.admin = made.removeLast()
        proxy = Array(made.dropFirst(settings.listen.count))
        self.public = Array(made.prefix(settings.listen.count))
    }

    func remove() {
        for socket in self.public + proxy + [admin] + [rpa, metrics].compactMap(\.self) { socket.remove() }
    }
}

extension DaemonSettings {
    /// The group that may open a Unix socket; nil for everyone.
    fileprivate func group(of listener: Listener) -> String? {
        if listener == .unix(location.adminSocket) || listener == location.metricsListen {
            return "mpin-admin"
        }
        if listener == rpaListen { return "mpin-rpa" }
        return location.proxyListen.contains(listener) ? "mpin-proxy" : nil
    }
}

/// A bound socket that does not listen yet.
func ownSocket(_ listener: Listener) throws(SetupError) -> ListeningSocket {
    let descriptor =
        switch listener {
        case .unix(let path): try unixSocket(path)
        case .tcp(let host, let port): try tcpSocket(host, port)
        }
    return ListeningSocket(descriptor: descriptor, listener: listener, isOurs: true)
}

func open(_ socket: ListeningSocket) throws(SetupError) {
    guard listen(socket.descriptor, backlog) == 0 else { throw failure(socket.listener.text) }
}

private func failure(_ address: String) -> SetupError {
    let why = unsafe String(cString: strerror(errno))
    let cure =
        errno == EACCES && !address.hasPrefix("/")
        ? "Only root may bind this port: let systemd do it (mpind-tls.socket; see mpind.conf(5))."
        : "Is it in use, or is its folder missing?"
    return SetupError("Cannot listen on \(address): \(why). \(cure)")
}

/// Binds a Unix socket. Replaces a socket that nothing listens on, and no other kind of file.
private func unixSocket(_ path: String) throws(SetupError) -> CInt {
    try checkFree(path)
    guard let (address, length) = unixAddress(path) else {
        throw SetupError("\(path) is too long for a socket.")
    }
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SetupError("\(path) is there and is not a socket; listen elsewhere.")
        }
        _ = unsafe unlink(path)
    }
    let descriptor = newSocket(AF_UNIX, SOCK_STREAM)
    let bound = unsafe withUnsafeBytes(of: address) { address in
        unsafe bind(descriptor, address.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
    }
    guard descriptor >= 0, bound == 0 else { throw failure(path) }
    return descriptor
}

private func tcpSocket(_ host: String, _ port: Int) throws(SetupError) -> CInt {
    let name = Listener.tcp(host: host, port: port).text
    guard let address = try? SocketAddress(ipAddress: host, port: port) else { throw failure(name) }
    let descriptor = newSocket(host.contains(":") ? AF_INET6 : AF_INET, SOCK_STREAM)
    var yes: CInt = 1
    let size = socklen_t(MemoryLayout<CInt>.size)
    let bound = unsafe address.withSockAddr { address, length in
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size) == 0
            && bind(descriptor, address, socklen_t(length)) == 0
    }
    guard descriptor >= 0, bound else { throw failure(name) }
    return descriptor
}
