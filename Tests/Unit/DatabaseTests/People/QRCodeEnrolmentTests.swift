// SPDX-License-Identifier: Apache-2.0
// Identities that were enrolled by a QR code, and sources that a device's owner reported, in every engine and
// after a kill.
import Foundation
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct QRCodeEnrolmentTests {
    private func enrolledByQRCode(
        _ storage: ServerDatabase, _ label: String, kind: IdentityKind = .bound
    ) async throws -> IdentityRecord? {
        try await storage.addUser(
            "alice", codeHash: octets("code " + label), replace: false, byQRCode: true)
        let outcome = try await storage.register(request(label, kind: kind), by: code("code " + label))
        guard outcome == .active else { return nil }
        return try await storage.issue(id: octets(label), regOTTHash: octets("ott " + label))?.identity
    }

    private let event = AuditEvent(kind: "user.confirm", subject: "x")

    @Test(arguments: Engine.allCases)
    func `an identity enrolled by a QR code is unconfirmed until it is confirmed`(_ engine: Engine)
        async throws
    {
        try await withStorage(engine) { storage, _ in
            #expect(try await storage.enroll("plain", kind: .bound)?.identity.isUnconfirmed == false)
            #expect(try await enrolledByQRCode(storage, "one")?.isUnconfirmed == true)
            #expect(try await storage.confirm(id: octets("plain"), recording: event) == false)
            #expect(try await storage.auditRecords(AuditQuery(), limit: 9).count { $0.event == event } == 0)
            #expect(try await storage.confirm(id: octets("one"), recording: event))
            #expect(try await storage.identity(id: octets("one"))?.isUnconfirmed == false)
            #expect(try await storage.confirm(id: octets("one"), recording: event) == false)
            #expect(try await storage.auditRecords(AuditQuery(), limit: 9).count { $0.event == event } == 1)
            #expect(try await enrolledByQRCode(storage, "two") != nil)
            _ = try await storage.revoke(.identity(octets("two")))
            #expect(try await storage.confirm(id: octets("two"), recording: event) == false)
            #expect(try await storage.confirm("alice", idPrefix: octets("two")) == .nobody)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the code in a QR code is for a device, lives ten minutes, and never replaces`(_ engine: Engine)
        async throws
    {
        try await withStorage(engine) { storage, clock in
            for kind in [IdentityKind.onHost, .unbound] {
                #expect(try await enrolledByQRCode(storage, "other", kind: kind) == nil)
            }
            try await storage.addUser("alice", codeHash: octets("c"), replace: false, byQRCode: true)
            clock.pass(Limits.qrCodeLife)
            #expect(try await storage.register(request("late", kind: .bound), by: code("c")) == .refused)
            await #expect(throws: StorageError.refused) {
                try await storage.addUser("alice", codeHash: octets("c"), replace: true, byQRCode: true)
            }
            // A later code to be typed is an ordinary one again.
            #expect(try await enrolledByQRCode(storage, "one") != nil)
            #expect(try await storage.enroll("two", kind: .bound)?.identity.isUnconfirmed == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a code whose enrolment was cancelled enrols nobody, nor does what was begun with it`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            let ended = AuditEvent(kind: "user.end-code", subject: "alice")
            func end(_ label: String, of userID: String = "alice") async throws -> Bool {
                try await storage.endCode(octets(label), of: userID, recording: ended)
            }
            #expect(try await enrolledByQRCode(storage, "before") != nil)
            try await storage.addUser("alice", codeHash: octets("c"), replace: false, byQRCode: true)
            try await storage.addUser("bob", codeHash: octets("c"), replace: false, byQRCode: true)
            #expect(try await storage.register(request("one", kind: .bound), by: code("c")) == .active)
            #expect(try await !end("code before"))
            #expect(try await !end("c", of: "carol"))
            #expect(try await end("c"))
            #expect(try await !end("c"))
            #expect(try await storage.auditRecords(AuditQuery(), limit: 99).count { $0.event == ended } == 1)
            #expect(try await storage.issue(id: octets("one"), regOTTHash: octets("ott one")) == nil)
            #expect(try await storage.register(request("two", kind: .bound), by: code("c")) == .refused)
            // Another user's code stays, and so do the codes that follow.
            #expect(try await storage.user("bob")?.codeExpiresAt != nil)
            #expect(try await enrolledByQRCode(storage, "after") != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `ids with the same beginning are distinguished, whatever they wait for`(_ engine: Engine)
        async throws
    {
        try await withStorage(engine) { storage, _ in
            _ = try await enrolledByQRCode(storage, "alice's")
            _ = try await storage.register(request("alicia's"), by: .confirmation)
            let both = Confirmation.several(ids: [octets("alicia's"), octets("alice's")])
            #expect(try await storage.confirm("alice", idPrefix: Array("alic".utf8)) == both)
            #expect(
                try await storage.confirm("alice", idPrefix: Array("alice".utf8))
                    == .confirmed(id: octets("alice's")))
            #expect(try await storage.identity(id: octets("alice's"))?.isUnconfirmed == false)
            #expect(try await storage.waitingRegistrations().count == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `another QR code, or a day, revokes unconfirmed identities and nothing else`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            func isLive(_ label: String) async throws -> Bool {
                try await storage.identity(id: octets(label))?.revokedAt == nil
            }
            #expect(try await storage.enroll("plain", kind: .bound) != nil)
            #expect(try await enrolledByQRCode(storage, "confirmed") != nil)
            #expect(try await storage.confirm(id: octets("confirmed"), recording: event))
            #expect(try await enrolledByQRCode(storage, "first") != nil)
            let revoked = try await storage.addUser(
                "alice", codeHash: octets("c"), replace: false, byQRCode: true)
            #expect(revoked == [octets("first")])
            #expect(try await !isLive("first"))
            #expect(try await enrolledByQRCode(storage, "second") != nil)
            // A code to be typed does not affect the identities of a QR code.
            try await storage.addUser("alice", codeHash: octets("typed"), replace: false)
            #expect(try await isLive("second"))
            clock.pass(Limits.unconfirmedLife - 1)
            #expect(try await storage.revokeUnconfirmed() == [])
            clock.pass(1)
            #expect(try await storage.revokeUnconfirmed() == [octets("second")])
            #expect(try await storage.revokeUnconfirmed() == [])
            #expect(try await !isLive("second"))
            #expect(try await storage.confirm("alice", idPrefix: octets("second")) == .nobody)
            for label in ["plain", "confirmed"] { #expect(try await isLive(label)) }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a registration by a QR code gets no secret after an hour, however often it is renewed`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            try await storage.addUser("alice", codeHash: octets("c"), replace: false, byQRCode: true)
            #expect(try await storage.register(request("one", kind: .bound), by: code("c")) == .active)
            clock.pass(Limits.hour - 1)
            let renewed = try await storage.renewRegistration(
                id: octets("one"), regOTTHash: octets("ott one"))
            #expect(renewed != nil)
            clock.pass(1)
            #expect(try await storage.issue(id: octets("one"), regOTTHash: octets("ott one")) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a device cannot end a session that another device has approved`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            for label in ["one", "two"] { #expect(try await storage.enroll(label, kind: .bound) != nil) }
            for label in ["0", "1", "2"] {
                try await open(storage, label, from: "here")
                #expect(try await approves(storage, label, "one"))
            }
            func end(_ label: String, by id: String?) async throws -> Bool {
                try await storage.endSession(.wid(label), a: octets("A " + label), by: id.map(octets))
            }
            #expect(try await !end("0", by: "two"))
            #expect(
                try await !storage.reportSession(
                    .wid("0"), a: octets("A 0"), by: octets("two"), recording: []))
            #expect(try await !storage.hasReported("here", id: octets("two")))
            #expect(try await storage.settleSession(a: octets("A 0"))?.approver != nil)
            #expect(try await end("1", by: "one"))
            #expect(try await end("2", by: nil))
        }
    }

    private func open(_ storage: ServerDatabase, _ label: String, from source: String) async throws {
        _ = try await storage.openSession(
            SessionOpening(
                wid: label, number: label, host: "prod-db1", hostEpoch: 1, requester: requester(source),
                a: octets("A " + label), question: [1], life: Limits.sessionLife))
    }

    private func approves(_ storage: ServerDatabase, _ label: String, _ id: String) async throws -> Bool {
        try await storage.approve(
            Approval(wid: label, id: octets(id), source: "s", tokenHash: octets("token " + label + id)))
    }

    @Test(arguments: Engine.allCases)
    func `a device that has reported a source approves nothing from there for an hour`(_ engine: Engine)
        async throws
    {
        try await withStorage(engine) { storage, clock in
            for (label, userID) in [("one", "alice"), ("twin", "alice"), ("two", "bob")] {
                #expect(try await storage.enroll(label, of: userID, kind: .bound) != nil)
            }
            for (number, source) in ["here", "here", "there", "here"].enumerated() {
                try await open(storage, "\(number)", from: source)
            }
            let events = [AuditEvent(kind: "session.reported", subject: "one")]
            func report(_ label: String) async throws -> Bool {
                try await storage.reportSession(
                    .wid(label), a: octets("A " + label), by: octets("one"), recording: events)
            }
            #expect(try await report("0"))
            #expect(try await report("0") == false)
            #expect(try await storage.auditRecords(AuditQuery(), limit: 1).map(\.event) == events)
            #expect(try await storage.hasReported("here", id: octets("one")))
            // Otherwise another identity of the same phone would be asked at once.
            #expect(try await storage.hasReported("here", id: octets("twin")))
            #expect(try await !storage.hasReported("here", id: octets("two")))
            #expect(try await !approves(storage, "1", "one"))
            #expect(try await approves(storage, "1", "two"))
            #expect(try await approves(storage, "2", "one"))
            clock.pass(Limits.hour)
            #expect(try await !storage.hasReported("here", id: octets("one")))
            try await open(storage, "5", from: "here")
            #expect(try await approves(storage, "5", "one"))
            #expect(try await storage.purge() > 0)
        }
    }

    /// The files of a database that is open are what a kill leaves.
    @Test func `a kill undoes neither a report nor a confirmation`() async throws {
        let folder = try Folder()
        let clock = TestClock()
        let storage = try folder.open(clock)
        _ = try await enrolledByQRCode(storage, "one")
        #expect(try await storage.confirm(id: octets("one"), recording: event))
        try await open(storage, "0", from: "here")
        #expect(
            try await storage.reportSession(
                .wid("0"), a: octets("A 0"), by: octets("one"), recording: [event]))
        let copy = try Folder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.copyItem(
                atPath: folder.path + "/" + name, toPath: copy.path + "/" + name)
        }
        let after = try copy.open(clock)
        #expect(try await after.identity(id: octets("one"))?.isUnconfirmed == false)
        #expect(try await after.hasReported("here", id: octets("one")))
        #expect(try await after.session(.wid("0")) == nil)
        await after.close()
        await storage.close()
    }
}
