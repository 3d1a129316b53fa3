// SPDX-License-Identifier: Apache-2.0
// The parent's side of mpin-relay (relay.md): one process for each login, one response for each request.
import CPlatform
import MPinProof
package import MPinStore
public import MPinWire

/// A running relay. After any error it is over: every later `exchange` throws `.closed`. When the value ends,
/// the process is killed.
public struct Relay: ~Copyable, Transport {
    private let channel: CInt
    /// A pidfd.
    private let process: CInt
    /// The deadline of the whole login.
    private let deadline: Deadline
    /// Milliseconds that the relay may take for one response: its own limit `totalMilliseconds`, and a second
    /// more to report a timeout.
    private let patience: UInt32
    private var isOver = false
    /// Whether a session may be open at the server: the relay ends it when the channel closes.
    private var holdsSession = false

    /// Starts the program at `path` and sends `hello`.
    ///
    /// If the effective uid is 0, the relay runs as `user`, and without a user it is not started; otherwise
    /// it keeps the caller's ids. Throws `.cannotStart` if the program must not be run or no process could be
    /// made, `.noCertificates` if the relay reports it, `.otherVersion` if the relay has another version of
    /// the protocol, and otherwise what `exchange` throws.
    ///
    /// This is not an initialiser: Swift 6.3.1 runs `deinit` on uninitialised memory if a throwing one ends
    /// in `self = ...`.
    package static func start(
        path: [UInt8], hello: Hello, user: RelayUser?, deadline: Deadline, brokenOffBy descriptor: CInt = -1
    ) throws(TransportError) -> Relay {
        let isRoot = geteuid() == 0
        guard !isRoot || user != nil, !path.contains(0) else { throw .cannotStart }
        guard let text = trustedProgram(path) else { throw .cannotStart }
        var channel: CInt = -1
        var process: CInt = -1
        let failure = unsafe text.withUnsafeBufferPointer { text in
            unsafe mpin_relay_start(
                text.baseAddress, user?.uid ?? 0, user?.gid ?? 0, isRoot ? 1 : 0, &channel, &process)
        }
        guard failure == 0 else { throw .cannotStart }
        var relay = Relay(
            channel: channel, process: process, deadline: deadline,
            patience: UInt32(clamping: UInt64(hello.totalMilliseconds) + 1000))
        let answer = try relay.exchange(.hello(hello), brokenOffBy: descriptor)
        guard answer.status != RelayResponse.noCertificates else { throw .noCertificates }
        guard case .hello(let version) = answer.body else { throw .brokenFrame }
        guard version == Frame.version else { throw .otherVersion }
        return relay
    }

    private init(channel: CInt, process: CInt, deadline: Deadline, patience: UInt32) {
        self.channel = channel
        self.process = process
        self.deadline = deadline
        self.patience = patience
    }

    /// Gives the relay 200 ms to write its log line, or 2 s if it must also end a session.
    deinit { mpin_relay_end(channel, process, holdsSession ? 2_000 : 200) }

    /// Sends a request and waits for its response, no longer than the deadline.
    package mutating func exchange(_ question: RelayRequest) throws(TransportError) -> RelayResponse {
        try exchange(question, brokenOffBy: -1)
    }

    /// The same, but throws `.cancelled` as soon as `descriptor` is readable; -1: no descriptor.
    package mutating func exchange(
        _ question: RelayRequest, brokenOffBy descriptor: CInt
    ) throws(TransportError) -> RelayResponse {
        guard !isOver else { throw .closed }
        isOver = true
        if case .session = question { holdsSession = true }
        if case .bind = question { holdsSession = true }
        let frame: [UInt8]
        do { frame = try question.encoded() } catch { throw .brokenFrame }
        try send(frame)
        let packet = try receive(orElse: descriptor)
        let answer: RelayResponse
        do { answer = try RelayResponse(decoding: packet) } catch { throw .brokenFrame }
        guard answer.kind == question.kind else { throw .brokenFrame }
        isOver = false
        return answer
    }

    /// Sends one packet. The queue is empty, so the call never has to wait.
    private func send(_ frame: [UInt8]) throws(TransportError) {
        let flags = CInt(MSG_NOSIGNAL | MSG_DONTWAIT)
        var sent = -1
        repeat {
            sent = unsafe frame.withUnsafeBytes {
                unsafe CPlatform.send(channel, $0.baseAddress, $0.count, flags)
            }
        } while sent < 0 && mpin_errno() == EINTR
        guard sent == frame.count else { throw .closed }
    }

    private func receive(orElse descriptor: CInt) throws(TransportError) -> [UInt8] {
        try wait(orElse: descriptor)
        // One octet more than a frame may have, so that a longer packet is noticed.
        var packet = [UInt8](repeating: 0, count: Frame.limit + 1)
        let count = unsafe packet.withUnsafeMutableBytes {
            unsafe recv(channel, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT))
        }
        guard count > 0 else { throw .closed }
        guard count <= Frame.limit else { throw .brokenFrame }
        packet.removeLast(packet.count - count)
        return packet
    }

    /// Waits for a packet. poll ignores a negative descriptor.
    private func wait(orElse descriptor: CInt) throws(TransportError) {
        let end = deadline.earlier(of: Deadline(milliseconds: patience))
        while true {
            var descriptors: InlineArray<2, pollfd> = [
                pollfd(fd: channel, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            var span = descriptors.mutableSpan
            let ready = unsafe span.withUnsafeMutableBufferPointer {
                unsafe poll($0.baseAddress, 2, end.remaining)
            }
            if ready > 0, descriptors[1].revents != 0 { throw .cancelled }
            if ready > 0 { return }
            guard ready == 0 || mpin_errno() == EINTR else { throw .closed }
            guard !end.isOver else { throw .timedOut }
        }
    }
}
