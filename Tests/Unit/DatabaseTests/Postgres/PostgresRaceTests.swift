// SPDX-License-Identifier: Apache-2.0
// Transactions of PostgreSQL that meet: what they see of each other, and that none waits for long.
import Foundation
@testable import MPinDatabase
@testable import MPinServer
import Octets
import Synchronization
import TestSupport
import Testing

@Suite(.slow, .enabled(if: TestDatabase.cluster != nil)) struct PostgresRaceTests {
    @Test func `a role's defaults do not change how transactions are kept apart`() async throws {
        try await withDatabase { database in
            for level in ["repeatable read", "serializable"] {
                try database.command(
                    "ALTER DATABASE \(database.name) SET default_transaction_isolation = '\(level)'")
                let connection = try PostgresConnection(database.place())
                for (access, expected) in [
                    (Access.durable, "read committed"), (.brief, "read committed"),
                    (.read, "repeatable read"),
                ] {
                    try connection.begin(access)
                    let said = try connection.run(
                        """
                        SELECT current_setting('transaction_isolation'), current_setting('statement_timeout'),
                            current_setting('idle_in_transaction_session_timeout')
                        """, [])
                    #expect(said == [Row([.text(expected), .text("3s"), .text("10s")])])
                    try connection.commit()
                }
            }
        }
    }

    /// PostgreSQL ends a circle after a second, and then the transaction is run again.
    @Test func `pass 1s of a source at its limit never wait for each other in a circle`() async throws {
        try await withDatabase { database in
            let (clock, retries) = (TestClock(), Retries())
            let storage = try ServerDatabase(
                postgres: database.place(connections: 8), clock: { clock.milliseconds }, observer: retries)
            let limit = Int(Limits.passOnesPerSource)
            @Sendable func keep(_ number: Int) async throws {
                try await storage.keepPassOne(
                    passOne("\(number)", from: "s"), key: .n(octets("\(number)")))
            }
            for number in 0..<limit {
                try await keep(number)
                clock.pass(1)
            }
            for round in 0..<20 {
                // The oldest ones are renewed while new ones have them removed.
                let oldest = round * 8
                _ = try await count(16) { number in
                    try await keep(number < 8 ? oldest + number : limit + oldest + number)
                    return true
                }
                clock.pass(1)
            }
            #expect(retries.count.load(ordering: .relaxed) == 0)
            let isNearLimit = "SELECT count(*) BETWEEN \(limit - 16) AND \(limit + 16) FROM pass_ones"
            let kept = try PostgresConnection(database.place()).run(isNearLimit, [])
            #expect(kept == [Row([.integer(1)])])
            await storage.close()
        }
    }

    /// In some of the questions, and in the order of ids, the first user comes first, in others the second.
    @Test func `questions about the same two users never wait for each other in a circle`() async throws {
        try await withDatabase { database in
            let retries = Retries()
            let storage = try ServerDatabase(postgres: database.place(connections: 8), observer: retries)
            for number in 0..<4 {
                for user in ["alice", "bob"] { _ = try await storage.enroll("\(number) \(user)", of: user) }
            }
            for round in 0..<4 {
                _ = try await count(16) { number in
                    let ids: [IdentityHash] = [
                        octets("\(number % 4) alice"), octets("\(number / 4) bob"),
                    ]
                    let question = OTPQuestion(
                        a: octets("\(round) \(number)"), ids: number % 2 == 0 ? ids : ids.reversed(),
                        host: "h", hostEpoch: 1, source: "s", life: 60_000)
                    return try await storage.askOTPs(question).count == 2
                }
            }
            #expect(retries.count.load(ordering: .relaxed) == 0)
            await storage.close()
        }
    }

    /// The other transaction has what the redemption waits for, and then waits for the ticket that the
    /// redemption has taken. PostgreSQL ends the redemption, because the other one looks for no deadlock.
    @Test func `a transaction that a deadlock ended is run again`() async throws {
        try await withDatabase { database in
            let retries = Retries()
            let storage = try ServerDatabase(postgres: database.place(), observer: retries)
            _ = try await storage.enroll("one")
            try await storage.tryProof("one", .good)
            let redeemed = try await onThread {
                let other = try PostgresConnection(database.place())
                try other.begin(.durable)
                _ = try other.run("SET LOCAL deadlock_timeout = '1min'", [])
                _ = try other.run("SET LOCAL statement_timeout = 0", [])
                try other.serialize(on: .owner(of: octets("one")))
                let redeemed = Task { try await storage.redeemProof() }
                try waitForLock(other)
                _ = try other.run("UPDATE verdicts SET source = source", [])
                try other.commit()
                return redeemed
            }
            #expect(try await redeemed.value?.verdict.result == .good)
            #expect(retries.count.load(ordering: .relaxed) >= 1)
            await storage.close()
        }
    }

    @Test func `who follows the audit trail does not wait for a vacuum, nor have others wait`() async throws {
        try await withDatabase { database in
            let storage = try ServerDatabase(postgres: database.place())
            let vacuum = try PostgresConnection(database.place())
            try vacuum.begin(.durable)
            _ = try vacuum.run("SET LOCAL idle_in_transaction_session_timeout = 0", [])
            _ = try vacuum.run("LOCK TABLE audit IN SHARE UPDATE EXCLUSIVE MODE", [])
            for number in 1...3 {
                try await storage.append(AuditEvent(kind: "user.add", subject: "\(number)"))
                #expect(try await storage.auditRecords(AuditQuery(after: 0), limit: 10).count == number)
            }
            try vacuum.commit()
            await storage.close()
        }
    }

    /// Numbers are given before the commit, so a smaller one may become visible after a greater one.
    @Test func `who follows the audit trail waits for records that are being written`() async throws {
        try await withDatabase { database in
            let storage = try ServerDatabase(postgres: database.place(connections: 3))
            let (slow, followed) = try await onThread {
                let inTheWay = try PostgresConnection(database.place())
                try inTheWay.begin(.durable)
                _ = try inTheWay.run("LOCK TABLE audit_fields IN SHARE MODE", [])
                let event = AuditEvent(kind: "user.add", subject: "slow", fields: [AuditField("a", "b")])
                let slow = Task { try await storage.append(event) }
                try waitForLock(inTheWay, of: "relation")
                let followed = Task {
                    try await storage.append(AuditEvent(kind: "user.add", subject: "quick"))
                    return try await storage.auditRecords(AuditQuery(after: 0), limit: 10)
                }
                try waitForLock(inTheWay)
                try inTheWay.commit()
                return (slow, followed)
            }
            try await slow.value
            #expect(try await followed.value.map(\.event.subject) == ["quick", "slow"])
            await storage.close()
        }
    }

    @Test func `a failure in one table does not keep others from being purged`() async throws {
        try await withDatabase { database in
            let clock = TestClock()
            let storage = try ServerDatabase(postgres: database.place(), clock: { clock.milliseconds })
            _ = try await storage.takeNonce(octets("n"))
            clock.pass(Limits.nonceLife)
            try database.command("DROP TABLE awaited")
            await #expect(throws: StorageError.self) { try await storage.purge() }
            // False while its row is there.
            await #expect(throws: StorageError.self) { try await storage.takeNonce(octets("n")) }
            await storage.close()
        }
    }

    @Test func `what an approval grants waits for a revocation under way, and then grants nothing`()
        async throws
    {
        try await withDatabase { database in
            let storage = try ServerDatabase(postgres: database.place(connections: 4))
            _ = try await storage.enroll("one", kind: .bound)
            try await storage.openSessions()
            #expect(try await storage.approveConsole(as: "one"))
            #expect(try await storage.approveBrowser(as: "one"))
            #expect(try await storage.keepCode(as: "one") != nil)

            let (settled, taken, redeemed, password) = try await onThread {
                let revoking = try PostgresConnection(database.place())
                try revoking.begin(.durable)
                try revoking.serialize(on: .owner(of: octets("one")))
                let settled = Task { try await storage.settleSession(a: octets("A")) }
                let taken = Task { try await storage.takeCode(octets("code")) }
                let redeemed = Task {
                    try await storage.redeemBrowser(
                        authOTTHash: octets("auth"), result: LoginResult(status: 200))
                }
                let password = Task { try await storage.settleOTP(a: octets("A"), id: octets("one")) }
                try waitForLock(revoking, 4)
                _ = try revoking.run("UPDATE identities SET revoked_at = 1", [])
                try revoking.commit()
                return (settled, taken, redeemed, password)
            }
            #expect(try await settled.value?.approver?.isOut == true)
            #expect(try await taken.value?.identity.isOut == true)
            #expect(try await storage.grantedSession(a: octets("A")) == nil)
            #expect(try await redeemed.value?.approver?.isOut == true)
            #expect(try await password.value == nil)
            #expect(try await storage.browser(.webOTT(octets("web")))?.result.status == 403)
            await storage.close()
        }
    }
}

/// Runs what blocks on a thread of its own. A transaction that others wait for ends there as soon as they
/// wait, also while other tests keep the threads of tasks busy: PostgreSQL ends their waiting after three
/// seconds.
private func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { caller in
        Thread.detachNewThread { caller.resume(with: Result(catching: body)) }
    }
}

/// Returns when so many transactions wait for a lock of this kind; throws if that does not happen.
private func waitForLock(
    _ connection: PostgresConnection, _ number: Int = 1, of kind: String = "advisory"
) throws {
    let waiting = """
        SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database
        WHERE locktype = $1 AND NOT granted AND datname = current_database()
        """
    for _ in 0..<1000 {
        if try connection.run(waiting, [.text(kind)]).count >= number { return }
        Thread.sleep(forTimeInterval: 0.01)
    }
    throw StorageError.busy
}

/// Counts transactions that were run again.
private final class Retries: StorageObserver {
    let count = Atomic(0)

    func transactionBegan() {}
    func transactionEnded(_ access: Access, after time: Duration, error: StorageError?) {}
    func transactionRetried() { count.add(1, ordering: .relaxed) }
    func batchBegan(writers: Int) {}
    func connectionChanged(from old: ConnectionState?, to new: ConnectionState?) {}
}
