// SPDX-License-Identifier: Apache-2.0
// Codes that users type: approval codes, activation codes and join codes.
import MPin
import Octets
import Secrets
import TestSupport
import Testing

@Suite struct SealCodeTests {
    typealias Golden = SealGolden

    /// Whether the input reads as a phone's code, and whether it is the golden one.
    private func judged(_ typed: String) throws -> (Bool, Bool) {
        let typed = try Golden.secret(Golden.ascii(typed))
        let isRight = try Golden.hostKey().isPhoneCode(typed, a: Golden.question().a, wid: Golden.wid)
        return (PhoneCode.reads(typed), isRight)
    }

    @Test(arguments: ["JQKKMG", "jqk-kmg", " jQ K\tkm g-", "--JQKKMG"])
    func `the phone's code is read in every spelling`(typed: String) throws {
        #expect(try judged(typed) == (true, true))
    }

    @Test(arguments: ["JQKKMH", "BBBBBB", "gmkkqj"])
    func `another code is well-formed, but wrong`(typed: String) throws {
        #expect(try judged(typed) == (true, false))
    }

    @Test(arguments: [
        "", "JQKKM", "JQKKMGB", "JQKKMA", "JQK_KMG", "123456", "JQKKM1", "JQK\u{0}KMG", "secret", "é",
    ])
    func `malformed text is not read as a code`(typed: String) throws {
        #expect(try judged(typed) == (false, false))
    }

    @Test func `the code depends on question, session and host`() throws {
        let a = try Golden.question().a
        let key = try Golden.hostKey()
        let other = try HostKey(name: [1], epoch: 1, key: Golden.secret([UInt8](1...32)))
        let codes = try [
            Golden.octets(key.phoneCode(a: a, wid: Golden.wid)),
            Golden.octets(key.phoneCode(a: a.changed(), wid: Golden.wid)),
            Golden.octets(key.phoneCode(a: a, wid: Golden.otherWID)),
            Golden.octets(other.phoneCode(a: a, wid: Golden.wid)),
        ]
        #expect(Set(codes).count == 4)
        #expect(codes.allSatisfy { $0.count == 6 && $0.allSatisfy(CodeAlphabet.letters.contains) })
    }

    @Test(arguments: ["BCDFGHJKLMNPQRST", "bcdf-ghjk-lmnp-qrst", " BCDF GHJK LMNP QRST\t"])
    func `a one-time code is read in every spelling`(typed: String) throws {
        let code = try OneTimeCode(typed: Golden.secret(Golden.ascii(typed)))
        #expect(code.shown() == Golden.ascii("BCDF-GHJK-LMNP-QRST"))
        #expect(
            try code.hash()
                == Golden.octets("f48b3fbe0bc9f7ae041e73001d8ad9f36a0022b637287de43be3af0ee32d6438"))
    }

    @Test(arguments: ["", "BCDFGHJKLMNPQRS", "BCDFGHJKLMNPQRSTV", "BCDFGHJKLMNPQRSA", "BCDFGHJKLMNPQRS1"])
    func `any other text is not a one-time code`(typed: String) throws {
        #expect(throws: SealFailure.malformed) {
            _ = try OneTimeCode(typed: Golden.secret(Golden.ascii(typed)))
        }
    }

    @Test func `codes are drawn evenly and never twice`() throws {
        var counts = [UInt8: Int]()
        var codes = Set<[UInt8]>()
        for _ in 0..<500 {
            let code = try OneTimeCode.random()
            let letters = Golden.octets(code.letters)
            codes.insert(letters)
            for letter in letters { counts[letter, default: 0] += 1 }
            let again = try OneTimeCode(typed: Golden.secret(code.shown()))
            #expect(Golden.octets(again.letters) == letters)
        }
        #expect(codes.count == 500)
        // 8000 letters, 400 of each expected, standard deviation below 20.
        #expect(Set(counts.keys) == Set(CodeAlphabet.letters))
        #expect(counts.values.allSatisfy { (280...520).contains($0) })
    }

    @Test func `the letters of a code show whether it is for a QR code or for typing`() throws {
        // B is 0, C is 1, Z is 19.
        for (letters, isForQRCode) in [
            ("BBBBBBBBBBBBBBBB", true), ("CBBBBBBBBBBBBBBB", false), ("CZBBBBBBBBBBBBBB", true),
            ("bbbb-bbbb-bbbb-bzzd", true), ("BCDFGHJKLMNPQRST", true),
        ] {
            let code = try OneTimeCode(typed: Golden.secret(Golden.ascii(letters)))
            #expect(code.isForQRCode == isForQRCode, "\(letters)")
        }
        for _ in 0..<100 {
            #expect(try OneTimeCode.random(forQRCode: true).isForQRCode)
            #expect(try !OneTimeCode.random().isForQRCode)
        }
    }

    @Test func `a one-time password's tag depends on question, identity and password`() throws {
        let key = try Golden.hostKey()
        let a = try Golden.question().a
        let id = try MilagroLogin.read().id
        let tags = try [
            key.otpTag(Golden.secret(Golden.ascii("123456")), a: a, id: id),
            key.otpTag(Golden.secret(Golden.ascii("123457")), a: a, id: id),
            key.otpTag(Golden.secret(Golden.ascii("123456")), a: a.changed(), id: id),
            key.otpTag(Golden.secret(Golden.ascii("123456")), a: a, id: id.changed()),
        ]
        #expect(Set(tags).count == 4)
    }
}
