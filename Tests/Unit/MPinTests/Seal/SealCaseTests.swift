// SPDX-License-Identifier: Apache-2.0
// Golden values of docs/protocol/seal.md for further cases: verdicts, empty notices, an enrolment, a session.
import MPin
import Octets
import Secrets
import Testing

@Suite struct SealCaseTests {
    typealias Golden = SealGolden

    /// A verdict with its numbers, and the expected tag.
    private struct Case {
        let way: AuthenticationMethod
        let verdict: Verdict
        let triesLeft: UInt16?
        let seconds: UInt32
        let tag: String
    }

    @Test func `the tag of every kind of verdict`() throws {
        let cases = [
            Case(
                way: .pin, verdict: .granted, triesLeft: 30, seconds: 0,
                tag: "a35d5c7dfeddc711ff9526af5d8ed0bf09810c3c35823b5ec56446b0d4b81ef0"),
            Case(
                way: .pin, verdict: .wrong, triesLeft: 2, seconds: 0,
                tag: "beaf4c0a2851120f0286d0a5424105e5d8dcdc514787362f39849d8909dbeebc"),
            Case(
                way: .pin, verdict: .blocked, triesLeft: 0, seconds: 60,
                tag: "288380414b7ec5566a509d82a3a5b73b20fda6499f17e496646056bb2d44d998"),
            Case(
                way: .pin, verdict: .blocked, triesLeft: 0, seconds: .max,
                tag: "0700c7928874a16ef2342e2779e0ffae43a46bc2545e7d593ff94d39e64af11b"),
            Case(
                way: .phone, verdict: .granted, triesLeft: nil, seconds: 0,
                tag: "a8791108747519cf81957709d9d67c96e9d5efbeb00e22ec78c5b2f96c87d7a4"),
            Case(
                way: .phone, verdict: .notApproved, triesLeft: nil, seconds: 0,
                tag: "bda10249c95f4fd5a5e4f15cdac607efb866234540cbbd7e82023660da12fa3d"),
            Case(
                way: .otp, verdict: .granted, triesLeft: nil, seconds: 0,
                tag: "d6a33d162947df077f399118b9abfe06b9f557b903e6bc0eda531a0ceff1fda3"),
        ]
        let id = try MilagroLogin.read().id
        for expected in cases {
            let verdict = try #require(
                SealedVerdict(
                    a: Golden.question().a, way: expected.way, verdict: expected.verdict,
                    id: expected.verdict == .granted ? id : nil,
                    triesLeft: expected.triesLeft, secondsUntilRelease: expected.seconds))
            #expect(try Golden.hostKey().tag(of: verdict) == Golden.octets(expected.tag))
        }
    }

    @Test func `the notices of a login without wrong tries`() throws {
        let a = try Golden.question().a
        let host = try #require(
            TriesNotice(for: .host, subject: a.octets, count: 0, lastSeconds: 0, lastSource: []))
        #expect(
            try Golden.hostKey().tag(of: host)
                == Golden.octets("803145b6e27e555a0c8caa66037cf7cf8bc63b65fb8857cec41fa7a32c1990ff"))
        let device = try #require(
            TriesNotice(
                for: .device, subject: MilagroLogin.read().id.octets + sha256(Golden.ticket), count: 0,
                lastSeconds: 0, lastSource: []))
        #expect(
            try deviceKey(epoch: 1).tag(of: device)
                == Golden.octets("65d27ddfa7bdf73491ebfc91b068958cbda3ce006476be77589c8dafea522977"))
    }

    @Test func `a question without identities`() throws {
        let question = try #require(
            SealedQuestion(
                host: Golden.ascii("prod-db1"), nonce: Golden.nonce, service: SealedQuestion.enrollService,
                account: Golden.ascii("alice"), source: Golden.ascii("203.0.113.9"),
                tty: Golden.ascii("ssh"), flags: 0, life: 90, ids: []))
        #expect(
            try question.a
                == Golden.octets("2c6d0d3648036ef962eac6fd7261d7185f81dcb433819accbf630d1f6a75eaf5"))
        #expect(
            try Golden.hostKey().tag(of: question)
                == Golden.octets("bdfc99eb33c57938dffbfadc359d089b76753c4efd40e91b824bda5c5dfc24c7"))
    }

    @Test func `the share of the second authority`() throws {
        let sealed = try Golden.octets(
            "35d57ffbcb7ec60fb60e01bcbcc8468ddf157b051306b904e1353ad8639796a0"
                + "69431d1500fc5235a9b7f3d15880470c9dca7c147d265dc8f729763925f4666b"
                + "31f9714511f8082ccb635ed8bbb6c1c5e9")
        let opened = try Golden.hostKey().open(
            sealed, .second, a: Golden.question().a, id: MilagroLogin.read().id)
        #expect(
            try Golden.octets(opened)
                == Golden.octets(
                    "04151eab8b9c20f08678c7bae0ff4620cdb3b76508013914bbe52494e2b7cec3"
                        + "4916ff57da9ff44608b6911a8bbf1ff8ba5ef8ed9744f420f31a87d2b554899454"))
    }

    @Test func `the tags of a device for the session that it was shown`() throws {
        let login = try MilagroLogin.read()
        let one = try DevicePass(id: login.id, u: login.u, ut: [], seen: Golden.seen().octets)
        #expect(
            try deviceKey(epoch: 1).tag(of: one)
                == Golden.octets("c61a274235f92f4b48f7b9a3798d86966d2a8400d2aa9daaf5ee0cffdb9c9611"))
        let y: Challenge = try Golden.octets(
            "0f8006e1b5e9ec58b7acd76bb683c9f6187dffdd03e44347d7515d45a41aba31")
        let two = DevicePass(
            id: login.id, n: Golden.n, y: y, v: login.v, wid: Golden.wid, wantsOTP: false)
        #expect(
            try deviceKey(epoch: 1).tag(of: two)
                == Golden.octets("3946123c301879162a526a0accb3cc3a2c8e49b214519585df52b40a91b29c22"))
    }

    @Test func `a device has another key in another epoch`() throws {
        let key = try octets(of: deviceKey(epoch: 2))
        #expect(
            try key
                == Golden.octets("20fcf4457fc7ceeb5b72fd4348b928da86af0171da61e1f48d6cae4b32698330"))
    }

    private func deviceKey(epoch: UInt32) throws -> DeviceKey {
        try DeviceKey.derive(
            master: Golden.secret([UInt8](0x60...0x7f)), epoch: epoch, id: MilagroLogin.read().id)
    }

    private func octets(of key: borrowing DeviceKey) -> [UInt8] {
        key.withOctets { octets in
            (0..<octets.byteCount).map { unsafe octets.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        }
    }
}
