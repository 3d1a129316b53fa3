// SPDX-License-Identifier: Apache-2.0
// The lists of what waits in the database: which sessions a device finds, in which order, and how many.
@testable import MPinDatabase
@testable import MPinServer
import Octets
import TestSupport
import Testing

@Suite(.slow) struct WaitingListTests {
    /// A session whose name is also its number.
    private func open(
        _ storage: ServerDatabase, _ label: String, for devices: [String] = ["alice"],
        on host: String = "prod-db1", from source: String = "192.0.2.1",
        life: UnixMilliseconds = Limits.sessionLife
    ) async throws {
        let opened = try await storage.openSession(
            SessionOpening(
                wid: label, number: label, host: host, hostEpoch: 3,
                requester: requester(host + "/" + source),
                a: octets("A " + label), question: Array("ask \(label)".utf8), life: life,
                devices: devices.map { octets($0) }, listedSource: source))
        #expect(opened != .full && opened != .numberTaken)
    }

    private func numbers(_ storage: ServerDatabase, _ device: String = "alice") async throws -> [String] {
        try await storage.sessions(waitingFor: octets(device)).map(\.number)
    }

    @Test(arguments: Engine.allCases)
    func `the five newest of a device, and two of one source`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            #expect(try await numbers(storage).isEmpty)
            for index in 0..<6 {
                clock.pass(1)
                try await open(storage, "s\(index)", from: "192.0.2.\(index)")
            }
            #expect(try await numbers(storage) == ["s5", "s4", "s3", "s2", "s1"])
            for index in 6..<9 {
                clock.pass(1)
                try await open(storage, "s\(index)", on: "build-\(index)", from: "192.0.2.5")
            }
            #expect(try await numbers(storage) == ["s8", "s7", "s4", "s3", "s2"])
            #expect(try await numbers(storage, "bob").isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an entry is the session as its number finds it`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            // A question may list a device twice.
            try await open(storage, "one", for: ["alice", "bob", "alice"])
            clock.pass(7)
            for device in ["alice", "bob"] {
                let listed = try await storage.sessions(waitingFor: octets(device))
                #expect(listed.map(\.session) == [try await storage.session(.number("one"))])
            }
            try await open(storage, "bind", for: [])
            #expect(try await numbers(storage) == ["one"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `what is over is not there: expired, ended, approved by another device, granted`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            let both = ["alice", "bob"]
            for label in both { #expect(try await storage.enroll(label, kind: .bound) != nil) }
            for label in ["short", "ended", "other", "own"] {
                let life = (label == "short" ? 5 : 90) * Limits.second
                try await open(storage, label, for: both, from: label, life: life)
            }
            clock.pass(5 * Limits.second)
            #expect(try await storage.endSession(.wid("ended"), a: octets("A ended"), by: nil))
            for (label, device) in [("other", "bob"), ("own", "alice")] {
                let token: SessionTokenHash = octets("token " + label)
                #expect(
                    try await storage.approve(
                        Approval(wid: label, id: octets(device), source: "192.0.2.1", tokenHash: token)))
            }
            #expect(try await numbers(storage) == ["own"])
            #expect(try await numbers(storage, "bob") == ["other"])
            #expect(try await storage.settleSession(a: octets("A own"))?.approver != nil)
            #expect(try await numbers(storage).isEmpty)
        }
    }

    /// `prod-db1/192.0.2.1` is reported; the same address at another host is not.
    @Test(arguments: Engine.allCases)
    func `a source that a device's user has reported is in no list of theirs for an hour`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            for (label, userID) in [("alice", "alice"), ("phone", "alice"), ("bob", "bob")] {
                #expect(try await storage.enroll(label, of: userID, kind: .bound) != nil)
            }
            let all = ["alice", "phone", "bob"]
            for host in ["prod-db1", "build-7"] { try await open(storage, host, for: all, on: host) }
            try await open(storage, "reported", for: all)
            #expect(
                try await storage.reportSession(
                    .wid("reported"), a: octets("A reported"), by: octets("alice"), recording: []))
            for device in ["alice", "phone"] { #expect(try await numbers(storage, device) == ["build-7"]) }
            #expect(try await numbers(storage, "bob").sorted() == ["build-7", "prod-db1"])
            clock.pass(Limits.hour)
            try await open(storage, "later", for: all)
            #expect(try await numbers(storage) == ["later"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a list keeps nothing of a session that was given up or purged`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            func rows() async throws -> Int64 {
                try await storage.transaction(.read) { t throws(StorageError) in
                    try t.number("SELECT COUNT(*) FROM session_devices", [])
                }
            }
            try await open(storage, "one", for: ["alice", "bob"])
            try await open(storage, "two")
            #expect(try await rows() == 3)
            #expect(try await storage.endSession(.number("one"), a: octets("A one"), by: nil))
            #expect(try await rows() == 1)
            clock.pass(Limits.sessionLife + Limits.endedSessionLife)
            _ = try await storage.purge()
            #expect(try await rows() == 0)
        }
    }
}
