// SPDX-License-Identifier: Apache-2.0
// Of many concurrent uses of one record one succeeds, even where two daemons share a database.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct RaceTests {
    @Test(arguments: Engine.allCases)
    func `of a hundred redemptions of one authOTT one succeeds`(_ engine: Engine) async throws {
        try await withReplicas(engine) { replicas in
            _ = try await replicas[0].enroll("one")
            for _ in 0..<5 {
                try await replicas[0].tryProof("one", .good)
                let redeemed = try await count(100) { try await replicas[$0 % 2].redeemProof() != nil }
                #expect(redeemed == 1)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `of a hundred issues of one registration one succeeds`(_ engine: Engine) async throws {
        try await withReplicas(engine) { replicas in
            try await replicas[0].addUser("alice", codeHash: octets("c"), replace: false)
            _ = try await replicas[0].register(request("one"), by: code("c"))
            let issued = try await count(100) { number in
                try await replicas[number % 2].issue(id: octets("one"), regOTTHash: octets("ott one")) != nil
            }
            #expect(issued == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of a hundred registrations with one code one stays valid`(_ engine: Engine) async throws {
        try await withReplicas(engine) { replicas in
            try await replicas[0].addUser("alice", codeHash: octets("c"), replace: false)
            let issued = try await count(100) { number in
                let storage = replicas[number % 2]
                _ = try await storage.register(request("r\(number)"), by: code("c"))
                return try await storage.issue(id: octets("r\(number)"), regOTTHash: octets("ott r\(number)"))
                    != nil
            }
            let identities = try await replicas[1].users(after: nil, limit: 1).first?.identities ?? []
            #expect((1...Int(Limits.issuesPerCode)).contains(issued) && identities.count == issued)
            #expect(identities.count { $0.revokedAt == nil } == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of a hundred uses of one nonce, join code or pass 1 one succeeds`(_ engine: Engine) async throws {
        try await withReplicas(engine) { replicas in
            let code = JoinCodeRecord(joinID: [1], sealedKey: [2])
            _ = try await replicas[0].addHost("h", join: code)
            try await replicas[0].keepPassOne(passOne("one"), key: .n(octets("n")))
            let nonces = try await count(100) { try await replicas[$0 % 2].takeNonce(octets("n")) }
            let begun = try await count(100) { number in
                let key = PassOneKey.n(octets("n"))
                return try await replicas[number % 2].beginVerification(id: octets("one"), key: key) != nil
            }
            let joins = try await count(100) { number in
                try await replicas[number % 2].takeJoin(host: "h", joinID: [1]) != nil
            }
            #expect([nonces, begun, joins] == [1, 1, 1])
        }
    }

}
