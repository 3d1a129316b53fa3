// SPDX-License-Identifier: Apache-2.0
// Turns at the database, and lines in the log: how much of each one source may take.
import MPinServer
import Synchronization
import TestSupport
import Testing

private let mallory = ServedClient(user: 1002)
private let relay = ServedClient(user: 990, isPrivileged: true)

/// Eight requests at a time, two of them kept for root and the relays, four for one source.
private final class QueueFixture: Sendable {
    private let queue = RequestQueue(RequestLimits(processors: 2))
    private let began = Mutex<[(id: Int, client: ServedClient)]>([])

    /// The requests that were begun since the last call.
    var begun: [Int] { taken().map(\.id) }

    func add(_ id: Int, _ client: ServedClient) {
        queue.add(client) { [self] in began.withLock { $0.append((id, client)) } }
    }

    func end(_ client: ServedClient) { queue.end(client) }

    /// The order in which all requests begin, if one ends whenever none is free.
    func order() -> [Int] {
        var order: [Int] = []
        var working: [ServedClient] = []
        repeat {
            for one in taken() {
                order.append(one.id)
                working.append(one.client)
            }
            if !working.isEmpty { queue.end(working.removeFirst()) }
        } while !working.isEmpty || began.withLock({ !$0.isEmpty })
        return order
    }

    private func taken() -> [(id: Int, client: ServedClient)] {
        began.withLock { began in
            defer { began = [] }
            return began
        }
    }
}

@Suite(.slow) struct RequestQueueTests {
    @Test func `one source has four requests in work at a time`() {
        let queue = QueueFixture()
        for id in 1...100 { queue.add(id, mallory) }
        #expect(queue.begun.count == 4)
        queue.end(mallory)
        #expect(queue.begun == [5])
    }

    @Test func `a newcomer's request comes before the rest of a crowd's`() {
        let queue = QueueFixture()
        for id in 1...1000 { queue.add(id, mallory) }
        queue.add(2000, ServedClient(user: 1001))
        #expect(queue.order().firstIndex(of: 2000) ?? .max < 8)
    }

    @Test func `every request gets a turn`() {
        let queue = QueueFixture()
        for id in 1...500 { queue.add(id, id % 7 == 0 ? relay : .ipv4(UInt32(id % 7))) }
        #expect(queue.order().sorted() == Array(1...500))
    }

    @Test func `strangers leave two turns to root and the relays`() {
        let queue = QueueFixture()
        for id in 1...100 { queue.add(id, .ipv4(UInt32(id))) }
        #expect(queue.begun.count == 6)
        queue.add(200, relay)
        queue.add(201, relay)
        #expect(queue.begun == [200, 201])
    }

    @Test func `a network of 48 bits gets four turns for one of another source`() {
        let queue = QueueFixture()
        for id in 0..<400 {
            queue.add(id, .ipv6(0x2001_0db8_0001_0000 + UInt64(id)))
        }
        for id in 400..<500 { queue.add(id, mallory) }
        let first = queue.order().prefix(100)
        #expect((15...25).contains(first.count { $0 >= 400 }), "\(first.count { $0 >= 400 })")
    }

    @Test func `a flood of refusals gives ten lines a minute and a sum`() {
        var limiter = LogLimiter()
        let start = ContinuousClock.now
        let lines = (0..<5000).count { _ in
            limiter.allows(.share, mallory, now: start)
        }
        #expect(lines == 10)
        #expect(limiter.allows(.answer, ServedClient(user: 1001), now: start) == true)
        #expect(limiter.allows(.slow, mallory, now: start) == false)
        #expect(limiter.take(now: start + .seconds(59)).isEmpty == true)
        let told = limiter.take(now: start + .seconds(61)).map { $0.map { "\($0.name)=\($0.value)" } }
        #expect(told == [["source=local:1002", "seconds=61", "count=4991", "over-share=4990", "slow=1"]])
        #expect(limiter.take(now: start + .seconds(200)).isEmpty == true)
        #expect(limiter.allows(.share, mallory, now: start + .seconds(61)) == true)
    }

    @Test func `a flood from many networks gives one sum`() {
        var limiter = LogLimiter()
        let start = ContinuousClock.now
        let lines = (0..<5000).count { number in
            limiter.allows(.answer, .ipv4(UInt32(number)), now: start)
        }
        #expect(lines == 256)
        #expect(limiter.allows(.answer, mallory, now: start) == false)
        let told = limiter.take(now: start, isEnd: true)
        #expect(told.map { $0.first?.value } == ["others"])
        #expect(told.first?.last?.value == "4745")
        // Subnets of one network are counted as the network.
        for subnet in 0..<10 {
            #expect(limiter.allows(.answer, .ipv6(UInt64(subnet)), now: start) == true)
        }
        #expect(limiter.allows(.answer, .ipv6(10), now: start) == false)
    }
}
