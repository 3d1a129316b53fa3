// SPDX-License-Identifier: Apache-2.0
// Shares of connections: who gets one, and whose idle connection gives way.
import MPinService
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

    /// How many of so many get a place of their own.
    mutating func crowd(_ count: Int, _ source: (Int) -> Source, isPrivileged: Bool = false) -> Int {
        (0..<count).count { come(source($0), isPrivileged: isPrivileged).decision == .admitted }
    }
}

@Suite struct AdmissionTests {
    @Test func `one account gets no more than its share`() {
        var stage = AdmissionFixture()
        #expect(stage.crowd(5000) { _ in mallory } == 8)
        #expect(stage.come(alice).decision == .admitted)
        #expect(stage.admission.count == 9)
    }

    @Test func `at its share a source's eldest idle connection gives way, after a second`() {
        var stage = AdmissionFixture()
        for second in 0..<8 { #expect(stage.come(mallory, Double(second) / 10).decision == .admitted) }
        #expect(stage.come(mallory, 0.9).decision == .refused)
        #expect(stage.come(mallory, 1).decision == .admittedInsteadOf(1))
        #expect(stage.come(mallory, 1.05).decision == .refused)
        #expect(stage.come(mallory, 1.1).decision == .admittedInsteadOf(2))
        #expect(stage.admission.count == 8)
    }

    @Test func `a connection that the server works for does not give way`() {
        var stage = AdmissionFixture()
        for _ in 0..<8 { _ = stage.come(mallory) }
        for id in 1...8 { stage.admission.begin(id) }
        #expect(stage.come(mallory, 9).decision == .refused)
        stage.admission.rest(3, now: start + .seconds(9))
        #expect(stage.come(mallory, 9.5).decision == .refused)
        #expect(stage.come(mallory, 10).decision == .admittedInsteadOf(3))
    }

    @Test func `a connection that was refused gives way at once`() {
        var stage = AdmissionFixture()
        for _ in 0..<8 { _ = stage.come(mallory) }
        #expect(stage.come(mallory, 0.1).decision == .refused)
        stage.admission.spare(5, now: start + .seconds(0.1))
        #expect(stage.come(mallory, 0.1).decision == .admittedInsteadOf(5))
        #expect(stage.come(mallory, 0.2).decision == .refused)
        // The rest of its request came: it may be used again.
        stage.admission.spare(6, now: start + .seconds(0.2))
        stage.admission.rest(6, now: start + .seconds(0.2))
        #expect(stage.come(mallory, 0.3).decision == .refused)
    }

    @Test func `a place is free again when its connection has ended`() {
        var stage = AdmissionFixture()
        for _ in 0..<8 { _ = stage.come(mallory) }
        stage.admission.leave(5)
        stage.admission.leave(5)
        #expect(stage.come(mallory).decision == .admitted)
        #expect(stage.come(mallory).decision == .refused)
    }

    @Test func `a 48 has four shares, and a 64 in it one`() {
        var stage = AdmissionFixture()
        let near = { (subnet: Int) in Source.ipv6(0x2001_0db8_0001_0000 + UInt64(subnet)) }
        #expect(stage.crowd(100) { _ in near(0) } == 8)
        #expect(stage.crowd(1000) { near($0) } == 24)
        #expect(stage.come(.ipv6(0x2001_0db8_0002_0000)).decision == .admitted)
    }

    @Test func `one proxy on the loopback is not shut out by the rest of 127 slash 8`() {
        var stage = AdmissionFixture()
        let crowd = { (number: Int) in Source.ipv4(0x7f00_0010 + UInt32(number % 4)) }
        #expect(stage.crowd(1000, crowd) == 32)
        guard case .admittedInsteadOf = stage.come(.ipv4(0x7f00_0001)).decision else {
            Issue.record("the proxy was refused")
            return
        }
    }

    @Test func `root and the relays have places when strangers have all theirs`() {
        var stage = AdmissionFixture()
        #expect(stage.crowd(5000) { .ipv4(0x0a00_0000 + UInt32($0)) } == 48)
        #expect(stage.crowd(16, { _ in relay }, isPrivileged: true) == 16)
    }

    @Test func `strangers have places when the relays have all theirs`() {
        var stage = AdmissionFixture()
        #expect(stage.crowd(5000, { _ in relay }, isPrivileged: true) == 48)
        #expect(stage.crowd(8) { _ in alice } == 8)
    }

    @Test func `of a full house the largest crowd gives way to a newcomer, and not to itself`() {
        var stage = AdmissionFixture()
        for crowd in 1...6 { #expect(stage.crowd(8) { _ in .ipv4(UInt32(crowd)) } == 8) }
        #expect(stage.come(.ipv4(1)).decision == .refused)
        guard case .admittedInsteadOf(let id) = stage.come(alice).decision else {
            Issue.record("alice was refused")
            return
        }
        #expect(id <= 48)
        #expect(stage.admission.count == 48)
    }

    @Test func `where every network has one connection, the eldest idle one gives way to a newcomer`() {
        var stage = AdmissionFixture()
        let crowd = stage.crowd(48) { .ipv4(0x0a00_0000 + UInt32($0)) }
        #expect(crowd == 48 && stage.come(alice, 0.5).decision == .refused)
        #expect(stage.come(alice, 0.9).decision == .refused)
        guard case .admittedInsteadOf = stage.come(alice, 1.1).decision else {
            Issue.record("alice was refused")
            return
        }
        #expect(stage.admission.count == 48)
    }

    @Test func `addresses are counted by account, IPv4 address, 64 and 48`() {
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
