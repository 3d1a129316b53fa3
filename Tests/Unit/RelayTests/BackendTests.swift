// SPDX-License-Identifier: Apache-2.0
// Which backend the relay calls, how often, and how it identifies itself.
import Foundation
import MPinLogin
import MPinProof
import MPinWire
import Synchronization
import TestSupport
import Testing

@Suite(.slow) struct BackendTests {
    @Test func `the next backend is tried while none has answered`() throws {
        let port = try ClosedPort()
        let plain = try Server(.ipv4) { _ in .json(200, "{}") }
        let good = try Server { _ in settings() }
        let answer = try ask(.settings, hello(["http://127.0.0.1:\(port.number)", good.backend]))
        #expect(answer.status == 200)
        #expect(good.received.count == 1)
        // A backend that accepts the connection and then sends nothing counts as reached.
        let tls = plain.backend.replacing("http:", with: "https:")
        let hanging = try ask(.settings, hello([tls, good.backend], connect: 500))
        #expect(hanging.status == RelayResponse.timedOut)
        #expect(plain.received.isEmpty && good.received.count == 1)
    }

    @Test func `the next backend is tried if a connection ends without an answer, but not for a proof`()
        throws
    {
        let first = try Server { $0.route == "/rps/clientSettings" ? settings() : .raw("") }
        let second = try Server { _ in settings() }
        var relay = try start(try relayProgram.get(), hello([first.backend, second.backend]))
        #expect(try relay.exchange(.settings).status == 200)
        let proof = RelayPassTwoRequest(
            mpinID: [1], v: [UInt8](repeating: 4, count: 65), wid: octets("0"), wantsOTP: false, n: nil)
        #expect(try relay.exchange(.passTwo(proof)).status == RelayResponse.timedOut)
        #expect(second.received.isEmpty)
        let dead = try Server { _ in .raw("") }
        #expect(try ask(.settings, hello([dead.backend, second.backend])).status == 200)
        #expect(try ask(.settings, hello([dead.backend, dead.backend])).status == RelayResponse.timedOut)
    }

    @Test(arguments: [Reply.json(500, ""), .json(404, ""), .raw("rubbish"), .hang])
    func `after any other answer the next backend is not tried`(reply: Reply) throws {
        let first = try Server { _ in reply }
        let second = try Server { _ in settings() }
        var relay = try start(try relayProgram.get(), hello([first.backend, second.backend], total: 3000))
        #expect(try relay.exchange(.settings).status != 200)
        #expect(try relay.exchange(.settings).status != 200)
        #expect(second.received.isEmpty)
    }

    @Test func `all requests of a relay share one connection`() throws {
        let server = try Server(.ipv4) { request in
            request.route == "/rps/clientSettings" ? settings() : .json(401, "{}")
        }
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        for _ in 0..<3 {
            #expect(try relay.exchange(.settings).status == 200)
            #expect(try relay.exchange(.permits(mpinID: [1])).status == 401)
        }
        #expect(server.connections == 1)
        #expect(
            server.received.map(\.route) == ["/rps/clientSettings"]
                + Array(repeating: "/rps/timePermit/01", count: 3))
    }

    @Test func `every request names the attempt and the program`() throws {
        let server = try Server { request in
            request.route == "/rps/clientSettings" ? settings() : .json(200, "{}")
        }
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        _ = try relay.exchange(
            .authenticate(RelayAuthenticateRequest(authOTT: octets("ott"), id: nil, a: nil)))
        #expect(server.received.count == 2)
        for request in server.received {
            #expect(request.headers["mpin-attempt"] == "0102030405060708")
            #expect(request.headers["user-agent"]?.hasPrefix("mpin/") == true)
            #expect(request.headers["expect"] == nil && request.headers["cookie"] == nil)
        }
        #expect(server.received.last?.headers["content-type"] == "application/json; charset=UTF-8")
    }

    @Test func `a server that requests a pause gets one, but not for a proof`() throws {
        let busy = Reply.json(503, "", headers: ["Retry-After": "1"])
        let server = try Server { [count = Count()] request in
            switch request.route {
            case "/rps/clientSettings": count.next() == 1 ? busy : settings()
            default: busy
            }
        }
        var relay = try start(try relayProgram.get(), hello([server.backend], total: 60_000))
        #expect(try relay.exchange(.settings).status == 200)
        #expect(server.received.count == 2)
        let proof = RelayPassTwoRequest(
            mpinID: [1], v: [UInt8](repeating: 4, count: 65), wid: octets("0"), wantsOTP: false, n: nil)
        #expect(try relay.exchange(.passTwo(proof)).status == 503)
        #expect(server.received.count == 3)
    }

    @Test func `a pause beyond the deadline is not made`() throws {
        let server = try Server { _ in .json(429, "", headers: ["Retry-After": "30"]) }
        #expect(try ask(.settings, server).status == 429)
        #expect(server.received.count == 1)
    }

    @Test func `a socket in a folder that others can write is refused`() throws {
        let server = try Server { _ in settings() }
        let folder = URL(filePath: String(server.backend.dropFirst(5))).deletingLastPathComponent().path
        #expect(unsafe chmod(folder, 0o777) == 0)
        #expect(try ask(.settings, server).status == Distrust.socket.status)
        #expect(server.connections == 0)
        let good = try Server { _ in settings() }
        #expect(try ask(.settings, hello([server.backend, good.backend])).status == 200)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a process of a stranger behind the socket is refused`() throws {
        let program = try Program("mpin-probe", as: "probe")
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let stranger = try Background(program.path, ["listen", "4321", path], until: "listening")
        defer { withExtendedLifetime(stranger) {} }
        #expect(try ask(.settings, hello(["unix:" + path])).status == Distrust.owner.status)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a process of the relay's own user is a stranger to a relay of root`() throws {
        let program = try Program("mpin-probe", as: "probe")
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let captured = try Background(program.path, ["listen", "65534", path], until: "listening")
        defer { withExtendedLifetime(captured) {} }
        #expect(try ask(.settings, hello(["unix:" + path])).status == Distrust.owner.status)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a socket below a folder that others can change is refused`() throws {
        for (mode, owner) in [(0o777, 0), (0o755, 65_534)] {
            let server = try Server { _ in settings() }
            let folder = try TemporaryFolder()
            let inner = folder.path + "/inner"
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
            let socket = String(server.backend.dropFirst(5))
            try FileManager.default.moveItem(atPath: socket, toPath: inner + "/socket")
            #expect(try ask(.settings, hello(["unix:" + inner + "/socket"])).status == 200)
            #expect(unsafe chmod(folder.path, mode_t(mode)) == 0 && chown(folder.path, uid_t(owner), 0) == 0)
            let asked = hello(["unix:" + inner + "/socket"])
            #expect(try ask(.settings, asked).status == Distrust.socket.status)
            withExtendedLifetime(server) {}
        }
    }

    @Test func `a socket with a full queue is tried again for as long as a connection may take`() throws {
        let queue = try FullQueue()
        let begin = ContinuousClock.now
        #expect(try ask(.settings, hello([queue.backend], connect: 300)).status == RelayResponse.unreachable)
        #expect(ContinuousClock.now - begin >= .milliseconds(300))
        let short = hello([queue.backend], connect: 60_000, total: 300)
        #expect(try ask(.settings, short).status == RelayResponse.timedOut)
    }

    @Test func `the server is unreachable only if every backend is, and otherwise the next is tried`() throws
    {
        let (queue, port) = (try FullQueue(), try ClosedPort())
        let closed = "http://127.0.0.1:\(port.number)"
        let good = try Server { _ in settings() }
        func status(_ backends: String..., connect: UInt32 = 300) throws -> UInt16 {
            try ask(.settings, hello(backends, connect: connect)).status
        }
        #expect(try status(closed, closed) == RelayResponse.unreachable)
        for backends in [[closed, queue.backend], [queue.backend, closed]] {
            #expect(try status(backends[0], backends[1]) == RelayResponse.unreachable)
        }
        let foreign = try Server { _ in settings() }
        let folder = URL(filePath: String(foreign.backend.dropFirst(5))).deletingLastPathComponent().path
        #expect(unsafe chmod(folder, 0o777) == 0)
        #expect(try status(closed, foreign.backend) == Distrust.socket.status)
        #expect(try status(foreign.backend, closed) == Distrust.socket.status)
        #expect(try status(queue.backend, closed, good.backend, connect: 3000) == 200)
    }

    @Test func `an idle relay keeps no connection`() throws {
        let server = try Server(.ipv4) { _ in settings() }
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        let proof = RelayPassOneRequest(
            mpinID: [1], u: [UInt8](repeating: 4, count: 65), ut: [], sealed: .none)
        _ = try relay.exchange(.passOne(proof))
        #expect(server.connections == 1)
        // Blocks: a task that sleeps goes on only when all other tests have begun.
        sleep(6)
        _ = try relay.exchange(.passOne(proof))
        #expect(server.connections == 2)
    }

    @Test func `a proof is not sent again if its connection breaks before an answer`() throws {
        let server = try Server { request in
            switch request.route {
            case "/rps/clientSettings": settings()
            default: .raw("")
            }
        }
        var relay = try start(try relayProgram.get(), hello([server.backend]))
        #expect(try relay.exchange(.settings).status == 200)
        let proof = RelayPassTwoRequest(
            mpinID: [1], v: [UInt8](repeating: 4, count: 65), wid: octets("0"), wantsOTP: false, n: nil)
        #expect(try relay.exchange(.passTwo(proof)).status == RelayResponse.timedOut)
        #expect(server.received.filter { $0.route == "/rps/pass2" }.count == 1)
        let verdict = RelayAuthenticateRequest(authOTT: octets("ott"), id: nil, a: nil)
        #expect(try relay.exchange(.authenticate(verdict)).status == RelayResponse.timedOut)
        #expect(server.received.filter { $0.route == "/mpinAuthenticate" }.count == 1)
    }

    @Test func `the relay runs in its sandbox, and other processes cannot read it`() throws {
        let server = try Server { _ in settings() }
        let program = try Program("mpin-relay")
        let relay = try start(program, hello([server.backend]))
        let process = try #require(try processes(of: program).first)
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        #expect(
            status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1")
                && status.contains("Threads:\t1"))
        // In /proc, the files of a process that cannot be dumped belong to root.
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/proc/\(process)/maps")[.ownerAccountID] as? Int
                == 0)
        _ = consume relay
    }
}

/// A counter for several threads.
final class Count: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
