// SPDX-License-Identifier: Apache-2.0
// What a restart, a kill and a damaged file do to the database.
import Foundation
@testable import MPinDatabase
@testable import MPinServer
import Synchronization
import TestSupport
import Testing

@Suite(.slow) struct DurabilityTests {
    @Test func `a restart keeps a session, its approval and the counted look-ups`() async throws {
        let folder = try Folder()
        let clock = TestClock()
        var storage = try folder.open(clock)
        _ = try await storage.enroll("one")
        let opening = SessionOpening(
            wid: "w", number: "3232212", host: "prod-db1", hostEpoch: 1, requester: requester("s"),
            a: octets("A"), question: [1], life: Limits.sessionLife)
        _ = try await storage.openSession(opening)
        let guesser = requester("s")
        for _ in 0..<10 { _ = try await storage.look("3232212", guesser) }
        await storage.close()
        storage = try folder.open(clock)
        #expect(try await storage.look("3232212", guesser) == nil)
        #expect(try await storage.session(.number("3232212"))?.state == .open)
        let approval = Approval(wid: "w", id: octets("one"), source: "s", tokenHash: octets("t"))
        #expect(try await storage.approve(approval))
        await storage.close()
        storage = try folder.open(clock)
        #expect(try await storage.settleSession(a: octets("A"))?.approver != nil)
        await storage.close()
        storage = try folder.open(clock)
        #expect(try await storage.settleSession(a: octets("A"))?.approver == nil)
    }

    @Test func `a closed storage throws an error`() async throws {
        for engine in Engine.allCases {
            try await withStorage(engine) { storage, _ in
                await storage.close()
                await #expect(throws: StorageError.closed) { try await storage.identity(id: octets("one")) }
                await #expect(throws: StorageError.closed) { try await storage.unlock(.user("alice")) }
            }
        }
    }

    @Test func `the files are private, whatever the umask is`() async throws {
        let folder = try Folder()
        let storage = try ServerDatabase(sqlite: .file(folder.database))
        _ = try await storage.enroll("one")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["mpind.db", "mpind.db-shm", "mpind.db-wal"])
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        withExtendedLifetime(storage) {}
    }

    /// Without the locks another program that opens and closes the database would delete the log that we use.
    @Test func `other processes see the locks of every open connection`() async throws {
        let folder = try Folder()
        let path = folder.path
        let storage = try ServerDatabase(sqlite: .file(path + "/mpind.db"))
        let book = try AuthorityBook(sqlite: .file(path + "/book.db"))
        await #expect(processExitsWith: .success) { [path = path as String] in
            for name in ["mpind.db", "book.db"] {
                let file = unsafe open(path + "/" + name, O_RDWR)
                var lock = flock()
                lock.l_type = Int16(F_WRLCK)
                let asked = unsafe fcntl(file, F_GETLK, &lock)
                guard asked == 0, lock.l_type == Int16(F_RDLCK) else { exit(1) }
            }
        }
        await storage.close()
        await book.close()
    }

    @Test func `a file that others may read, a link and a missing folder are refused`() throws {
        let folder = try Folder()
        #expect(FileManager.default.createFile(atPath: folder.database, contents: nil))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: folder.database)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/target")
        for path in ["mpind.db", "link", "missing/mpind.db"] {
            #expect(throws: StorageError.self) {
                try ServerDatabase(sqlite: .file(folder.path + "/" + path))
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/target"))
    }

    @Test func `a file that is not a database, or one of another kind, is corrupt and stays unchanged`()
        async throws
    {
        let folder = try Folder()
        let text = Data("This is no database, but a letter of some length to somebody else.\n".utf8)
        #expect(
            FileManager.default.createFile(
                atPath: folder.database, contents: text, attributes: [.posixPermissions: 0o600]))
        #expect(throws: StorageError.corrupt) { try ServerDatabase(sqlite: .file(folder.database)) }
        #expect(FileManager.default.contents(atPath: folder.database) == text)
        let book = try AuthorityBook(sqlite: .file(folder.path + "/book"))
        #expect(throws: StorageError.corrupt) { try ServerDatabase(sqlite: .file(folder.path + "/book")) }
        await book.close()
    }

    @Test func `an overwritten page is an error, never a trap`() async throws {
        let folder = try Folder()
        let storage = try ServerDatabase(sqlite: .file(folder.database))
        for number in 0..<50 { _ = try await storage.enroll("m\(number)", of: "user\(number)") }
        await storage.close()
        var file = try #require(FileManager.default.contents(atPath: folder.database))
        for page in 1..<file.count / 4096 {
            file.replaceSubrange(page * 4096..<page * 4096 + 64, with: [UInt8](repeating: 0xA5, count: 64))
        }
        try file.write(to: URL(fileURLWithPath: folder.database))
        await #expect(throws: StorageError.corrupt) {
            let damaged = try ServerDatabase(sqlite: .file(folder.database))
            for number in 0..<50 { _ = try await damaged.identity(id: octets("m\(number)")) }
            _ = try await damaged.users(after: nil, limit: 100)
        }
    }

    @Test func `a database of another version is refused with its version`() async throws {
        let folder = try Folder()
        let storage = try ServerDatabase(sqlite: .file(folder.database))
        await storage.close()
        let connection = try SQLiteConnection(.file(folder.database))
        _ = try connection.run("PRAGMA user_version = 99", [])
        #expect(throws: StorageError.otherVersion(99)) { try ServerDatabase(sqlite: .file(folder.database)) }
    }

    @Test func `a full disk and a held lock have errors of their own`() throws {
        let folder = try Folder()
        let one = try SQLiteConnection(.file(folder.database))
        let two = try SQLiteConnection(.file(folder.database))
        _ = try one.run("CREATE TABLE t (x BLOB)", [])
        _ = try one.run("PRAGMA max_page_count = 10", [])
        try one.begin(.durable)
        #expect(throws: StorageError.full) {
            try one.run("INSERT INTO t VALUES ($1)", [.octets([UInt8](repeating: 1, count: 100_000))])
        }
        one.rollBack()
        try one.begin(.durable)
        _ = try two.run("PRAGMA busy_timeout = 1", [])
        #expect(throws: StorageError.busy) { try two.begin(.durable) }
        two.rollBack()
        one.rollBack()
        try two.begin(.durable)
        try two.commit()
    }

    @Test func `a durable transaction waits for the disk, a brief one does not`() throws {
        let folder = try Folder()
        let connection = try SQLiteConnection(.file(folder.database))
        func settings() throws -> [Row] {
            try connection.run(
                """
                SELECT * FROM pragma_journal_mode, pragma_synchronous, pragma_secure_delete,
                    pragma_foreign_keys, pragma_trusted_schema
                """, [])
        }
        for (access, synchronous) in [(Access.durable, 2), (.brief, 1), (.brief, 1), (.durable, 2)] {
            try connection.begin(access)
            let expected = [
                Value.text("wal"), .integer(Int64(synchronous)), .integer(1), .integer(1), .integer(0),
            ]
            #expect(try settings() == [Row(expected)])
            try connection.commit()
        }
    }

    @Test func `used-up codes and tickets are no longer in the file`() async throws {
        let folder = try Folder()
        let storage = try ServerDatabase(sqlite: .file(folder.database))
        _ = try await storage.enroll("an mpinId that stays")
        try await storage.tryProof("an mpinId that stays", .good)
        await storage.close()
        let file = try #require(FileManager.default.contents(atPath: folder.database))
        #expect(file.range(of: Data("an mpinId that stays".utf8)) != nil)
        #expect(file.range(of: Data("code an mpinId that stays".utf8)) == nil)
        #expect(file.range(of: Data("ott an mpinId that stays".utf8)) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.database + "-wal"))
    }

    /// The child writes with many tasks at once, notes each answer in a file beside the database, and dies by
    /// SIGKILL while it writes.
    @Test(arguments: 0..<min(5 * fuzz, 50))
    func `what was acknowledged before a kill is there after it`(_ round: Int) async throws {
        let folder = try Folder()
        let path = folder.path
        let after = 20 + 37 * round % 150
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, after = after as Int] in
            let book = try AuthorityBook(sqlite: .file(path + "/book"))
            let storage = try ServerDatabase(sqlite: .file(path + "/mpind.db"))
            let notes = unsafe open(path + "/notes", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            let written = Counter()
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for number in 0..<200 {
                            let label = "\(task)-\(number)"
                            guard (try? await book.issueOnce(authority: 1, hash: octets(label))) == true,
                                (try? await storage.enroll(label, of: label)) != nil,
                                (try? await storage.keepPassOne(passOne(label), key: .n(octets(label))))
                                    != nil,
                                let begun = try? await storage.beginVerification(
                                    id: octets(label), key: .n(octets(label))),
                                begun.triesLeft == 2
                            else { exit(1) }
                            let line = Array((label + "\n").utf8)
                            guard unsafe write(notes, line, line.count) == line.count else { exit(2) }
                            if written.next() == after { kill(getpid(), SIGKILL) }
                        }
                    }
                }
            }
        }
        let notes = try String(contentsOfFile: path + "/notes", encoding: .utf8)
        let labels = notes.split(separator: "\n").map(String.init)
        #expect(labels.count >= after)
        let book = try AuthorityBook(sqlite: .file(path + "/book"))
        let storage = try ServerDatabase(sqlite: .file(path + "/mpind.db"))
        for label in labels {
            #expect(try await !book.issueOnce(authority: 1, hash: octets(label)))
            #expect(try await storage.identity(id: octets(label)) != nil)
            #expect(try await storage.tryProofAndRedeem(label, .wrong)?.triesLeft == 1)
        }
        withExtendedLifetime(folder) {}
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
