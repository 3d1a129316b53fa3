// SPDX-License-Identifier: Apache-2.0
// What uses up an activation code, and what it is good for until then.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct SpentCodeTests {
    @Test(arguments: Engine.allCases)
    func `a code is used up by the first login, by the issue to a Milagro client, and by a revocation`(
        _ engine: Engine
    ) async throws {
        for (kind, logsIn, revokes) in [
            (IdentityKind.onHost, true, false), (.bound, true, false), (.unbound, false, false),
            (.bound, false, true),
        ] {
            try await withStorage(engine) { storage, _ in
                _ = try await storage.enroll("one", kind: kind)
                if logsIn { try await storage.tryProof("one", .good, tagEpoch: 1) }
                if revokes { _ = try await storage.revoke(.identity(octets("one"))) }
                #expect(try await storage.register(request("two"), by: code("code one")) == .refused)
                #expect(
                    try await storage.registration(id: octets("two"), regOTTHash: octets("ott two")) == nil)
                #expect(try await storage.users(after: nil, limit: 1).first?.codeExpiresAt == nil)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a registration begun with a code is not issued after the code was used up`(
        _ engine: Engine
    ) async throws {
        for revokes in [false, true] {
            try await withStorage(engine) { storage, _ in
                _ = try await storage.enroll("one")
                #expect(try await storage.register(request("two"), by: code("code one")) == .active)
                if revokes {
                    _ = try await storage.revoke(.identity(octets("one")))
                } else {
                    try await storage.tryProof("one", .good)
                }
                #expect(try await storage.issue(id: octets("two"), regOTTHash: octets("ott two")) == nil)
                #expect((try await storage.identity(id: octets("one"))?.revokedAt == nil) == !revokes)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `the fifth secret that is issued for a code uses it up`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("1")
            for number in 2...6 {
                let outcome = try await storage.register(request("\(number)"), by: code("code 1"))
                #expect(outcome == (number < 6 ? .active : .refused))
                let issue = try await storage.issue(
                    id: octets("\(number)"), regOTTHash: octets("ott \(number)"))
                #expect((issue != nil) == (number < 6))
            }
            #expect(try await storage.identity(id: octets("5"))?.revokedAt == nil)
            #expect(try await storage.users(after: nil, limit: 1).first?.codeExpiresAt == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `until then a code is good for an hour, and a new enrolment revokes the one before`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("other")
            try await storage.tryProof("other", .good)
            _ = try await storage.enroll("one")
            for (next, before) in [("two", "one"), ("three", "two")] {
                clock.pass(Limits.issuedCodeLife / 3)
                #expect(try await storage.register(request(next), by: code("code one")) == .active)
                let issue = try await storage.issue(id: octets(next), regOTTHash: octets("ott " + next))
                #expect(issue?.revoked == [octets(before)])
            }
            clock.pass(Limits.issuedCodeLife / 3)
            #expect(try await storage.register(request("late"), by: code("code one")) == .refused)
            for (label, lives) in [("other", true), ("one", false), ("two", false), ("three", true)] {
                #expect((try await storage.identity(id: octets(label))?.revokedAt == nil) == lives)
            }
        }
    }
}
