// SPDX-License-Identifier: Apache-2.0
// Accepts connections from a listening socket on a thread that does nothing else. Refusing is cheaper than
// connecting, so strangers cannot keep the socket's queue full.
import Glibc
import MPinServer
import MPinWire

struct Entrance: Sendable {
    private let listener: Listener
    private let socket: CInt
    /// A pipe: writing to one end makes `receive` return, which polls the other.
    private let bell: (read: CInt, write: CInt)

    init(_ socket: ListeningSocket) throws(SetupError) {
        listener = socket.listener
        self.socket = socket.descriptor
        var ends: [CInt] = [-1, -1]
        let isMade = unsafe pipe(&ends) == 0
        bell = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let flags = fcntl(self.socket, F_GETFL)
        guard isMade, flags >= 0, fcntl(self.socket, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw SetupError("The system has no descriptor for \(listener.text).")
        }
    }

    func stop() { _ = unsafe write(bell.write, [1], 1) }

    /// Closes the socket. New connections are refused, or wait if another process, such as systemd, has the
    /// socket too.
    func close() { _ = Glibc.close(socket) }

    /// Passes every connection to `take` until `stop`. While there is no room it waits, for milliseconds
    /// only, until connections that are being closed have ended.
    func receive(while hasRoom: () -> Bool, _ take: (Visitor) -> Void) throws(SetupError) {
        while true {
            var events = [
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&events, 2, -1)
            if events[1].revents != 0 { return }
            for _ in 0..<64 {
                guard hasRoom() else {
                    usleep(1000)
                    break
                }
                guard let visitor = try next() else { break }
                take(visitor)
            }
        }
    }

    /// The next connection; nil if none waits, or it could not be accepted.
    private func next() throws(SetupError) -> Visitor? {
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
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, let visitor = Visitor(descriptor, on: listener)
        else {
            _ = Glibc.close(descriptor)
            return nil
        }
        return visitor
    }
}
