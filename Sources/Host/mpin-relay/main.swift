// SPDX-License-Identifier: Apache-2.0
// mpin-relay: the process between the module and the network. It answers frames on descriptor 3 until that
// channel ends or an invalid request comes.
//
// It runs as `_mpin`, resolves all addresses, closes its filter of system calls, and then makes the calls of
// MPinCurl, one for each frame (docs/protocol/relay.md). It believes nothing and decides nothing; `Journal`
// is its one line in the log.
import CPlatform
import MPinCurl
import MPinWire

/// The channel that the parent left on descriptor 3: one frame is one packet.
enum Channel {
    static let descriptor: CInt = 3
    /// For how many milliseconds connections are kept while no request comes.
    static let patience: CInt = 2_000

    /// Whether a packet or the end of the channel came within that many milliseconds.
    static func waits(_ milliseconds: CInt) -> Bool {
        var channel = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&channel, 1, milliseconds) != 0
    }

    /// The next packet; nil at the end of the channel, or for a packet longer than a frame.
    static func receive() -> [UInt8]? {
        var packet = [UInt8](repeating: 0, count: Frame.limit + 1)
        var count = -1
        repeat {
            count = unsafe recv(descriptor, &packet, packet.count, 0)
        } while count < 0 && mpin_errno() == EINTR
        guard (1...Frame.limit).contains(count) else { return nil }
        return Array(packet.prefix(count))
    }

    /// The next packet, if it is a pass 1 and comes within that many milliseconds; everything else stays in
    /// the queue.
    static func receivePassOne(within milliseconds: CInt) -> RelayPassOneRequest? {
        var kind: UInt8 = 0
        guard waits(milliseconds), unsafe recv(descriptor, &kind, 1, CInt(MSG_PEEK)) == 1,
            kind == Kind.passOne.rawValue, let packet = receive(),
            case .passOne(let pass)? = try? RelayRequest(decoding: packet)
        else { return nil }
        return pass
    }

    static func send(_ frame: [UInt8]) -> Bool {
        unsafe CPlatform.send(descriptor, frame, frame.count, CInt(MSG_NOSIGNAL)) == frame.count
    }

    /// Tells the parent that nothing is left to do: it kills this process.
    static func close() { _ = CPlatform.close(descriptor) }
}

/// The response to a module with another version of the protocol: it only names the relay's version.
private let greeting = RelayResponse(kind: .hello, status: 200, body: .hello(version: Frame.version))

/// Ends because the kernel refused a system call; the parent learns which one from the exit status.
func refused(_ call: mpin_call) -> Never { exit(CInt(call.rawValue)) }

/// Answers the next request; false when the relay must end.
func answerOne(by transport: inout CurlTransport, _ journal: inout Journal) -> Bool {
    do {
        // While this user types, other logins need the server's connections.
        if !Channel.waits(Channel.patience) { transport.rest() }
        guard let packet = Channel.receive() else { return false }
        if let version = Frame.version(of: packet), version != Frame.version {
            _ = Channel.send(try greeting.encoded())
            return false
        }
        let question = try RelayRequest(decoding: packet)
        if case .connect(let octets) = question { return try connect(octets, by: &transport, &journal) }
        let answer = try transport.answer(question)
        journal.note(question, answer.response)
        // `hello` has read the files and names that it needs, and no server has been contacted yet.
        if question.kind == .hello {
            guard mpin_sandbox(transport.needsUnixSockets ? 1 : 0) == 0 else { refused(MPIN_SECCOMP) }
        }
        guard Channel.send(answer.frame) else { return false }
        // Without certificates no further request makes sense.
        return question.kind != .hello || answer.response.status == 200
    } catch {
        return false
    }
}

/// Connects to the server, reports that, and sends the pass 1 that follows over this connection; false when
/// the relay must end.
func connect(
    _ octets: UInt16, by transport: inout CurlTransport, _ journal: inout Journal
) throws -> Bool {
    let question = RelayRequest.connect(octets: octets)
    let done = RelayResponse(kind: .connect, status: 200, body: .connect)
    let frame = try done.encoded()
    let result = try transport.connect(octets: octets) {
        Channel.send(frame) ? Channel.receivePassOne(within: Channel.patience) : nil
    }
    switch result {
    case .never(let answer):
        journal.note(question, answer.response)
        return Channel.send(answer.frame)
    case .unused: return true
    case .passed(let pass, let answer):
        journal.note(.passOne(pass), answer.response)
        return Channel.send(answer.frame)
    }
}

// The kernel remembers who made the channel. A relay that root started must not take its own user for its
// caller: an attacker who captured another relay controls everything that belongs to `_mpin`.
var caller: uid_t = 0
guard mpin_undumpable() == 0 else { refused(MPIN_PRCTL) }
guard unsafe mpin_peer_uid(Channel.descriptor, &caller) == 0 else { refused(MPIN_GETSOCKOPT) }
let log = Journal.open()
let ending = mpin_hangup(Channel.descriptor)
guard ending >= 0 else { refused(ending == -2 ? MPIN_EPOLL_CTL : MPIN_EPOLL_CREATE) }
var transport = CurlTransport(caller: caller, ending: ending)
var journal = Journal()
while answerOne(by: &transport, &journal) {}
journal.write(to: log, transport.refused)
transport.close()
Channel.close()
