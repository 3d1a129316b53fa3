// SPDX-License-Identifier: Apache-2.0
// The notice of wrong tries: it is sealed beside every grant, and a grant without it is refused.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

@Suite struct `A grant` {
    /// Changes the sealed answer that grants.
    private func login(_ change: @escaping (RelaySealedResponse) -> RelaySealedResponse) throws -> Outcome {
        let fixture = try LoginFixture()
        fixture.server.spoil = { _, answer throws(TransportError) in
            guard case .authenticate(let sealed)? = answer.body, !sealed.answer.isEmpty else { return answer }
            return RelayResponse(kind: .authenticate, status: 200, body: .authenticate(change(sealed)))
        }
        return try fixture.login(LoginFixture.pin).outcome
    }

    @Test func `reports the wrong tries before it, and how few are left`() throws {
        let fixture = try LoginFixture()
        fixture.server.wrongTries = (3, 1_795_218_263, "203.0.113.9\u{1b}[2J")
        fixture.server.fewLeft = 7
        guard case .granted(let grant) = try fixture.login(LoginFixture.pin).outcome, let tries = grant.tries
        else {
            Issue.record("not granted")
            return
        }
        #expect(tries.wrong == 3 && tries.lastSeconds == 1_795_218_263 && tries.left == 7)
        #expect(tries.lastSource == Array("203.0.113.9?[2J".utf8))
    }

    @Test func `whose notice a relay has stripped is refused`() throws {
        let outcome = try login { RelaySealedResponse(answer: $0.answer, tag: $0.tag) }
        #expect(outcome == .failed(.seal(.noNotice)))
    }

    @Test func `whose notice a relay has changed is refused`() throws {
        let outcome = try login {
            let other = $0.notice.dropLast() + [($0.notice.last ?? 0) ^ 1]
            return RelaySealedResponse(
                answer: $0.answer, tag: $0.tag, notice: [UInt8](other), noticeTag: $0.noticeTag)
        }
        #expect(outcome == .failed(.seal(.noNotice)))
    }

    @Test func `with the notice of another login is refused`() throws {
        let key = try testHostKey()
        let other = try #require(
            TriesNotice(
                for: .host, subject: [UInt8](repeating: 1, count: 32), count: 0, lastSeconds: 0,
                lastSource: []))
        let tag = try key.tag(of: other)
        let outcome = try login {
            RelaySealedResponse(answer: $0.answer, tag: $0.tag, notice: other.octets, noticeTag: tag)
        }
        #expect(outcome == .failed(.seal(.noNotice)))
    }
}

@Suite struct `The notice of tries on a device` {
    private let approved = ApprovalOutcome.approved(code: Array(Device.code.utf8))

    private func notice(
        _ device: Device, for id: IdentityHash? = nil, to ticket: [UInt8]
    ) throws -> DeviceWord {
        let own = try #require(try device.identities().first?.id)
        let notice = try #require(
            TriesNotice(
                for: .device, subject: (id ?? own).octets + sha256(ticket), count: 3,
                lastSeconds: 1_795_218_263, lastSource: Array("203.0.113.9".utf8)))
        var word = DeviceWord()
        word.notice = notice.octets
        word.noticeTag = try device.server.deviceKey(of: own).tag(of: notice)
        word.triesLeft = 7
        return word
    }

    @Test func `is accepted under the device's own key`() throws {
        let device = try Device()
        device.sealing = { try notice(device, to: $0) }
        for outcome in [try device.approve(), try device.approve(denies: true)] {
            #expect(outcome == approved || outcome == .denied)
            #expect(device.tries?.wrong == 3 && device.tries?.left == 7 && !device.hasNoNotice)
        }
        #expect(try device.prove(.password) == .password(Array("123456".utf8), seconds: 60))
        #expect(device.tries?.lastSource == Array("203.0.113.9".utf8))
    }

    @Test(arguments: 0..<5)
    func `is rejected if it is missing, changed, another identity's or another login's`(_ fault: Int) throws {
        let device = try Device()
        device.sealing = { ticket in
            guard fault != 0 else { return DeviceWord() }
            var word = try notice(
                device, for: fault == 3 ? IdentityHash(repeating: 1) : nil,
                to: fault == 4 ? [1] : ticket)
            if fault == 1 { word.noticeTag = [UInt8](repeating: 0, count: 32) }
            if fault == 2 { word.notice.append(0) }
            return word
        }
        #expect(try device.approve() == approved)
        #expect(device.tries == nil && device.hasNoNotice)
    }

    @Test func `is rejected under a key that came with it`() throws {
        let device = try Device()
        let id = try #require(try device.identities().first?.id)
        let key = [UInt8](repeating: 9, count: 32)
        device.sealing = { ticket in
            let notice = try #require(
                TriesNotice(
                    for: .device, subject: id.octets + sha256(ticket), count: 0, lastSeconds: 0,
                    lastSource: []))
            var word = DeviceWord()
            word.notice = notice.octets
            word.noticeTag = try DeviceKey(copying: key).tag(of: notice)
            word.deviceKey = key
            return word
        }
        #expect(try device.approve() == approved)
        #expect(device.hasNoNotice && device.newKey == nil)
    }

    @Test func `delivers the key of a new epoch only under the old key`() throws {
        let device = try Device()
        let id = try #require(try device.identities().first?.id)
        let (key, forged) = ([UInt8](repeating: 9, count: 32), [UInt8](repeating: 8, count: 32))
        let tag = try device.server.deviceKey(of: id).tag(ofNewer: DeviceKey(copying: key), for: id)
        for (given, brought) in [(key, tag), (forged, tag), (key, []), ([], tag)] {
            (device.word.deviceKey, device.word.deviceKeyTag) = (given, brought)
            #expect(try device.approve() == approved)
            #expect(device.newKey == (given == key && brought == tag ? key : nil))
        }
    }

    @Test func `says how many tries are left, and how long a lock lasts`() throws {
        let device = try Device()
        device.word.triesLeft = 2
        #expect(try device.approve("2581") == .wrongPIN(triesLeft: 2))
        device.spoil = { question, answer in
            guard case .approve = question else { return answer }
            var word = DeviceWord()
            word.retryAfter = 240
            return DeviceResponse(status: 403, word: word)
        }
        #expect(try device.approve() == .locked(seconds: 240))
        #expect(device.tries == nil && !device.hasNoNotice && device.newKey == nil)
    }
}
