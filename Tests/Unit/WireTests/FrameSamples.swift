// SPDX-License-Identifier: Apache-2.0
// Valid requests and responses of every kind, and which of their fields have a fixed length.
import MPinWire
import Octets
import TestSupport

func ascii(_ text: String) -> [UInt8] { [UInt8](text.utf8) }

func fixed<let size: Int, Meaning>(_ octet: UInt8 = 7) -> FixedOctets<size, Meaning> {
    FixedOctets(repeating: octet)
}

func filled(_ count: Int, _ octet: UInt8 = 7) -> [UInt8] { [UInt8](repeating: octet, count: count) }

enum Samples {
    static let sealed = TaggedQuestion(question: filled(200, 1), tag: filled(32, 2))
    static let wid = ascii("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf")

    static let questions: [RelayRequest] = [
        .hello(
            Hello(
                attempt: filled(8), backends: [ascii("unix:/run/mpind.sock"), ascii("https://b.example")],
                alsoOrigins: [], caFile: [], connectMilliseconds: 3_000, totalMilliseconds: 10_000)),
        .hello(
            Hello(
                attempt: filled(8), backends: [ascii("https://a.example")],
                alsoOrigins: [ascii("https://dta.example")], addresses: [ascii("a.example 2001:db8::1")],
                caFile: ascii("/etc/mpin/ca.pem"), proxy: ascii("http://proxy.example:3128"),
                connectMilliseconds: 0, totalMilliseconds: .max)),
        .settings,
        .permits(mpinID: ascii("{}")),
        .passOne(RelayPassOneRequest(mpinID: filled(500), u: filled(65), ut: filled(65), sealed: sealed)),
        .passOne(RelayPassOneRequest(mpinID: filled(1), u: filled(65), ut: [], sealed: .none)),
        .passTwo(
            RelayPassTwoRequest(mpinID: filled(9), v: filled(65), wid: wid, wantsOTP: true, n: fixed())),
        .passTwo(
            RelayPassTwoRequest(mpinID: filled(9), v: filled(65), wid: ascii("0"), wantsOTP: false, n: nil)),
        .authenticate(RelayAuthenticateRequest(authOTT: ascii("099e87906543"), id: nil, a: fixed())),
        .authenticate(RelayAuthenticateRequest(authOTT: [], id: fixed(), a: fixed())),
        .connect(octets: 1), .connect(octets: 4_596), .session(sealed),
        .end(RelayEndRequest(wid: wid, a: fixed())),
        .otp(RelayOTPRequest(sealed, tags: filled(64))), .standing(sealed),
        .bind(sealed), .bindAnswer(a: fixed()),
        .bindDone(RelayBindDoneRequest(a: fixed(), tag: filled(32, 3))),
        .register(
            RelayRegisterRequest(
                userID: ascii("ålice@example.org"), activationCode: ascii("BCDF-GHJK-LMNP-QRST"),
                deviceName: ascii("prod-db1"), sealed: sealed)),
        .register(
            RelayRegisterRequest(
                userID: ascii("a"), activationCode: [], deviceName: [], regOTT: ascii("ff00"),
                mpinID: filled(100), sealed: .none, authOTT: ascii("0123"))),
        .clientSecret(RelayClientSecretRequest(mpinID: filled(3), regOTT: ascii("ff00"), a: fixed())),
        .join(RelayJoinRequest(host: ascii("prod-db1"), joinID: filled(16))), .inspect,
    ]

    static let bodies: [RelayResponse.Body] = [
        .hello(version: 4), .connect, .settings(usesPermits: true), .settings(usesPermits: false),
        .permits(PermitShares(date: 20_777, share1: filled(65, 4), share2: filled(65, 5))),
        .passOne(RelayPassOneResponse(y: fixed(1), n: fixed(2))),
        .passOne(RelayPassOneResponse(y: fixed(1), n: nil)),
        .passTwo(
            RelayPassTwoResponse(authOTT: ascii("099e8790654336887d2e0b5c7ad84223"), otp: ascii("123456"))),
        .authenticate(RelaySealedResponse(answer: filled(86), tag: filled(32))), .authenticate(.none),
        .authenticate(
            RelaySealedResponse(
                answer: filled(86), tag: filled(32), notice: filled(69), noticeTag: filled(32))),
        .session(RelaySessionResponse(wid: wid, number: ascii("3232212"), life: 90, tag: filled(32))), .end,
        .otp(tags: []), .otp(tags: filled(96)),
        .register(RelayRegisterResponse(mpinID: filled(200), regOTT: ascii("ff00"), active: true)),
        .clientSecret(ClientSecretShares(share1: filled(81), share2: filled(65))),
        .join(RelayJoinResponse(epoch: 3, sealedKey: filled(48))),
        .inspect(RelayInspectResponse(time: 1_795_218_263, certificateEnd: 0)),
        .standing(RelaySealedResponse(answer: filled(49), tag: filled(32))),
        .bind(RelaySessionResponse(wid: wid, number: ascii("3232212"), life: 90, tag: filled(32))),
        .bindAnswer(RelaySealedResponse(answer: filled(94), tag: filled(32))),
        .bindAnswer(RelaySealedResponse(answer: filled(349), tag: filled(32))),
        .bindDone(isConfirmed: true), .bindDone(isConfirmed: false),
        .settings(usesPermits: false, pins: PINDemand(length: 12, refusesDates: true)),
    ]

    static let answers: [RelayResponse] =
        bodies.map { RelayResponse(kind: $0.kind, status: 200, body: $0) }
        + Kind.allCases.flatMap { kind in
            [0, 1, 2, 3, 4, 5, 12, 15, 401, 599].map { RelayResponse(kind: kind, status: UInt16($0)) }
        }
        + Kind.allCases.map {
            RelayResponse(
                kind: $0, status: RelayResponse.foreignOrigin, origin: ascii("https://other.example:443"))
        } + [RelayResponse(kind: .authenticate, status: 401, body: bodies[8])]

    /// The fields, counted from 0, that must be empty or exactly as long as in the sample, by kind of frame.
    static func fixedFields(_ kind: UInt8) -> [Int] {
        switch kind {
        case 1: [0, 1, 7, 8]
        case 4: [1, 2, 4]
        case 5: [1, 3, 4]
        case 6: [1, 2]
        case 7: [0]
        case 16, 18, 19, 20: [1]
        case 17: [1]
        case 21: [0]
        case 22: [0, 1]
        case 32: [6]
        case 33: [2]
        case 34: [1]
        case 129: [0, 1]
        case 130: [0, 1, 2, 3]
        case 131: [0, 1, 2, 3]
        case 132: [0, 1, 2]
        case 133: [0]
        case 134: [0, 1, 2]
        case 144, 148: [0, 1, 2, 3, 4]
        case 149: [0, 2]
        case 150: [0, 1]
        case 135, 145: [0]
        case 146: [0, 1]
        case 160: [0, 3]
        case 147, 161, 162, 176: [0, 1, 2]
        default: []
        }
    }
}

extension RelayResponse.Body {
    /// The kind of the call with this result, the only one whose response can carry it.
    var kind: Kind {
        Kind.allCases.first { (try? RelayResponse(kind: $0, status: 200, body: self).encoded()) != nil }
            ?? .hello
    }
}

/// The fields of a valid frame.
func fields(of frame: [UInt8]) -> [[UInt8]] {
    var fields: [[UInt8]] = []
    var rest = frame.dropFirst()
    while rest.count >= 2 {
        let count = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
        fields.append([UInt8](rest.prefix(count)))
        rest = rest.dropFirst(count)
    }
    return fields
}

/// A frame of these fields.
func frame(_ kind: UInt8, _ fields: [[UInt8]]) -> [UInt8] {
    fields.reduce([kind]) { $0 + [UInt8($1.count >> 8), UInt8($1.count & 255)] + $1 }
}
