// SPDX-License-Identifier: Apache-2.0
// Which PINs enrolment refuses, and which answers can be a PIN at all.
import MPinLogin
import MPinProof
import Secrets
import Testing

@Suite struct `A new PIN` {
    @Test(arguments: [
        ("", PINFault.tooShort), ("258", .tooShort), (String(repeating: "ab3", count: 43), .tooLong),
        ("25\u{7f}80", .foreignCharacter),
        ("naïve", .foreignCharacter), ("0000", .repeated), ("1212", .repeated), ("aaaaaaaa", .repeated),
        ("1234", .counted), ("4321", .counted),
        ("7890", .counted), ("2109", .counted), ("abcd", .counted), ("1900", .year), ("2026", .year),
        ("2099", .year), ("Alice", .accountName),
        ("JQKKMG", .readsAsCode), ("jqk-kmg", .readsAsCode), ("BCDF GHJK LMNP QRST", .readsAsCode),
    ])
    func `is refused if it is trivial or reads as a code`(_ pin: String, _ fault: PINFault) throws {
        let account = Array("alice".utf8)
        #expect(PINPolicy.fault(of: try secret(pin), account: account, remote: false) == fault)
    }

    @Test(arguments: [
        "2580", "1235", "1874", "2100", "alice1", "JQKKMGB", "margot", "rattling kettle", "12345679",
    ])
    func `is taken otherwise`(_ pin: String) throws {
        #expect(PINPolicy.fault(of: try secret(pin), account: Array("alice".utf8), remote: false) == nil)
    }

    @Test func `needs ten characters where it is to be typed from afar`() throws {
        #expect(PINPolicy.fault(of: try secret("258025801"), account: [], remote: true) == .tooShort)
        #expect(PINPolicy.fault(of: try secret("2580258013"), account: [], remote: true) == nil)
    }

    @Test func `that is taken can be typed`() throws {
        for pin in ["2580", "rattling kettle", String(repeating: "ab3", count: 42)] {
            #expect(PINPolicy.fault(of: try secret(pin), account: [], remote: false) == nil)
            #expect(PINPolicy.canBePIN(try secret(pin)))
        }
    }
}
