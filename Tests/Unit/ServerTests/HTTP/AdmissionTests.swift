// SPDX-License-Identifier: Apache-2.0
// Shares of connections: who gets one, and which idle connection is closed for a newcomer.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

private let start = ContinuousClock.now
private let alice = Source.user(1001)
private let mallory = Source.user(1002)
private let relay = Source.user(990)

/// 64 connections: 8 for a source, 32 for a /48, 16 kept for root and the relays.
private struct AdmissionFixture {
    var admission = Admission(ConnectionLimits(total: 64))
    private var last = 0

    mutating func come(
        _ source: Source, _ seconds: Double = 0, isPrivileged: Bool = false
    ) -> (id: Int, decision: Admission.Decision) {
        last += 1
        let now = start + .seconds(seconds)
        return (last, admission.admit(last, source, isPrivileged: isPrivileged, now: now))
    }

    /// How many of `count` connections get a place without closing another one.
    mutating func crowd(_ count: Int, _ source: (Int) -> Source, isPrivileged: Bool = false) -> Int {
        (0..<count).count { come(source($0), isPrivileged: isPrivileged).decision == .admitted }
    }
}

@Suite(.slow) struct AdmissionTests {
    @Test func `one account gets no more than its share`() {
        var fixture = AdmissionFixture()
        #expect(fixture.crowd(5000) { _ in mallory } == 8)
        #expect(fixture.come(alice).decision == .admitted)
        #expect(fixture.admission.count == 9)
    }

    @Test func `at a full share a source's oldest idle connection is closed, after one second`() {
        var fixture = AdmissionFixture()
        for second in 0..<8 { #expect(fixture.come(mallory, Double(second) / 10).decision == .admitted) }
        #expect(fixture.come(mallory, 0.9).decision == .refused)
        #expect(fixture.come(mallory, 1).decision == .admittedInsteadOf(1))
        #expect(fixture.come(mallory, 1.05).decision == .refused)
        #expect(fixture.come(mallory, 1.1).decision == .admittedInsteadOf(2))
        #expect(fixture.admission.count == 8)
    }

    @Test func `a connection with a request in work is not closed`() {
        var fixture = AdmissionFixture()
        for _ in 0..<8 { _ = fixture.come(mallory) }
        for id in 1...8 { fixture.admission.beginRequest(id) }
        #expect(fixture.come(mallory, 9).decision == .refused)
        fixture.admission.endRequest(3, now: start + .seconds(9))
        #expect(fixture.come(mallory, 9.5).decision == .refused)
        #expect(fixture.come(mallory, 10).decision == .admittedInsteadOf(3))
    }

    @Test func `a connection whose request was refused is closed at once for a newcomer`() {
        var fixture = AdmissionFixture()
        for _ in 0..<8 { _ = fixture.come(mallory) }
        #expect(fixture.come(mallory, 0.1).decision == .refused)
        fixture.admission.refuseRequest(5, now: start + .seconds(0.1))
        #expect(fixture.come(mallory, 0.1).decision == .admittedInsteadOf(5))
        #expect(fixture.come(mallory, 0.2).decision == .refused)
        // When the rest of the refused request has arrived, the connection is treated like any other.
        fixture.admission.refuseRequest(6, now: start + .seconds(0.2))
        fixture.admission.endRequest(6, now: start + .seconds(0.2))
        #expect(fixture.come(mallory, 0.3).decision == .refused)
    }

    @Test func `a place is free again after its connection has ended`() {
        var fixture = AdmissionFixture()
        for _ in 0..<8 { _ = fixture.come(mallory) }
        fixture.admission.leave(5)
        fixture.admission.leave(5)
        #expect(fixture.come(mallory).decision == .admitted)
        #expect(fixture.come(mallory).decision == .refused)
    }

    @Test func `a network of 48 bits has four shares, and one of 64 bits in it one share`() {
        var fixture = AdmissionFixture()
        let near = { (subnet: Int) in Source.ipv6(0x2001_0db8_0001_0000 + UInt64(subnet)) }
        #expect(fixture.crowd(100) { _ in near(0) } == 8)
        #expect(fixture.crowd(1000) { near($0) } == 24)
        #expect(fixture.come(.ipv6(0x2001_0db8_0002_0000)).decision == .admitted)
    }

    @Test func `a proxy on the loopback is not shut out by other addresses of 127.0.0.0 slash 8`() {
        var fixture = AdmissionFixture()
        let crowd = { (number: Int) in Source.ipv4(0x7f00_0010 + UInt32(number % 4)) }
        #expect(fixture.crowd(1000, crowd) == 32)
        guard case .admittedInsteadOf = fixture.come(.ipv4(0x7f00_0001)).decision else {
            Issue.record("the proxy was refused")
            return
        }
    }

    @Test func `root and the relays get places when strangers have taken all of theirs`() {
        var fixture = AdmissionFixture()
        #expect(fixture.crowd(5000) { .ipv4(0x0a00_0000 + UInt32($0)) } == 48)
        #expect(fixture.crowd(16, { _ in relay }, isPrivileged: true) == 16)
    }

    @Test func `strangers get places when the relays have taken all of theirs`() {
        var fixture = AdmissionFixture()
        #expect(fixture.crowd(5000, { _ in relay }, isPrivileged: true) == 48)
        #expect(fixture.crowd(8) { _ in alice } == 8)
    }

    @Test func `when all places are taken the largest crowd gives way to a newcomer, but not to itself`() {
        var fixture = AdmissionFixture()
        for crowd in 1...6 { #expect(fixture.crowd(8) { _ in .ipv4(UInt32(crowd)) } == 8) }
        #expect(fixture.come(.ipv4(1)).decision == .refused)
        guard case .admittedInsteadOf(let id) = fixture.come(alice).decision else {
            Issue.record("alice was refused")
            return
        }
        #expect(id <= 48)
        #expect(fixture.admission.count == 48)
    }

    @Test func `if every network has one connection, the oldest idle one gives way to a newcomer`() {
        var fixture = AdmissionFixture()
        let crowd = fixture.crowd(48) { .ipv4(0x0a00_0000 + UInt32($0)) }
        #expect(crowd == 48 && fixture.come(alice, 0.5).decision == .refused)
        #expect(fixture.come(alice, 0.9).decision == .refused)
        guard case .admittedInsteadOf = fixture.come(alice, 1.1).decision else {
            Issue.record("alice was refused")
            return
        }
        #expect(fixture.admission.count == 48)
    }

    @Test func `addresses are counted by account, IPv4 address, 64-bit and 48-bit network`() {
        #expect(Source(address: [192, 0, 2, 7]) == .ipv4(0xc000_0207))
        #expect(Source(address: [192, 0, 2, 7])?.network.text == "192.0.2.7")
        #expect(Source(address: [127, 3, 2, 1])?.network.text == "127.0.0.0/8")
        let six: [UInt8] = [0x20, 1, 0xd, 0xb8, 0, 7, 0, 9, 1, 2, 3, 4, 5, 6, 7, 8]
        #expect(Source(address: six) == .ipv6(0x2001_0db8_0007_0009))
        #expect(Source(address: six)?.network.text == "2001:db8:7::/48")
        let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 192, 0, 2, 7]
        #expect(Source(address: mapped) == .ipv4(0xc000_0207))
        #expect(Source(address: [1, 2, 3]) == nil)
        #expect(Source.user(1001).network.text == "local:1001")
    }
}
