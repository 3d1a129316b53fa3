// SPDX-License-Identifier: Apache-2.0
// Lifetimes that an administrator has shortened, at their last millisecond and the one after it.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct LifeTests {
    private var lives: Lives {
        var lives = Lives()
        (lives.code, lives.qrCode, lives.registration) = (60_000, 61_000, 62_000)
        return lives
    }

    @Test(arguments: Engine.allCases, [false, true])
    func `a code is good until its shortened end`(_ engine: Engine, _ byQRCode: Bool) async throws {
        for late in [false, true] {
            try await withStorage(engine, lives: lives) { (storage, clock) async throws -> Void in
                try await storage.addUser(
                    "alice", codeHash: octets("c"), replace: false, byQRCode: byQRCode)
                clock.pass((byQRCode ? 61_000 : 60_000) - (late ? 0 : 1))
                let outcome = try await storage.register(request("one", kind: .bound), by: code("c"))
                #expect(outcome == (late ? .refused : .active))
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a registration waits until its shortened end`(_ engine: Engine) async throws {
        try await withStorage(engine, lives: lives) { (storage, clock) async throws -> Void in
            #expect(try await storage.register(request("one"), by: .confirmation) == .waiting)
            clock.pass(61_999)
            #expect(try await storage.waitingRegistrations().count == 1)
            clock.pass(1)
            #expect(try await storage.waitingRegistrations().isEmpty)
        }
    }
}
