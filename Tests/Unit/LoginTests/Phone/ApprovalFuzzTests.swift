// SPDX-License-Identifier: Apache-2.0
// Events of an approval in random order: the invariants that hold for every order.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct `Events of an approval in any order` {
    private enum Choice: CaseIterable { case begin, told, typed, declined, received, transport }

    private func event(_ choice: Choice, _ device: Device, _ random: inout SplitMix) throws -> ApprovalEvent {
        switch choice {
        case .begin: .begin
        case .told: .told(told[random.next(told.count)])
        case .typed: .typed(try secret(random.next(2) == 0 ? Device.pin : "2581"))
        case .declined: .declined
        case .received: .received(device.server.answered[random.next(device.server.answered.count)])
        case .transport: .transportBroken([.closed, .timedOut, .brokenFrame][random.next(3)])
        }
    }

    private var told: [DeviceResponse] {
        [
            DeviceResponse(status: 200, body: .chosen), DeviceResponse(status: 401),
            DeviceResponse(
                status: 200, body: .look(seen: Device.seen()?.octets ?? [], attempt: Array(1...8))),
        ]
    }

    /// The event with which an honest driver answers the step; nil at the end.
    private func honest(
        _ step: ApprovalStep, _ device: Device, _ random: inout SplitMix
    ) throws -> ApprovalEvent? {
        switch step {
        case .ask(let question): .told(device.exchange(question))
        case .show: .typed(try secret(random.next(4) == 0 ? "2581" : Device.pin))
        case .exchange(let question): .received(try device.server.exchange(question))
        case .finished: nil
        }
    }

    @Test func `no U gets two V, and only the server's answer gives an approval code`() throws {
        let device = try Device(rule: .number(modulus: 10_000))
        var random = SplitMix(seed: 20_261_122)
        var approvals = 0
        for _ in 0..<rounds(300) {
            var machine = try device.approval(.session(wid: Array(Device.wid.utf8), origin: []))
            var proofs = 0
            var step = machine.resume(.begin)
            for _ in 0..<20 {
                if case .exchange(.passTwo) = step { proofs += 1 }
                let wild = random.next(10) == 0
                let choice = Choice.allCases[random.next(Choice.allCases.count)]
                let isApproving = if case .ask(.approve) = step { true } else { false }
                guard
                    let event = try wild
                        ? event(choice, device, &random) : honest(step, device, &random)
                else { break }
                step = machine.resume(event)
                if case .finished(let outcome) = step {
                    if case .approved = outcome {
                        approvals += 1
                        #expect(isApproving && !wild)
                    }
                    let after = machine.resume(.begin)
                    #expect(after == .finished(.unproved(.failed(.outOfTurn))))
                    break
                }
            }
            #expect(proofs <= 1)
        }
        #expect(approvals > 10)
    }
}
