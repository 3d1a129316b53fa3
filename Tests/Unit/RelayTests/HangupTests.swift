// SPDX-License-Identifier: Apache-2.0
// A relay whose caller is gone ends, whatever it was waiting for, and whatever the caller's timers are like.
import CPlatform
import Foundation
import MPinLogin
import MPinProof
import MPinWire
import TestSupport
import Testing

/// By how much the timers of this thread, and of what it starts, may be late. prctl is variadic.
private func setTimerSlack(nanoseconds: UInt) -> Bool {
    typealias Control = @convention(c) (CInt, UInt, UInt, UInt, UInt) -> CInt
    guard let symbol = unsafe dlsym(nil, "prctl") else { return false }
    let control = unsafe unsafeBitCast(symbol, to: Control.self)
    return control(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0) == 0
}

/// A relay that its caller leaves without a word, as one that was killed does.
private final class LeftRelay {
    let channel: CInt
    let process: CInt

    /// Starts it from a thread whose timers may fire 1,000 seconds late.
    init(_ hello: Hello) throws {
        var (channel, process) = (CInt(-1), CInt(-1))
        let program = try relayProgram.get().path
        let user = someUser.map { _ in uid_t(65_534) } ?? 0
        try #require(setTimerSlack(nanoseconds: 1_000_000_000_000))
        let failure = unsafe mpin_relay_start(program, user, user, user == 0 ? 0 : 1, &channel, &process)
        try #require(setTimerSlack(nanoseconds: 50_000) && failure == 0)
        (self.channel, self.process) = (channel, process)
        try send(.hello(hello))
    }

    deinit {
        // By the pidfd; nothing happens if it has ended.
        mpin_relay_end(channel, process, 0)
    }

    func send(_ question: RelayRequest) throws {
        let frame = try question.encoded()
        try #require(unsafe Foundation.send(channel, frame, frame.count, 0) == frame.count)
    }

    /// Whether the relay ends by itself when the channel is shut, long before any of its own limits.
    func ends() -> Bool {
        shutdown(channel, CInt(SHUT_RDWR))
        var end = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&end, 1, 60_000) == 1
    }
}

/// A port of 127.0.0.1 whose queue is full, so that connections to it get no answer.
private final class SilentPort {
    let number: UInt16
    private var descriptors: [CInt] = []

    init() throws {
        let stream = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = socket(AF_INET, stream, 0)
        let isBound = unsafe withUnsafeMutableBytes(of: &address) {
            let name = unsafe $0.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return unsafe bind(listener, name, size) == 0 && getsockname(listener, name, &size) == 0
        }
        number = UInt16(bigEndian: address.sin_port)
        try #require(isBound && listen(listener, 0) == 0)
        descriptors = [listener]
        var isFull = false
        while !isFull {
            let waiting = socket(AF_INET, stream, 0)
            descriptors.append(waiting)
            _ = unsafe withUnsafeBytes(of: &address) {
                unsafe connect(waiting, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
            }
            var state = pollfd(fd: waiting, events: Int16(POLLOUT), revents: 0)
            isFull = unsafe poll(&state, 1, 300) == 0
        }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}

@Suite(.slow, .serialized) struct HangupTests {
    private let pass = RelayRequest.passOne(
        RelayPassOneRequest(mpinID: [1], u: [UInt8](repeating: 4, count: 65), ut: [], sealed: .none))

    /// Whether a relay that was asked this ends when its caller is gone. `isWaiting` says when it waits.
    private func ends(
        _ backend: String, _ question: RelayRequest = .settings, when isWaiting: () -> Bool
    ) throws -> Bool {
        let relay = try LeftRelay(hello([backend], connect: 600_000, total: 600_000))
        try relay.send(question)
        while !isWaiting() { usleep(10_000) }
        return relay.ends()
    }

    @Test func `a killed caller with lazy timers leaves no relay that waits for an answer`() throws {
        for place in [Server.Family.unix, .ipv4] {
            let server = try Server(place) { _ in .hang }
            #expect(try ends(server.backend) { !server.received.isEmpty }, "\(place)")
            #expect(try ends(server.backend, pass) { server.received.count > 1 }, "\(place)")
            let tls = server.backend.replacing("http:", with: "https:")
            guard place == .ipv4 else { continue }
            let before = server.connections
            #expect(try ends(tls, .connect(octets: 93)) { server.connections > before }, "TLS")
        }
    }

    @Test func `a killed caller with lazy timers leaves no relay that waits for a connection`() throws {
        let (port, queue) = (try SilentPort(), try FullQueue())
        for question in [RelayRequest.settings, .connect(octets: 93)] {
            for backend in ["http://127.0.0.1:\(port.number)", queue.backend] {
                #expect(try ends(backend, question) { true }, "\(backend)")
            }
        }
        withExtendedLifetime((port, queue)) {}
    }

    @Test func `a killed caller with lazy timers leaves no relay that was told to wait`() throws {
        let server = try Server { _ in .json(503, "", headers: ["Retry-After": "60"]) }
        #expect(try ends(server.backend) { !server.received.isEmpty })
    }

    @Test func `a killed caller with lazy timers leaves no relay that has nothing to do`() throws {
        let server = try Server { _ in settings() }
        #expect(try ends(server.backend) { !server.received.isEmpty })
    }

    /// The kernel looks at the limit where the relay becomes a user that has a process already.
    @Test(.enabled(if: geteuid() == 0))
    func `where the caller's limit on processes holds, the relay's failure has a reason`() throws {
        let other = Process()
        other.executableURL = URL(filePath: "/usr/bin/setpriv")
        other.arguments = ["--reuid=65534", "--regid=65534", "--clear-groups", "cat"]
        let (input, output) = (Pipe(), Pipe())
        (other.standardInput, other.standardOutput) = (input, output)
        try other.run()
        defer { other.terminate() }
        try input.fileHandleForWriting.write(contentsOf: Data([0x0a]))
        #expect(try output.fileHandleForReading.read(upToCount: 1)?.count == 1)
        let program = try Program("mpin-probe", as: "report")
        let folder = try TemporaryFolder()
        let file = folder.path + "/report"
        let ending = try run(
            "/usr/bin/prlimit",
            [
                "--nproc=0:0", "setpriv", "--bounding-set", "-sys_resource", program.path, "host",
                program.path, file, "65534",
            ])
        #expect(ending.status == 0)
        let said = [UInt8](try Data(contentsOf: URL(filePath: file)))
        let failure = RelayResponse(kind: .hello, status: RelayResponse.machineFailed)
        #expect(said.starts(with: try failure.encoded()))
    }
}
