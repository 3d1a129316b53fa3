// SPDX-License-Identifier: Apache-2.0
// Administrators' acts and their records in the audit trail: both, or neither.
import MPinSQL
import MPinStorage
import TestSupport
import Testing

@Suite(.slow) struct ActTests {
    @Test(arguments: Engine.allCases)
    func `an act that cannot be recorded is not done`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.addUser("alice", codeHash: octets("c"), replace: false)
            let unspeakable = AuditEvent(kind: "a\0", subject: "")
            await #expect(throws: StorageError.refused) {
                try await storage.revoke(.user("alice"), recording: unspeakable)
            }
            await #expect(throws: StorageError.refused) {
                try await storage.suspend("alice", until: nil, reason: "", recording: unspeakable)
            }
            let alice = try #require(try await storage.user("alice"))
            #expect(alice.revokedAt == nil && alice.suspension == nil && alice.codeExpiresAt != nil)
            let wiki = ApplicationRecord(clientID: "id", name: "Wiki", redirectURIs: ["x:/"])
            await #expect(throws: StorageError.refused) {
                try await storage.addApplication(wiki, recording: unspeakable)
            }
            #expect(try await storage.applications(limit: 9).isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an act that was not done is not recorded`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.addUser("alice", codeHash: octets("c"), replace: false)
            let event = AuditEvent(kind: "refused", subject: "")
            #expect(try await storage.revoke(.user("bob"), recording: event) == nil)
            #expect(try await storage.revoke(.identity(octets("one")), recording: event) == nil)
            #expect(try await storage.unlock(.user("alice"), recording: event) == .open)
            #expect(try await storage.resume("alice", recording: event) == false)
            #expect(try await storage.suspend("alice", until: 1, reason: "", recording: event) == .over)
            #expect(try await storage.confirm("alice", idPrefix: octets("one"), recording: event) == .nobody)
            #expect(try await storage.removeHost("none", recording: event) == false)
            #expect(try await storage.removeApplication("none", recording: event) == false)
            #expect(try await storage.recorded().isEmpty)
            #expect(try await storage.revoke(.user("alice"), recording: event) != nil)
            #expect(try await storage.recorded() == [event])
        }
    }
}
