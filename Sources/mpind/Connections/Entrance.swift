// SPDX-License-Identifier: Apache-2.0
// Takes connections from a listening socket, on a thread of its own that does nothing else: a refusal costs
// less than a connection, so the socket's queue never fills up with strangers'.
import Glibc
import MPinService

struct Entrance: Sendable {
    private let listener: Listener
    private let socket: CInt
    /// A pipe: what is written at one end makes `receive` return at the other.
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

    /// Whoever connects from now on waits, or hears that nobody listens, unless another process has the
    /// socket too, as systemd has.
    func close() { _ = Glibc.close(socket) }

    /// Gives every connection to `take` until `stop`. While there is no room it waits, which is for the
    /// closing of connections that were told to end, and so for milliseconds.
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

    /// nil if nobody waits, or this one could not be taken.
    private func next() throws(SetupError) -> Visitor? {
        let descriptor = accept(socket, nil, nil)
        guard descriptor >= 0 else {
            switch errno {
            case EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP, EFAULT:
                throw SetupError("\(listener.text) accepts no more connections (error \(errno)).")
            // Somebody else has used up what the system has.
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
