// SPDX-License-Identifier: Apache-2.0
// Used questions, when the clock of the machine, or of the database, goes back.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import Octets
import TestSupport
import Testing

@Suite(.slow) struct NonceTests {
    /// The nonce of a question that a host makes now.
    private func nonce(_ clock: TestClock, off seconds: Int64 = 0) throws -> QuestionNonce {
        let now = UInt64(clock.milliseconds / Limits.second + seconds)
        return try #require(SealedQuestion.nonce(at: now, random: [UInt8](repeating: 7, count: 24)))
    }

    @Test(arguments: Engine.allCases)
    func `a used question is not taken again, however far the clock is set back`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            let used = try nonce(clock)
            #expect(try await storage.takeNonce(used))
            for time in [24 * Limits.minute, Limits.hour, 30 * Limits.day] {
                clock.pass(time)
                while try await storage.purge() > 0 {}
                clock.pass(-time)
                await #expect(throws: StorageError.self) { try await storage.takeNonce(used) }
                await #expect(throws: StorageError.self) {
                    try await storage.keepPassOne(nonce: used, id: octets("one"), key: .n(octets("n"))) { _ in
                        passOne("one")
                    }
                }
                // A second later, as hosts make new questions, logins go on.
                clock.pass(Limits.second)
                #expect(try await storage.takeNonce(nonce(clock)))
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `while no clock goes back, the question of a host whose clock is ten minutes slow is taken`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            for _ in 0..<10 {
                #expect(try await storage.takeNonce(nonce(clock, off: 600)))
                #expect(try await storage.takeNonce(nonce(clock, off: -600)))
                clock.pass(7 * Limits.minute)
                while try await storage.purge() > 0 {}
            }
        }
    }

    @Test func `a restart does not forget what was used`() async throws {
        let (folder, clock) = (try Folder(), TestClock())
        let used = try nonce(clock)
        let first = try folder.open(clock)
        #expect(try await first.takeNonce(used))
        clock.pass(Limits.hour)
        _ = try await first.purge()
        await first.close()
        clock.pass(-Limits.hour)
        let second = try folder.open(clock)
        await #expect(throws: StorageError.self) { try await second.takeNonce(used) }
        withExtendedLifetime(folder) {}
    }
}
