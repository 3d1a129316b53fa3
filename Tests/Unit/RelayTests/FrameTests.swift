// SPDX-License-Identifier: Apache-2.0
// The parent's end: a relay that breaks the protocol ends the login, whatever it sends.
import Foundation
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct FrameTests {
    let greeting = hello(["unix:/nowhere"])

    @Test(arguments: [
        ("wrong-kind", TransportError.brokenFrame), ("echo", .brokenFrame), ("long", .brokenFrame),
        ("rubbish", .brokenFrame), ("early", .brokenFrame), ("empty", .closed), ("gone", .closed),
    ])
    func `a wrong answer ends the relay`(name: String, error: TransportError) throws {
        let program = try Program("mpin-probe", as: name)
        var relay = try start(program, greeting)
        #expect(throws: error) { try relay.exchange(.settings) }
        #expect(throws: TransportError.closed) { try relay.exchange(.settings) }
    }

    @Test func `another version of frames is refused`() throws {
        let program = try Program("mpin-probe", as: "other-version")
        #expect(throws: TransportError.otherVersion) { _ = try start(program, greeting) }
    }

    @Test func `a silent relay costs no more than the deadline`() throws {
        let program = try Program("mpin-probe", as: "silent")
        #expect(throws: TransportError.timedOut) {
            var relay = try start(program, greeting, deadline: 2000)
            _ = try relay.exchange(.settings)
        }
        let mute = try Program("mpin-probe", as: "mute")
        #expect(throws: TransportError.timedOut) { _ = try start(mute, greeting, deadline: 100) }
    }

    @Test func `a relay that exceeds its own time is abandoned before the deadline`() throws {
        let program = try Program("mpin-probe", as: "silent")
        #expect(throws: TransportError.timedOut) {
            var relay = try start(program, hello(["unix:/nowhere"], total: 10), deadline: .max)
            _ = try relay.exchange(.settings)
        }
    }

    @Test func `a request that no frame can carry is not sent`() throws {
        let program = try Program("mpin-probe", as: "gone")
        var relay = try start(program, greeting)
        #expect(throws: TransportError.brokenFrame) { try relay.exchange(.permits(mpinID: [])) }
    }

    @Test func `the process ends with its relay`() throws {
        let program = try Program("mpin-probe", as: "silent")
        do {
            let relay = try start(program, greeting)
            #expect(try processes(of: program).count == 1)
            _ = consume relay
        }
        while try !processes(of: program).isEmpty { usleep(10_000) }
    }

    @Test func `a program that others than root can change is not started`() throws {
        let program = try Program("mpin-probe", as: "silent")
        func refused(_ path: [UInt8]) {
            #expect(throws: TransportError.cannotStart) {
                _ = try Relay.start(
                    path: path, hello: greeting, user: someUser, deadline: Deadline(milliseconds: 5000))
            }
        }
        refused(octets("mpin-relay"))
        refused(octets("/nowhere/mpin-relay"))
        refused(octets(NSTemporaryDirectory()))
        refused(octets(program.path) + [0] + octets("x"))
        refused([])
        if geteuid() == 0 {
            #expect(unsafe chmod(program.path, 0o775) == 0)
            refused(octets(program.path))
            let other = try Program("mpin-probe", as: "silent")
            let folder = URL(filePath: other.path).deletingLastPathComponent().path
            #expect(unsafe chmod(folder, 0o777) == 0)
            refused(octets(other.path))
            #expect(unsafe chmod(folder, 0o755) == 0 && chown(folder, 65_534, 65_534) == 0)
            refused(octets(other.path))
            #expect(unsafe chmod(program.path, 0o755) == 0 && chown(program.path, 65534, 0) == 0)
            refused(octets(program.path))
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `root does not start a relay without the relay's user`() throws {
        let program = try Program("mpin-probe", as: "silent")
        for user in [nil, RelayUser(uid: 0, gid: 65534), RelayUser(uid: 65534, gid: 0)] {
            #expect(throws: TransportError.cannotStart) {
                _ = try Relay.start(
                    path: octets(program.path), hello: greeting, user: user,
                    deadline: Deadline(milliseconds: 5000))
            }
        }
    }

    @Test func `a program that cannot be executed cannot start`() throws {
        let program = try Program("mpin-probe", as: "silent")
        #expect(unsafe chmod(program.path, 0o600) == 0)
        #expect(throws: TransportError.cannotStart) { _ = try start(program, greeting) }
    }
}

/// The processes that run this copy of a program.
func processes(of program: Program) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").filter {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/exe")
        return link == program.path
    }
}
