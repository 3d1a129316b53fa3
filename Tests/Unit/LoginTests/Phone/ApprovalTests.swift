// SPDX-License-Identifier: Apache-2.0
// Transcripts of an approval: success, attacks by a man in the middle, and every refusal.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Octets
import TestSupport
import Testing

@Suite struct `An approval` {
    @Test func `shows who asks, is bound by its proof to exactly that, and returns the approval code`() throws
    {
        let device = try Device(rule: .stretched)
        let before = device.server.asked.count
        #expect(try device.approve() == .approved(code: Array(Device.code.utf8)))
        #expect(device.shown == [Device.seen()])
        #expect(
            device.server.asked.dropFirst(before).map(\.kind) == [.settings, .permits, .passOne, .passTwo])
        guard case .passOne(let first)? = device.server.asked(.passOne).last,
            case .passTwo(let second)? = device.server.asked(.passTwo).last
        else {
            Issue.record("no passes")
            return
        }
        #expect(first.seen == Device.seen()?.octets && first.sealed == .none)
        #expect(second.wid == Array(Device.wid.utf8) && second.n != nil)
        #expect(
            device.asked.prefix(2) == [
                try device.look(), try device.choose("alice@example.org"),
            ])
        guard case .look(_, let tag) = try device.look() else { return }
        #expect(tag?.tag.count == 32)
    }

    @Test func `by number approves the session with that number`() throws {
        let device = try Device()
        device.server.seen = Device.seen(wid: Device.number)
        #expect(try device.approve(of: "323-22 12") == .approved(code: Array(Device.code.utf8)))
        #expect(try device.asked.first == device.look(Device.number))
    }

    @Test func `reports the attempt at the console only after the server has sent it`() throws {
        let device = try Device()
        var machine = try device.approval(.number(Array(Device.number.utf8)))
        let asked = ApprovalStep.ask(try device.look(Device.number))
        #expect(machine.resume(.begin) == asked)
        #expect(machine.attempt == [])
        let seen = try #require(Device.seen(wid: Device.number))
        let told = DeviceResponse(status: 200, body: .look(seen: seen.octets, attempt: Array(1...8)))
        #expect(machine.resume(.told(told)) == .show(seen))
        #expect(machine.attempt == Array(1...8))
    }

    @Test(arguments: [true, false])
    func `refuses a login only with a token whose proofs the server binds`(_ isBound: Bool) throws {
        let device = try Device()
        let before = device.server.asked.count
        var machine = try device.machine(
            .console(.session(wid: Array(Device.wid.utf8), origin: []), denies: true), isBound: isBound)
        #expect(machine.resume(.begin) == .ask(try device.look()))
        let seen = try #require(Device.seen())
        let told = DeviceResponse(status: 200, body: .look(seen: seen.octets, attempt: []))
        // Without that, a server that does not know refusals would take the proof for an approval.
        #expect(machine.resume(.told(told)) == (isBound ? .show(seen) : .finished(.noRefusal)))
        #expect(device.server.asked.count == before)
    }

    @Test func `of an application's session ends before the PIN, and names the application`() throws {
        let device = try Device()
        device.server.seen = Device.seen(account: "", host: "Wiki", service: "application")
        #expect(try device.approve() == .application(named: Array("Wiki".utf8)))
        #expect(try device.approve(denies: true) == .application(named: Array("Wiki".utf8)))
        #expect(try device.shown == [] && device.asked == [device.look(), device.look()])
    }

    @Test(arguments: ["", nil]) func `with nothing typed sends nothing more`(_ typed: String?) throws {
        let device = try Device()
        let before = device.server.asked.count
        #expect(try device.approve(typed) == .declined)
        #expect(try device.asked == [device.look()] && device.server.asked.count == before)
    }

    @Test(arguments: ["JQKKMG", "jqk-kmg", "tab\tbed"])
    func `with text that cannot be a PIN sends nothing more`(_ typed: String) throws {
        let device = try Device()
        #expect(try device.approve(typed) == .unproved(.refused(.noPIN)))
        #expect(device.asked.count == 1)
    }

    @Test func `with a wrong PIN is refused by the server alone`() throws {
        let device = try Device()
        #expect(try device.approve("2581") == .wrongPIN(triesLeft: nil))
        #expect(try device.approve() == .approved(code: Array(Device.code.utf8)))
    }

    @Test func `that denies needs the same proof, and returns no approval code`() throws {
        let device = try Device()
        #expect(try device.approve(denies: true) == .denied)
        guard case .approve(_, denies: true)? = device.asked.last else {
            Issue.record("\(device.asked)")
            return
        }
        #expect(try device.approve("2581", denies: true) == .wrongPIN(triesLeft: nil))
    }

    @Test func `of a session that has ended finds no session`() throws {
        let device = try Device()
        device.server.seen = nil
        #expect(try device.approve() == .noSession)
        #expect(device.shown == [])
    }
}

@Suite struct `A man in the middle of an approval` {
    /// What an approval ends with if the details are changed on their way to the device.
    private func looks(_ change: @escaping (ApprovalDetails) -> ApprovalDetails?) throws -> (
        ApprovalOutcome, Device
    ) {
        let device = try Device()
        device.spoil = { _, answer in
            guard case .look(let octets, let attempt)? = answer.body,
                let seen = ApprovalDetails(decoding: octets),
                let other = change(seen)
            else { return answer }
            return DeviceResponse(status: 200, body: .look(seen: other.octets, attempt: attempt))
        }
        return (try device.approve(), device)
    }

    @Test(arguments: [
        "https://login.example.org:8443", "http://login.example.org", "https://login-example.org", "unix",
        "https://login.example.org.evil.example", "https://LOGIN.example.org", "",
    ])
    func `who is another server is detected before anything is shown`(_ origin: String) throws {
        let (outcome, device) = try looks { _ in Device.seen(origin: origin) }
        #expect(outcome == .otherOrigin)
        #expect(device.shown == [] && device.server.asked(.passOne).count == 1)
    }

    @Test(arguments: ["b0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "3232212", ""])
    func `who has another session approved is detected before anything is shown`(_ wid: String) throws {
        let (outcome, device) = try looks { _ in Device.seen(wid: wid) }
        #expect(outcome == .otherSession)
        #expect(device.shown == [] && device.server.asked(.passOne).count == 1)
    }

    @Test func `who changes other details gets no V`() throws {
        let (outcome, device) = try looks { _ in Device.seen(account: "alice", host: "build-7") }
        #expect(device.shown.first??.host == Array("build-7".utf8))
        #expect(outcome == .unproved(.failed(.seal(.wrongChallenge))))
        #expect(device.server.asked(.passTwo).count == 1)
    }

    @Test(arguments: [true, false]) func `who drops n or changes y gets no V`(_ drops: Bool) throws {
        let device = try Device()
        device.server.spoil = { _, answer throws(TransportError) in
            guard case .passOne(let pass)? = answer.body else { return answer }
            let other = RelayPassOneResponse(
                y: drops ? pass.y : pass.y.changed(at: 31), n: drops ? nil : pass.n?.changed())
            return RelayResponse(kind: .passOne, status: 200, body: .passOne(other))
        }
        let fault: SealFault = drops ? .missing : .wrongChallenge
        #expect(try device.approve() == .unproved(.failed(.seal(fault))))
        #expect(device.server.asked(.passTwo).count == 1)
    }

    @Test(arguments: [[], Array("mpin seen 1".utf8), [UInt8](repeating: 0, count: 100)])
    func `who sends missing or malformed details gets no approval`(_ octets: [UInt8]) throws {
        let device = try Device()
        device.spoil = { _, answer in
            guard case .look? = answer.body else { return answer }
            return DeviceResponse(status: 200, body: .look(seen: octets, attempt: []))
        }
        #expect(try device.approve() == (octets.isEmpty ? .noSession : .notUnderstood(status: 200)))
        #expect(device.shown == [])
    }

    @Test(arguments: ["", "JQKKM", "JQKKMGG", "jqkkmg", "AEIOUY", "\u{1b}[2J!!"])
    func `who sends an invalid approval code does not get it shown`(_ code: String) throws {
        let device = try Device()
        device.spoil = { _, answer in
            guard case .approved? = answer.body else { return answer }
            return DeviceResponse(status: 200, body: .approved(code: Array(code.utf8)))
        }
        #expect(try device.approve() == .notUnderstood(status: 200))
    }

    @Test(arguments: [
        ("browser", "", ApprovalOutcome.approved(code: [])),
        ("browser", "JQKKMG", .approved(code: Array("JQKKMG".utf8))),
        ("browser", "x", .notUnderstood(status: 200)), ("sshd", "", .notUnderstood(status: 200)),
        ("browsers", "", .notUnderstood(status: 200)),
    ])
    func `only a browser needs no approval code`(
        _ service: String, _ code: String, _ expected: ApprovalOutcome
    ) throws {
        let device = try Device()
        device.server.seen = Device.seen(service: service)
        device.spoil = { _, answer in
            guard case .approved? = answer.body else { return answer }
            return DeviceResponse(status: 200, body: .approved(code: Array(code.utf8)))
        }
        #expect(try device.approve() == expected)
    }

    @Test func `a server that forgot pass 1 counts as unavailable`() throws {
        let device = try Device()
        device.server.spoil(.passTwo, status: 403)
        let trouble = Outcome.unavailable(Unavailable(status: 403))
        #expect(try device.approve() == .unproved(trouble))
    }
}

@Suite struct `The end of an approval` {
    @Test(arguments: [
        (401, ApprovalOutcome.wrongPIN(triesLeft: nil)), (403, .locked(seconds: nil)), (408, .noSession),
        (409, .secretExpired), (410, .blocked), (412, .noSession),
        (400, .notUnderstood(status: 400)), (3, .notUnderstood(status: 3)),
        (500, .unproved(.unavailable(Unavailable(status: 500)))),
        (0, .unproved(.unavailable(Unavailable(status: 0)))),
    ])
    func `follows the status`(_ status: Int, _ outcome: ApprovalOutcome) throws {
        let device = try Device()
        device.spoil = { question, answer in
            guard case .approve = question else { return answer }
            return DeviceResponse(status: UInt16(status))
        }
        #expect(try device.approve() == outcome)
    }

    @Test func `is that of the identity if it is revoked, before pass 2`() throws {
        let device = try Device()
        device.server.isRevoked = true
        #expect(try device.approve() == .unproved(.revoked))
        #expect(device.server.asked(.passTwo).count == 1)
    }

    @Test(arguments: 0..<5) func `follows an event out of turn and is final`(_ step: Int) throws {
        let device = try Device()
        var machine = try device.approval(.number(Array(Device.number.utf8)))
        let lost = ApprovalStep.finished(.unproved(.failed(.outOfTurn)))
        if step > 0 { _ = machine.resume(.begin) }
        let other: ApprovalStep =
            switch step {
            case 0: machine.resume(.declined)
            case 1: machine.resume(.typed(try secret("2580")))
            case 2: machine.resume(.received(RelayResponse(kind: .settings, status: 200)))
            default: machine.resume(.begin)
            }
        #expect(other == lost)
        #expect(machine.resume(.begin) == lost)
    }
}
