// SPDX-License-Identifier: Apache-2.0
// The authority's process: reads one frame from each connection of the server, and answers one after another.
import Glibc
import MPinDatabase
import MPinServer
import MPinWire
import NIOPosix
import Secrets
import UnixSignals

struct AuthorityServer {
    private let responder: AuthorityResponder
    private let book: AuthorityBook
    private let socket: ListeningSocket
    private let front: UInt32
    /// Where the book is, for the log.
    private let place: String

    /// Opens everything that it needs; throws `SetupError` before it serves.
    /// - Parameter database: nil for a book in the data folder.
    init(
        data: String, socket path: String, front: UInt32, database: DatabaseSettings?
    ) throws(SetupError) {
        _ = umask(0o077)
        neverDumpCore()
        try closeMemory()
        let inherited = try inheritedSockets()
        try checkPrivateFolder(data)
        try lockFolder(data)
        let book = try Databases.openBook(data, database)
        let authority = try MasterFile(folder: data).authority(book: book, now: Effects.system.now)
        self.book = book
        self.responder = AuthorityResponder(authority)
        self.front = front
        place = database?.address ?? Databases.bookFile(in: data)
        socket = try AuthorityServer.socket(at: path, inherited: inherited, front: front)
    }

    private static func socket(
        at path: String, inherited: [InheritedSocket], front: UInt32
    ) throws(SetupError) -> ListeningSocket {
        let listener = Listener.unix(path)
        if let stranger = inherited.first(where: { $0.listener != listener }) ?? inherited.dropFirst().first {
            throw SetupError(
                "The socket \(stranger.text) was handed over, but the authority has only \(path).")
        }
        if let own = inherited.first {
            return ListeningSocket(descriptor: own.descriptor, listener: listener, isOurs: false)
        }
        let socket = try ownSocket(listener)
        // If the server runs as another user, the kernel's credentials decide at each connection.
        setMode(path, front == geteuid() ? 0o600 : 0o666)
        try open(socket)
        return socket
    }

    /// Serves until a signal ends it; the command under way is finished.
    func run() async throws(SetupError) {
        let acceptor = try Acceptor(socket)
        let (connections, accepted) = AsyncStream.makeStream(of: AcceptedConnection.self)
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        let ending = Task {
            for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { acceptor.stop() }
        }
        let receiving = Task {
            defer { accepted.finish() }
            try await thread.runIfActive { try acceptor.run(while: { true }) { accepted.yield($0) } }
        }
        log("ready", [LogField("listen", setting: socket.listener.text), LogField("book", setting: place)])
        notifyManager("READY=1")
        for await connection in connections { await serve(connection) }
        ending.cancel()
        socket.remove()
        await book.close()
        do { try await receiving.value } catch { throw SetupError("The socket ended: \(error).") }
        log("stopped", [])
    }

    private func serve(_ connection: AcceptedConnection) async {
        defer { close(connection.descriptor) }
        guard connection.client.source == .user(front) else {
            let source = connection.client.peer.source
            return log("refused", [LogField("source", source), LogField("why", "user")])
        }
        // The server sends its frame at once; a caller that does not may delay others by one second at most.
        setPatience(connection.descriptor, seconds: 1)
        var frame = [UInt8](repeating: 0, count: AuthorityQuestion.count)
        let isWhole = unsafe frame.withUnsafeMutableBytes { unsafe received($0, from: connection.descriptor) }
        guard isWhole else { return await answerProbe(connection) }
        do {
            let reply = try await responder.reply(to: frame)
            // Log before answering, so that whatever was issued is in the log even if the answer gets lost.
            log("authority", reply.notes)
            _ = unsafe reply.answer.frame.withPointer { octets, count in
                unsafe sent(UnsafeRawBufferPointer(start: octets, count: count), to: connection.descriptor)
            }
        } catch { log("authority", [LogField("error", "memory")]) }
    }

    /// One octet if the book can be read: the server asks so by a connection without a whole frame.
    private func answerProbe(_ connection: AcceptedConnection) async {
        // A database that hangs is not asked for callers who have gone.
        var caller = pollfd(fd: connection.descriptor, events: 0, revents: 0)
        guard unsafe poll(&caller, 1, 0) == 0, await responder.answers() else { return }
        _ = unsafe withUnsafeBytes(of: UInt8(1)) { unsafe sent($0, to: connection.descriptor) }
    }
}
