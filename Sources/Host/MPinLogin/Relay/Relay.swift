// SPDX-License-Identifier: Apache-2.0
// The parent's side of mpin-relay (relay.md): one process for each login, one response for each request.
import CPlatform
import MPinProof
package import MPinHostStore
public import MPinWire

/// A running relay. After any error it is over: every later `exchange` throws `.closed`. When the value ends,
/// the process is killed.
public struct Relay: ~Copyable, Transport {
    private let channel: CInt
    /// A pidfd of the relay's keeper.
    private let process: CInt
    private let trouble: RelayTrouble?
    /// The deadline of the whole login.
    private let deadline: Deadline
    /// Milliseconds that the relay may take for one response: its own limit `totalMilliseconds`, and a second
    /// more to report a timeout.
    private let patience: UInt32
    private var isOver = false
    /// Whether a session may be open at the server: the relay ends it when the channel closes.
    private var holdsSession = false
    /// Whether the responses to `hello` and to `connect` have not been received yet.
    private var owesHello = true
    private var owesConnection = false
    /// Why the relay could not connect, if it was to connect before the next request.
    private var absence: UInt16?

    /// Starts the program at `path` and sends `hello`, without waiting for the response: the next `exchange`
    /// does that.
    ///
    /// If the effective uid is 0, the relay runs as `user`, and without a user it is not started; otherwise
    /// it keeps the caller's ids. Throws `.cannotStart` if the program must not be run or no process could be
    /// made. `trouble` gets the system call that the kernel refused, here or in the relay.
    ///
    /// This is not an initialiser: Swift 6.3.1 runs `deinit` on uninitialised memory if a throwing one ends
    /// in `self = ...`.
    package static func start(
        path: [UInt8], hello: Hello, user: RelayUser?, deadline: Deadline, trouble: RelayTrouble? = nil
    ) throws(TransportError) -> Relay {
        let isRoot = geteuid() == 0
        guard !isRoot || user != nil, !path.contains(0) else { throw .cannotStart }
        guard let text = trustedProgram(path, trouble) else { throw .cannotStart }
        var channel: CInt = -1
        var process: CInt = -1
        let failure = unsafe text.withUnsafeBufferPointer { text in
            unsafe mpin_relay_start(
                text.baseAddress, user?.uid ?? 0, user?.gid ?? 0, isRoot ? 1 : 0, &channel, &process)
        }
        guard failure == 0 else {
            trouble?.note(call: failure)
            throw .cannotStart
        }
        var relay = Relay(
            channel: channel, process: process, trouble: trouble, deadline: deadline,
            patience: UInt32(clamping: UInt64(hello.totalMilliseconds) + 1000))
        do throws(TransportError) { try relay.send(.hello(hello)) } catch {
            // A relay that has ended may have said why.
            guard error == .closed else { throw error }
            relay.isOver = false
        }
        return relay
    }

    private init(
        channel: CInt, process: CInt, trouble: RelayTrouble?, deadline: Deadline, patience: UInt32
    ) {
        self.channel = channel
        self.process = process
        self.trouble = trouble
        self.deadline = deadline
        self.patience = patience
    }

    /// Gives the relay a second to write its log line, or two if it must also end a session.
    deinit {
        let status = mpin_relay_end(channel, process, holdsSession ? 2_000 : 1_000)
        trouble?.note(exit: status)
    }

    /// Lets the relay connect while the caller computes. If it cannot be told, the next `exchange` throws.
    package mutating func connect(octets: UInt16) {
        guard !isOver, !owesConnection else { return }
        do throws(TransportError) {
            try send(.connect(octets: octets))
            owesConnection = true
        } catch { isOver = false }
    }

    /// Sends a request and waits for its response, no longer than the deadline.
    package mutating func exchange(_ request: RelayRequest) throws(TransportError) -> RelayResponse {
        try exchange(request, brokenOffBy: -1)
    }

    /// The same, but throws `.cancelled` as soon as `descriptor` is readable; -1: no descriptor. Throws
    /// `.noCertificates` or `.otherVersion` if the relay's response to `hello` says that.
    package mutating func exchange(
        _ request: RelayRequest, brokenOffBy descriptor: CInt
    ) throws(TransportError) -> RelayResponse {
        try settle(brokenOffBy: descriptor)
        if let status = absence.take() { return RelayResponse(kind: request.kind, status: status) }
        if case .session = request { holdsSession = true }
        if case .bind = request { holdsSession = true }
        try send(request)
        return try answer(to: request.kind, orElse: descriptor)
    }

    /// Waits until the relay has started, and has connected if it was to.
    package mutating func settle(brokenOffBy descriptor: CInt = -1) throws(TransportError) {
        guard !isOver else { throw .closed }
        if owesHello {
            owesHello = false
            let answer = try answer(to: .hello, orElse: descriptor)
            isOver = true
            guard answer.status != RelayResponse.noCertificates else { throw .noCertificates }
            guard answer.status != RelayResponse.machineFailed else { throw .cannotStart }
            guard case .hello(let version) = answer.body else { throw .brokenFrame }
            guard version == Frame.version else { throw .otherVersion }
            isOver = false
        }
        if owesConnection {
            owesConnection = false
            let status = try answer(to: .connect, orElse: descriptor).status
            if status != 200 { absence = status }
        }
    }

    /// Waits for the response to a request of this kind. After an error the relay is over.
    @inline(never)
    private mutating func answer(
        to kind: Kind, orElse descriptor: CInt
    ) throws(TransportError) -> RelayResponse {
        isOver = true
        let packet = try receive(orElse: descriptor)
        let response: RelayResponse
        do { response = try RelayResponse(decoding: packet) } catch { throw .brokenFrame }
        guard response.kind == kind else { throw .brokenFrame }
        isOver = false
        return response
    }

    /// Sends one packet. The queue has room for the few packets that the relay has not read, so the call
    /// never has to wait.
    @inline(never)
    private mutating func send(_ request: RelayRequest) throws(TransportError) {
        isOver = true
        let frame: [UInt8]
        do { frame = try request.encoded() } catch { throw .brokenFrame }
        let flags = CInt(MSG_NOSIGNAL | MSG_DONTWAIT)
        var sent = -1
        repeat {
            sent = unsafe frame.withUnsafeBytes {
                unsafe CPlatform.send(channel, $0.baseAddress, $0.count, flags)
            }
        } while sent < 0 && mpin_errno() == EINTR
        guard sent == frame.count else {
            trouble?.noteIfDenied("sendto")
            throw .closed
        }
        isOver = false
    }

    private func receive(orElse descriptor: CInt) throws(TransportError) -> [UInt8] {
        try wait(orElse: descriptor)
        // One octet more than a frame may have, so that a longer packet is noticed.
        var packet = [UInt8](repeating: 0, count: Frame.limit + 1)
        var count = received(&packet)
        // A relay that has ended with packets unread: Linux reports that first, and then its last response.
        if count < 0 { count = received(&packet) }
        guard count > 0 else {
            if count < 0 { trouble?.noteIfDenied("recvfrom") }
            throw .closed
        }
        guard count <= Frame.limit else { throw .brokenFrame }
        packet.removeLast(packet.count - count)
        return packet
    }

    private func received(_ packet: inout [UInt8]) -> Int {
        unsafe packet.withUnsafeMutableBytes {
            unsafe recv(channel, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT))
        }
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
            guard ready == 0 || mpin_errno() == EINTR else {
                trouble?.noteIfDenied("poll")
                throw .closed
            }
            guard !end.isOver else { throw .timedOut }
        }
    }
}

extension Settings {
    /// The first message to a relay.
    package func hello(attempt: [UInt8]) -> Hello {
        Hello(
            attempt: attempt, backends: backends.map { $0.address }, alsoOrigins: alsoOrigins,
            addresses: backendAddresses.map { $0.text }, caFile: caFile ?? [],
            proxy: proxy ?? [],
            connectMilliseconds: UInt32(clamping: connectTimeout * 1_000),
            totalMilliseconds: UInt32(clamping: callTimeout * 1_000))
    }
}
