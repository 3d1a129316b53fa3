// SPDX-License-Identifier: Apache-2.0
// An approval by the owner's second device makes the place of the login known to the owner's PIN (T 11).
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct ApprovedPlaceTests {
    /// A place that strangers' tries have closed to alice's PIN.
    private static let place = "203.0.113.9"

    /// A house in which alice has a PIN on the host as well, and strangers have used up the tries of the day.
    private func attacked() async throws -> (House, pin: Enrolled) {
        let house = try await House()
        let pin = try await house.host.enrol(
            house.server, "alice", code: house.server.add("alice"), pin: "2468")
        for number in 1...10 {
            let source = "198.51.100.\(number)"
            let tried = try await house.host.login(house.server, pin, pin: "1111", source: source)
            #expect(tried.verdict.verdict == (number < 10 ? .wrong : .blocked))
        }
        #expect(try await verdict(house, pin) == .blocked)
        return (house, pin)
    }

    private func verdict(_ house: House, _ pin: Enrolled) async throws -> Verdict {
        try await house.host.login(house.server, pin, pin: "2468", source: Self.place).verdict.verdict
    }

    @Test func `an owner whom strangers keep out logs in by phone, and then by PIN from the same place`()
        async throws
    {
        let (house, pin) = try await attacked()
        let console = try await house.host.open(house.server, ids: [house.alice.id], source: Self.place)
        #expect(try await house.alice.answer(house.server, console.wid).status == 200)
        // The host asks for the verdict when the approval code was typed.
        #expect(try await verdict(house, pin) == .blocked)
        #expect(try await console.settle(house.server).verdict.verdict == .granted)
        #expect(try await verdict(house, pin) == .granted)
    }

    @Test func `a stranger cannot make a place known without the owner's device`() async throws {
        let (house, pin) = try await attacked()
        let mallory = try await House.device(house.server, "mallory")
        // An own device; no approval; a denial; and alice's, but for a host's own question.
        let own = try await house.host.open(
            house.server, ids: [house.alice.id, mallory.id], source: Self.place)
        #expect(try await mallory.answer(house.server, own.wid).status == 200)
        #expect(try await own.settle(house.server).verdict.verdict == .granted)
        #expect(try await verdict(house, pin) == .blocked)
        let silent = try await house.host.open(house.server, ids: [house.alice.id], source: Self.place)
        #expect(try await silent.settle(house.server).verdict.verdict == .notApproved)
        #expect(try await verdict(house, pin) == .blocked)
        let denied = try await house.host.open(house.server, ids: [house.alice.id], source: Self.place)
        #expect(try await house.alice.answer(house.server, denied.wid, deny: true).status == 200)
        #expect(try await denied.settle(house.server).verdict.verdict == .notApproved)
        #expect(try await verdict(house, pin) == .blocked)
        let elsewhere = try await house.server.join("prod-db2")
        let other = try await elsewhere.open(house.server, ids: [house.alice.id], source: Self.place)
        #expect(try await house.alice.answer(house.server, other.wid).status == 200)
        #expect(try await other.settle(house.server).verdict.verdict == .granted)
        #expect(try await verdict(house, pin) == .blocked)
    }

    @Test func `a Milagro client, which shows no approval code, makes no place known`() async throws {
        let (house, pin) = try await attacked()
        let client = try await House.device(house.server, "alice", bound: false)
        let console = try await house.host.open(
            house.server, ids: [client.id], source: Self.place, flags: SealedQuestion.acceptsUnseen)
        let proof = try await client.prove(house.server, pin: "1234", wid: console.wid)
        #expect(try await client.redeem(house.server, proof).status == 200)
        #expect(try await console.settle(house.server).verdict.verdict == .granted)
        #expect(try await verdict(house, pin) == .blocked)
    }
}
