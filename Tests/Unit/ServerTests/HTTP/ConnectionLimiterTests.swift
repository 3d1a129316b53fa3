// SPDX-License-Identifier: Apache-2.0
// Shares of connections: who gets one, and which idle connection is closed for a newcomer.
import MPinServer
import MPinWire
import Synchronization
import TestSupport
import Testing

private let start = ContinuousClock.now
private let alice = ServedClient(user: 1001)
private let mallory = ServedClient(user: 1002)
private let relay = ServedClient(user: 990, isPrivileged: true)

/// 64 connections: 8 for a source, 32 for a /48, 16 kept for root and the relays.
private final class LimiterFixture: Sendable {
    enum Decision: Equatable { case admitted, admittedInsteadOf(Int), refused }

    let limiter = ConnectionLimiter(ConnectionLimits(total: 64)) { _ in }
    private let displaced = Mutex<Int?>(nil)

    func come(_ client: ServedClient, _ seconds: Double = 0) -> Decision {
        guard let id = limiter.admit(client, now: start + .seconds(seconds)) else { return .refused }
        limiter.attach(id) { [self] _ in displaced.withLock { $0 = id } }
        let other = displaced.withLock { $0.take() }
        return other.map { .admittedInsteadOf($0) } ?? .admitted
    }

    /// How many of `count` connections get a place without closing another one.
    func crowd(_ count: Int, _ client: (Int) -> ServedClient) -> Int {
        (0..<count).count { come(client($0)) == .admitted }
    }
}

@Suite(.slow) struct ConnectionLimiterTests {
    @Test func `one account gets no more than its share`() {
        let fixture = LimiterFixture()
        #expect(fixture.crowd(5000) { _ in mallory } == 8)
        #expect(fixture.come(alice) == .admitted)
        #expect(fixture.limiter.count == 9)
    }

    @Test func `at a full share a source's oldest idle connection is closed, after one second`() {
        let fixture = LimiterFixture()
        for second in 0..<8 { #expect(fixture.come(mallory, Double(second) / 10) == .admitted) }
        #expect(fixture.come(mallory, 0.9) == .refused)
        #expect(fixture.come(mallory, 1) == .admittedInsteadOf(1))
        #expect(fixture.come(mallory, 1.05) == .refused)
        #expect(fixture.come(mallory, 1.1) == .admittedInsteadOf(2))
        #expect(fixture.limiter.count == 8)
    }

    @Test func `a connection with a request in work is not closed`() {
        let fixture = LimiterFixture()
        for _ in 0..<8 { _ = fixture.come(mallory) }
        for id in 1...8 { fixture.limiter.beginRequest(id) }
        #expect(fixture.come(mallory, 9) == .refused)
        fixture.limiter.endRequest(3, now: start + .seconds(9))
        #expect(fixture.come(mallory, 9.5) == .refused)
        #expect(fixture.come(mallory, 10) == .admittedInsteadOf(3))
    }

    @Test func `a connection whose request was refused is closed at once for a newcomer`() {
        let fixture = LimiterFixture()
        for _ in 0..<8 { _ = fixture.come(mallory) }
        #expect(fixture.come(mallory, 0.1) == .refused)
        fixture.limiter.refuseRequest(5, now: start + .seconds(0.1))
        #expect(fixture.come(mallory, 0.1) == .admittedInsteadOf(5))
        #expect(fixture.come(mallory, 0.2) == .refused)
        // When the rest of the refused request has arrived, the connection is treated like any other.
        fixture.limiter.refuseRequest(6, now: start + .seconds(0.2))
        fixture.limiter.endRequest(6, now: start + .seconds(0.2))
        #expect(fixture.come(mallory, 0.3) == .refused)
    }

    @Test func `a place is free again after its connection has ended`() {
        let fixture = LimiterFixture()
        for _ in 0..<8 { _ = fixture.come(mallory) }
        fixture.limiter.remove(5)
        fixture.limiter.remove(5)
        #expect(fixture.come(mallory) == .admitted)
        #expect(fixture.come(mallory) == .refused)
    }

    @Test func `a network of 48 bits has four shares, and one of 64 bits in it one share`() {
        let fixture = LimiterFixture()
        let near = { (subnet: Int) in ServedClient.ipv6(0x2001_0db8_0001_0000 + UInt64(subnet)) }
        #expect(fixture.crowd(100) { _ in near(0) } == 8)
        #expect(fixture.crowd(1000) { near($0) } == 24)
        #expect(fixture.come(.ipv6(0x2001_0db8_0002_0000)) == .admitted)
    }

    @Test func `a proxy on the loopback is not shut out by other addresses of 127.0.0.0 slash 8`() {
        let fixture = LimiterFixture()
        let crowd = { (number: Int) in ServedClient.ipv4(0x7f00_0010 + UInt32(number % 4)) }
        #expect(fixture.crowd(1000, crowd) == 32)
        guard case .admittedInsteadOf = fixture.come(.ipv4(0x7f00_0001)) else {
            Issue.record("the proxy was refused")
            return
        }
    }

    @Test func `root and the relays get places when strangers have taken all of theirs`() {
        let fixture = LimiterFixture()
        #expect(fixture.crowd(5000) { .ipv4(0x0a00_0000 + UInt32($0)) } == 48)
        #expect(fixture.crowd(16, { _ in relay }) == 16)
    }

    @Test func `strangers get places when the relays have taken all of theirs`() {
        let fixture = LimiterFixture()
        #expect(fixture.crowd(5000, { _ in relay }) == 48)
        #expect(fixture.crowd(8) { _ in alice } == 8)
    }

    @Test func `when all places are taken the largest crowd gives way to a newcomer, but not to itself`() {
        let fixture = LimiterFixture()
        for crowd in 1...6 { #expect(fixture.crowd(8) { _ in .ipv4(UInt32(crowd)) } == 8) }
        #expect(fixture.come(.ipv4(1)) == .refused)
        guard case .admittedInsteadOf(let id) = fixture.come(alice) else {
            Issue.record("alice was refused")
            return
        }
        #expect(id <= 48)
        #expect(fixture.limiter.count == 48)
    }

    @Test func `if every network has one connection, the oldest idle one gives way to a newcomer`() {
        let fixture = LimiterFixture()
        let crowd = fixture.crowd(48) { .ipv4(0x0a00_0000 + UInt32($0)) }
        #expect(crowd == 48 && fixture.come(alice, 0.5) == .refused)
        #expect(fixture.come(alice, 0.9) == .refused)
        guard case .admittedInsteadOf = fixture.come(alice, 1.1) else {
            Issue.record("alice was refused")
            return
        }
        #expect(fixture.limiter.count == 48)
    }

    @Test func `addresses are counted by account, IPv4 address, 64-bit and 48-bit network`() throws {
        for (text, source, network) in [
            ("192.0.2.7", "192.0.2.7", "192.0.2.7"), ("127.3.2.1", "127.3.2.1", "127.0.0.0/8"),
            ("2001:db8:7:9:102:304:506:708", "2001:db8:7:9::/64", "2001:db8:7::/48"),
            ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"),
        ] {
            let address = try #require(IPAddress(Array(text.utf8)))
            #expect(Source(address).text == source)
            #expect(Source(address, for: .connections).text == network)
        }
        #expect(Source.user(1001).text == "local:1001")
    }
}
