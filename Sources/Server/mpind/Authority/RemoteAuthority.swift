// SPDX-License-Identifier: Apache-2.0
// The client of the authority's process: one connection for each frame.
import Glibc
import MPin
import MPinServer
import NIOPosix
import Octets
import Secrets

/// Sends commands to `mpind authority` at its Unix socket. A call takes seconds at most, on a thread of its
/// own, and gives up the caller's turn meanwhile.
struct RemoteAuthority: Authority {
    let epoch: UInt32
    private let path: String

    /// Asks until the authority answers, because it may still be starting. There is no limit: the service
    /// manager ends the server if this takes too long.
    init(waitingAt path: String) async throws(SetupError) {
        guard unixAddress(path) != nil else { throw SetupError("\(path) is too long for a socket.") }
        var waiting = StartupPause(for: LogField("authority", setting: path))
        while true {
            do {
                epoch = try await RemoteAuthority.ask(.serverSecret(.first), at: path).answer.epoch()
                self.path = path
                return
            } catch { await waiting.pause(because: error.sentence) }
        }
    }

    /// Connects and sends nothing: when it is this one's turn, the authority answers with one octet if it can
    /// read its book.
    func answers() async -> Bool {
        (try? await RemoteAuthority.probes.runIfActive { RemoteAuthority.probe(path) }) ?? false
    }

    func serverSecretShare(_ half: ShareIndex) async throws(AuthorityError) -> Secret {
        try await share(.serverSecret(half), 128)
    }

    func clientSecretShare(_ half: ShareIndex, of id: IdentityHash) async throws(AuthorityError) -> Secret {
        try await share(.clientSecret(half, of: id, epoch: epoch), 65)
    }

    func timePermitShare(
        _ half: ShareIndex, of id: IdentityHash, date: UInt32
    ) async throws(AuthorityError) -> [UInt8] {
        try await share(.timePermit(half, of: id, date: date, epoch: epoch), 65).withBytes(plainOctets)
    }

    func revoke(_ id: IdentityHash) async throws(AuthorityError) {
        _ = try await share(.revoke(id, epoch: epoch), 0)
    }

    private func share(
        _ question: AuthorityQuestion, _ count: Int
    ) async throws(AuthorityError) -> Secret {
        let reply = try await RemoteAuthority.ask(question, at: path)
        guard try reply.answer.epoch() == epoch else { throw .otherEpoch }
        return try reply.answer.share(count)
    }

    /// An answer that is passed from one thread to another.
    private final class Reply: Sendable {
        let answer: AuthorityAnswer
        init(_ frame: consuming Secret) { answer = AuthorityAnswer(frame: frame) }
    }

    /// The authority answers one command at a time; the second thread lets one more wait.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: 2)
        threads.start()
        return threads
    }()

    /// Probes have a thread of their own, so that they never delay a command.
    private static let probes: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: 1)
        threads.start()
        return threads
    }()

    private static func probe(_ path: String) -> Bool {
        guard let socket = connected(to: path, patience: 2) else { return false }
        defer { close(socket) }
        var octet: UInt8 = 0
        guard shutdown(socket, CInt(SHUT_WR)) == 0 else { return false }
        return unsafe recv(socket, &octet, 1, 0) == 1
    }

    /// A connection on which reads and writes fail after some seconds; nil if there is none.
    private static func connected(to path: String, patience: Int) -> CInt? {
        guard let (address, length) = unixAddress(path) else { return nil }
        let socket = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        setPatience(socket, seconds: patience)
        let connected = unsafe withUnsafeBytes(of: address) { address in
            unsafe connect(socket, address.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
        }
        guard connected == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    private static func ask(
        _ question: AuthorityQuestion, at path: String
    ) async throws(AuthorityError) -> Reply {
        do {
            return try await RequestQueue.suspended {
                try await threads.runIfActive { try Reply(exchange(question.octets, at: path)) }
            }
        } catch let error as AuthorityError { throw error } catch { throw .away }
    }

    private static func exchange(_ octets: [UInt8], at path: String) throws(AuthorityError) -> Secret {
        guard let socket = connected(to: path, patience: 5) else { throw .away }
        defer { close(socket) }
        guard sent(octets, to: socket) else { throw .away }
        do {
            var frame = try Secret(count: AuthorityAnswer.count)
            let isWhole = unsafe frame.withMutablePointer { bytes, count in
                unsafe received(UnsafeMutableRawBufferPointer(start: bytes, count: count), from: socket)
            }
            guard isWhole else { throw AuthorityError.away }
            return frame
        } catch let error as AuthorityError { throw error } catch { throw .failed }
    }
}

extension Authority {
    /// The server secret, for a server that is starting. It waits while the authority at this path is busy,
    /// because servers that start often would otherwise keep each other from starting.
    func serverSecret(waitingAt path: String) async throws -> Secret {
        var waiting = StartupPause(for: LogField("authority", setting: path))
        while true {
            do { return try await serverSecret() } catch AuthorityError.busy {
                await waiting.pause(because: AuthorityError.busy.sentence)
            }
        }
    }
}

private func sent(_ octets: [UInt8], to socket: CInt) -> Bool {
    unsafe octets.withUnsafeBytes { unsafe sent($0, to: socket) }
}

extension AuthorityError {
    var sentence: String {
        switch self {
        case .away: "The authority does not answer. Is `mpind authority` running, and may this user connect?"
        case .busy: "The authority got too many requests in a short time."
        case .refused, .otherEpoch, .failed, .book: "The authority could not answer (\(self))."
        }
    }
}
