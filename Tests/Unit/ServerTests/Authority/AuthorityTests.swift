// SPDX-License-Identifier: Apache-2.0
// The authority's frames: their form, their answers, and that no other frame leads to a share.
import Glibc
import MPin
@testable import MPinDatabase
@testable import MPinServer
import Octets
import Secrets
import Synchronization
import TestSupport
import Testing

/// A real authority behind its frames, and a clock for its limits.
private final class Responder: Sendable {
    let responder: AuthorityResponder
    let authority: MasterAuthority
    private let folder: String
    let later: Later

    init() throws {
        let folder = try newFolder()
        try MasterFile.create(folder: folder)
        let book = try AuthorityBook(sqlite: .file(folder + "/book.db"))
        let authority = try MasterFile(folder: folder).authority(book: book, now: Effects.system.now)
        let later = Later()
        responder = AuthorityResponder(authority, now: { later.now })
        (self.folder, self.authority, self.later) = (folder, authority, later)
    }

    deinit { removeFolder(folder) }

    final class Later: Sendable {
        private let passed = Mutex(Duration.zero)
        private let start = ContinuousClock.now
        var now: ContinuousClock.Instant { start + passed.withLock(\.self) }
        func pass(_ time: Duration) { passed.withLock { $0 += time } }
    }
    /// The whole answer as octets.
    func ask(_ frame: [UInt8]) async throws -> [UInt8] {
        let reply = try await responder.reply(to: frame)
        return reply.answer.frame.withBytes(octets)
    }

    func status(_ question: AuthorityQuestion) async throws -> UInt8 { try await ask(question.octets)[1] }
}

private func octets(_ bytes: RawSpan) -> [UInt8] {
    (0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
}

private let (done, refused, busy, malformed, otherEpoch): (UInt8, UInt8, UInt8, UInt8, UInt8) = (
    1, 2, 3, 4, 5
)

@Suite(.slow) struct AuthorityTests {
    private let id = IdentityHash(repeating: 7)

    @Test func `each command gives what the authority gives without frames`() async throws {
        let responder = try Responder()
        for half in [ShareIndex.first, .second] {
            let answer = try await responder.ask(AuthorityQuestion.serverSecret(half).octets)
            let share = try responder.authority.serverSecretShare(half).withBytes(octets)
            #expect(answer == [1, done, 0, 0, 0, 0, 0, 1] + share)
        }
        let share = try await responder.ask(
            AuthorityQuestion.clientSecret(.first, of: id, epoch: 1).octets)
        #expect(share.count == 136 && share[1] == done && share[8] == 4)
        #expect(share[73...].allSatisfy { $0 == 0 })
        let today = Effects.system.now().day
        let permit = try await responder.ask(
            AuthorityQuestion.timePermit(.first, of: id, date: today, epoch: 1).octets)
        let same = try await responder.authority.timePermitShare(.first, of: id, date: today)
        #expect(Array(permit[8..<73]) == same)
        #expect(try await responder.status(.timePermit(.second, of: id, date: today, epoch: 1)) == refused)
        #expect(try await responder.status(.revoke(id, epoch: 1)) == done)
        #expect(try await responder.status(.timePermit(.first, of: id, date: today, epoch: 1)) == refused)
    }

    @Test func `a client secret is issued once, by frames or without them`() async throws {
        let responder = try Responder()
        #expect(try await responder.status(.clientSecret(.first, of: id, epoch: 1)) == done)
        #expect(try await responder.status(.clientSecret(.first, of: id, epoch: 1)) == refused)
        #expect(try await responder.status(.clientSecret(.second, of: id, epoch: 1)) == done)
        await #expect(throws: AuthorityError.refused) {
            _ = try await responder.authority.clientSecretShare(.second, of: id)
        }
    }

    @Test func `a front that started under another master secret gets nothing`() async throws {
        let responder = try Responder()
        for epoch in [2, UInt32.max] {
            #expect(try await responder.status(.clientSecret(.first, of: id, epoch: epoch)) == otherEpoch)
            #expect(try await responder.status(.revoke(id, epoch: epoch)) == otherEpoch)
        }
        #expect(try await responder.status(.clientSecret(.first, of: id, epoch: 1)) == done)
    }

    @Test func `every octet that a command does not use must be zero`() async throws {
        let responder = try Responder()
        let questions: [(AuthorityQuestion, ClosedRange<Int>)] = [
            (.serverSecret(.first), 4...43), (.clientSecret(.first, of: id, epoch: 1), 8...11),
            (.revoke(id, epoch: 1), 8...11),
        ]
        for (question, unused) in questions {
            let frame = question.octets
            #expect(AuthorityQuestion(frame) == question)
            for place in [0, 3] + unused {
                var other = frame
                other[place] ^= 0x80
                #expect(AuthorityQuestion(other) == nil, "\(question.command), octet \(place)")
                #expect(try await responder.ask(other)[1] == malformed)
            }
        }
        for (command, half) in [(1, 0), (2, 0), (3, 0), (4, 1), (4, 2), (1, 3), (0, 1), (5, 1)]
            as [(UInt8, UInt8)]
        {
            let frame = [1, command, half, 0, 0, 0, 0, command == 1 ? 0 : 1, 0, 0, 0, 0] + id.octets
            #expect(AuthorityQuestion(frame) == nil, "command \(command), half \(half)")
        }
        for count in [0, 1, 43, 45, 136] {
            #expect(try await responder.ask([UInt8](repeating: 1, count: count))[1] == malformed)
        }
    }

    @Test func `a compromised front gets only a limited number of shares`() async throws {
        let responder = try Responder()
        func issued(_ count: UInt16, from: UInt8) async throws -> Int {
            var issued = 0
            for number in 0..<count {
                let id: IdentityHash = [from, UInt8(number >> 8), UInt8(number & 255)]
                let status = try await responder.status(.clientSecret(.first, of: id, epoch: 1))
                if status == done { issued += 1 } else { #expect(status == busy) }
            }
            return issued
        }
        #expect(try await issued(250, from: 1) == 200)
        #expect(try await issued(10, from: 2) == 0)
        responder.later.pass(.seconds(2))
        #expect(try await issued(20, from: 3) == 8)
        responder.later.pass(.seconds(86_400))
        #expect(try await issued(250, from: 4) == 200)
        for half in 0..<100 {
            #expect(try await responder.status(.serverSecret(half % 2 == 0 ? .first : .second)) == done)
        }
        #expect(try await responder.status(.serverSecret(.first)) == busy)
        // A command that only takes rights away is never refused.
        #expect(try await responder.status(.revoke(id, epoch: 1)) == done)
    }

    /// Half of the frames are random octets; in the other half most octets are right.
    @Test func `random frames are answered, and never with the same share twice`() async throws {
        let responder = try Responder()
        var random = SplitMix(seed: 23)
        var issued: Set<[UInt8]> = []
        for round in 0..<rounds(10_000) {
            var frame = (0..<44).map { _ in UInt8.random(in: 0...255, using: &random) }
            if round % 2 == 0 {
                frame[0] = 1
                frame[1] = UInt8.random(in: 1...4, using: &random)
                frame[2] = UInt8.random(in: 0...2, using: &random)
                frame.replaceSubrange(3..<12, with: [0, 0, 0, 0, 1, 0, 0, 0, 0])
                for place in 12..<44 { frame[place] &= 1 }
                for place in 18..<44 { frame[place] = 0 }
            }
            let answer = try await responder.ask(frame)
            #expect(answer.count == 136 && answer[0] == 1 && (1...7).contains(answer[1]))
            if answer[1] == done, frame[1] == 2 {
                #expect(issued.insert(Array(frame[2...])).inserted)
            } else if answer[1] != done {
                #expect(answer[8...].allSatisfy { $0 == 0 })
            }
            if round % 1000 == 0 { responder.later.pass(.seconds(5)) }
        }
        #expect(!issued.isEmpty)
    }
}
