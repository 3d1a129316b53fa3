// SPDX-License-Identifier: Apache-2.0
// Turns at the database, and lines in the log: how much of each one source may take.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

private let mallory = Source.user(1002)
private let relay = Source.user(990)

/// Eight turns at a time, two of them kept for root and the relays, four for one source.
private func eight() -> Turns { Turns(TurnLimits(processors: 2)) }

extension Turns {
    /// The order in which requests get turns, if one ends whenever none is free.
    fileprivate mutating func order() -> [Int] {
        var order: [Int] = []
        var working: [Int] = []
        while count > 0 || !working.isEmpty {
            while let id = next() {
                order.append(id)
                working.append(id)
            }
            if !working.isEmpty { end(working.removeFirst()) }
        }
        return order
    }
}

@Suite(.slow) struct TurnTests {
    @Test func `one source has four requests in work at a time`() {
        var turns = eight()
        for id in 1...100 { turns.wait(id, mallory, isPrivileged: false) }
        var begun = 0
        while turns.next() != nil { begun += 1 }
        #expect(begun == 4)
        turns.end(1)
        turns.end(1)
        #expect(turns.next() == 5)
        #expect(turns.next() == nil)
    }

    @Test func `a newcomer's request comes before the rest of a crowd's`() {
        var turns = eight()
        for id in 1...1000 { turns.wait(id, mallory, isPrivileged: false) }
        turns.wait(2000, .user(1001), isPrivileged: false)
        #expect(turns.order().firstIndex(of: 2000) ?? .max < 8)
    }

    @Test func `every request gets a turn`() {
        var turns = eight()
        for id in 1...500 { turns.wait(id, .ipv4(UInt32(id % 7)), isPrivileged: id % 7 == 0) }
        #expect(turns.order().sorted() == Array(1...500))
    }

    @Test func `strangers leave two turns to root and the relays`() {
        var turns = eight()
        for id in 1...100 { turns.wait(id, .ipv4(UInt32(id)), isPrivileged: false) }
        var begun = 0
        while turns.next() != nil { begun += 1 }
        #expect(begun == 6)
        turns.wait(200, relay, isPrivileged: true)
        turns.wait(201, relay, isPrivileged: true)
        #expect(turns.next() == 200)
        #expect(turns.next() == 201)
        #expect(turns.next() == nil)
    }

    @Test func `a network of 48 bits gets four turns for one of another source`() {
        var turns = eight()
        for id in 0..<400 {
            turns.wait(id, .ipv6(0x2001_0db8_0001_0000 + UInt64(id)), isPrivileged: false)
        }
        for id in 400..<500 { turns.wait(id, mallory, isPrivileged: false) }
        let first = turns.order().prefix(100)
        #expect((15...25).contains(first.count { $0 >= 400 }), "\(first.count { $0 >= 400 })")
    }

    @Test func `a flood of refusals gives ten lines a minute and a sum`() {
        var refusals = Refusals()
        let start = ContinuousClock.now
        let lines = (0..<5000).count { _ in
            refusals.note(.share, mallory, isPrivileged: false, now: start)
        }
        #expect(lines == 10)
        #expect(refusals.note(.answer, .user(1001), isPrivileged: false, now: start) == true)
        #expect(refusals.note(.slow, mallory, isPrivileged: false, now: start) == false)
        #expect(refusals.take(now: start + .seconds(59)).isEmpty == true)
        let told = refusals.take(now: start + .seconds(61)).map { $0.fields.map { "\($0.name)=\($0.value)" } }
        #expect(told == [["source=local:1002", "seconds=61", "count=4991", "over-share=4990", "slow=1"]])
        #expect(refusals.take(now: start + .seconds(200)).isEmpty == true)
        #expect(refusals.note(.share, mallory, isPrivileged: false, now: start + .seconds(61)) == true)
    }

    @Test func `a flood from many networks gives one sum`() {
        var refusals = Refusals()
        let start = ContinuousClock.now
        let lines = (0..<5000).count { number in
            refusals.note(.answer, .ipv4(UInt32(number)), isPrivileged: false, now: start)
        }
        #expect(lines == 256)
        #expect(refusals.note(.answer, mallory, isPrivileged: false, now: start) == false)
        let told = refusals.take(now: start, isEnd: true)
        #expect(told.map(\.source) == ["others"])
        #expect(told.first?.counts.first?.count == 4745)
        // Subnets of one network are counted as the network.
        for subnet in 0..<10 {
            #expect(refusals.note(.answer, .ipv6(UInt64(subnet)), isPrivileged: false, now: start) == true)
        }
        #expect(refusals.note(.answer, .ipv6(10), isPrivileged: false, now: start) == false)
    }
}
