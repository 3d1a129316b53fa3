// SPDX-License-Identifier: Apache-2.0
// Accepts connections from a listening socket on a thread that does nothing else. Refusing is cheaper than
// connecting, so strangers cannot keep the socket's queue full.
import Glibc
import MPinServer
import MPinWire
import NIOCore

/// A connection that was accepted, and its client as the kernel reports it.
struct AcceptedConnection: Sendable {
    let descriptor: CInt
    let client: ServedClient

    /// Closes it at once. A refused TCP connection leaves no state in the kernel.
    func refuse() {
        var hard = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        if case .address = client.peer { unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, size) }
        close(descriptor)
    }
}

/// A connection that the limiter has admitted under this id.
struct AdmittedConnection: Sendable {
    let descriptor: CInt
    let client: ServedClient
    let limiter: ConnectionLimiter
    let id: Int
}

struct Acceptor: Sendable {
    private let listener: Listener
    private let socket: CInt
    /// A pipe: writing to one end makes `run` return, which polls the other.
    private let wake: (read: CInt, write: CInt)

    init(_ socket: ListeningSocket) throws(SetupError) {
        listener = socket.listener
        self.socket = socket.descriptor
        var ends: [CInt] = [-1, -1]
        let isMade = unsafe pipe(&ends) == 0
        wake = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let flags = fcntl(self.socket, F_GETFL)
        guard isMade, flags >= 0, fcntl(self.socket, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw SetupError("The system has no descriptor for \(listener.text).")
        }
        // Looked up before there are connections, because a directory may be slow.
        _ = privilegedUsers
    }

    func stop() { _ = unsafe write(wake.write, [1], 1) }

    /// Closes the socket. New connections are refused, or wait if another process, such as systemd, has the
    /// socket too.
    func close() { _ = Glibc.close(socket) }

    /// Passes every connection to `take` until `stop`. While there is no room it waits, for milliseconds
    /// only, until connections that are being closed have ended.
    func run(while hasRoom: () -> Bool, _ take: (AcceptedConnection) -> Void) throws(SetupError) {
        while true {
            var events = [
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&events, 2, -1)
            if events[1].revents != 0 { return }
            for _ in 0..<64 {
                guard hasRoom() else {
                    usleep(1000)
                    break
                }
                guard let connection = try next() else { break }
                take(connection)
            }
        }
    }

    /// The next connection; nil if none waits, or it could not be accepted, or the kernel does not say whose
    /// it is.
    private func next() throws(SetupError) -> AcceptedConnection? {
        let descriptor = accept(socket, nil, nil)
        guard descriptor >= 0 else {
            switch errno {
            case EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP, EFAULT:
                throw SetupError("\(listener.text) accepts no more connections (error \(errno)).")
            // Other programs have used up the system's descriptors or memory.
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(10_000)
            default: break
            }
            return nil
        }
        let client = listener.isTCP ? remoteClient(descriptor) : localClient(descriptor)
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, let client else {
            _ = Glibc.close(descriptor)
            return nil
        }
        return AcceptedConnection(descriptor: descriptor, client: client)
    }
}

/// Root, the user that this server runs as, and the relays' user.
private let privilegedUsers = Set(
    [0, geteuid(), UserAccount(named: "_mpin")?.uid].compactMap(\.self))

/// SO_PEERCRED: the ids that the caller had when it connected.
private func localClient(_ descriptor: CInt) -> ServedClient? {
    var credentials = Credentials()
    var length = socklen_t(MemoryLayout<Credentials>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
        return nil
    }
    return ServedClient(
        user: credentials.user, process: credentials.process,
        isPrivileged: privilegedUsers.contains(credentials.user))
}

/// `struct ucred` of the kernel.
private struct Credentials {
    var process: Int32 = 0
    var user = UInt32.max
    var group = UInt32.max
}

private func remoteClient(_ descriptor: CInt) -> ServedClient? {
    guard case .tcp(let host, _) = unsafe address(of: descriptor, getpeername) else { return nil }
    return IPAddress(Array(host.utf8)).map(ServedClient.init)
}
