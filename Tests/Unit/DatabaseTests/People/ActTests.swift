// SPDX-License-Identifier: Apache-2.0
// Administrators' acts and their records in the audit trail: both, or neither.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct ActTests {
    private let join = JoinCodeRecord(joinID: [1], sealedKey: [2])
    private let wiki = ApplicationRecord(clientID: "id", name: "Wiki", redirectURIs: ["x:/"])

    @Test(arguments: Engine.allCases)
    func `an act that cannot be recorded is not done`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            let unspeakable = AuditEvent(kind: "a\0", subject: "")
            _ = try await storage.enroll("one")
            _ = try await storage.tryProof("one", .wrong)
            _ = try await storage.register(request("waiting", of: "bob"), by: .confirmation)
            _ = try await storage.suspend("alice", until: nil, reason: "ill")
            _ = try await storage.addHost("h", join: join)
            #expect(try await storage.addApplication(wiki))

            await expectRefused { _ = try await storage.revoke(.user("alice"), recording: unspeakable) }
            await expectRefused { _ = try await storage.remove("alice", recording: unspeakable) }
            await expectRefused { _ = try await storage.unlock(.user("alice"), recording: unspeakable) }
            await expectRefused { _ = try await storage.resume("alice", recording: unspeakable) }
            await expectRefused {
                _ = try await storage.suspend("alice", until: nil, reason: "x", recording: unspeakable)
            }
            await expectRefused {
                _ = try await storage.confirm("bob", idPrefix: octets("waiting"), recording: unspeakable)
            }
            await expectRefused {
                let code = ActivationCode(hash: octets("c"), replaces: false)
                _ = try await storage.addUser("carol", code: code, recording: unspeakable)
            }
            await expectRefused {
                _ = try await storage.addHost("i", join: join, key: { _ in [] }, recording: unspeakable)
            }
            await expectRefused {
                _ = try await storage.rotateHost(
                    "h", join: join, hasLeaked: true, key: { _ in [] }, recording: unspeakable)
            }
            await expectRefused { _ = try await storage.removeHost("h", recording: unspeakable) }
            await expectRefused { _ = try await storage.removeApplication("Wiki", recording: unspeakable) }
            let blog = ApplicationRecord(clientID: "other", name: "Blog", redirectURIs: ["x:/"])
            await expectRefused { _ = try await storage.addApplication(blog, recording: unspeakable) }

            let alice = try #require(try await storage.user("alice"))
            #expect(alice.revokedAt == nil && alice.suspension?.reason == "ill")
            #expect(try await storage.waitingRegistrations().count == 1)
            #expect(try await storage.user("carol") == nil)
            #expect(try await storage.hosts(after: nil, limit: 9).map(\.epochs) == [[1]])
            #expect(try await storage.applications(limit: 9).map(\.name) == ["Wiki"])
            #expect(try await storage.unlock(.user("alice")) == .forgotten)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an act that was not done is not recorded`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.addUser("alice", codeHash: octets("c"), replace: false)
            let event = AuditEvent(kind: "refused", subject: "")
            #expect(try await storage.revoke(.user("bob"), recording: event) == nil)
            #expect(try await storage.revoke(.identity(octets("one")), recording: event) == nil)
            for name in ["bob", ""] { #expect(try await storage.remove(name, recording: event) == nil) }
            _ = try await storage.enroll("two")
            #expect(try await storage.tryProofAndRedeem("two", .wrong) != nil)
            #expect(try await storage.tryProofAndRedeem("two", .good) != nil)
            #expect(try await storage.unlock(.user("alice"), recording: event) == .open)
            #expect(try await storage.resume("alice", recording: event) == false)
            #expect(try await storage.suspend("alice", until: 1, reason: "", recording: event) == .over)
            #expect(try await storage.confirm("alice", idPrefix: octets("one"), recording: event) == .nobody)
            #expect(try await storage.addHost("h", join: join) == 1)
            #expect(
                try await storage.addHost("h", join: join, key: { _ in [] }, recording: event) == nil)
            #expect(try await storage.addApplication(wiki))
            #expect(try await storage.addApplication(wiki, recording: event) == false)
            #expect(try await storage.removeHost("none", recording: event) == false)
            #expect(try await storage.removeApplication("none", recording: event) == false)
            #expect(try await !storage.recorded().contains(event))
            #expect(try await storage.revoke(.user("alice"), recording: event) != nil)
            #expect(try await storage.recorded().count { $0 == event } == 1)
        }
    }
}

/// Expects that storage refuses a value.
private func expectRefused(_ act: () async throws -> Void) async {
    do {
        try await act()
        Issue.record("the act was done")
    } catch {
        #expect(error as? StorageError == .refused)
    }
}
