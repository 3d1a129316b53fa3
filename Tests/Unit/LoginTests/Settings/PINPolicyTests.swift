// SPDX-License-Identifier: Apache-2.0
// PINs that enrolment refuses, and answers that cannot be a PIN.
import MPinLogin
import MPinProof
import MPinWire
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
    func `is accepted otherwise`(_ pin: String) throws {
        #expect(PINPolicy.fault(of: try secret(pin), account: Array("alice".utf8), remote: false) == nil)
    }

    @Test func `needs ten characters for remote use`() throws {
        #expect(PINPolicy.fault(of: try secret("258025801"), account: [], remote: true) == .tooShort)
        #expect(PINPolicy.fault(of: try secret("2580258013"), account: [], remote: true) == nil)
    }

    private func fault(_ pin: String, _ demand: PINDemand, remote: Bool = false) throws -> PINFault? {
        PINPolicy.fault(of: try secret(pin), account: [], remote: remote, demand: demand)
    }

    @Test func `is at least as long as the server demands`() throws {
        let demand = PINDemand(length: 8)
        #expect(try fault("258025", demand) == .shorterThanAsked(8))
        #expect(try fault("2580258", demand) == .shorterThanAsked(8))
        #expect(try fault("25802581", demand) == nil)
        // The longer of two demands counts.
        #expect(try fault("25802581", demand, remote: true) == .tooShort)
        #expect(try fault("2580258013", PINDemand(length: 12), remote: true) == .shorterThanAsked(12))
        // A server cannot relax the rules.
        #expect(try fault("258", PINDemand(length: 1)) == .tooShort)
        #expect(try fault("7777", PINDemand(length: 1)) == .repeated)
    }

    @Test(arguments: [
        "311299", "123199", "991231", "290224", "31121999", "12312005", "20051231", "3112", "1231", "0102",
        "31.12.99", "31-12-1999", "1999/12/31", "31 12 99",
    ])
    func `must not be a date where the server refuses dates`(_ pin: String) throws {
        #expect(try fault(pin, PINDemand(refusesDates: true)) == .date)
        #expect(try fault(pin, PINDemand.none) == nil)
        #expect(PINPolicy.fault(of: try secret(pin), by: PINDemand(refusesDates: true)) == .date)
    }

    @Test(arguments: [
        "2580", "311399", "003199", "310499", "300299", "31122199", "18991231", "3112a", "311299x", "31129",
        "3112199", "311219990", "x",
    ])
    func `that is not a date is not refused as one`(_ pin: String) throws {
        #expect(try fault(pin, PINDemand(refusesDates: true)) != .date)
    }

    @Test func `needs to satisfy only the server's demand where only that counts`() throws {
        func fault(_ pin: String, _ demand: PINDemand) throws -> PINFault? {
            PINPolicy.fault(of: try secret(pin), by: demand)
        }
        for pin in ["1", "7777", "naïve"] { #expect(try fault(pin, PINDemand.none) == nil) }
        #expect(try fault("ünïkö", PINDemand(length: 6)) == .shorterThanAsked(6))
        #expect(try fault("ünïköd", PINDemand(length: 6)) == nil)
    }

    @Test func `that the server refuses ends the enrolment`() throws {
        let fixture = try LoginFixture()
        let asked = RegistrationRequest(
            context: fixture.context(service: "mpin"), userID: Array("alice@example.org".utf8),
            activationCode: Array("BCDFGHJKLMNPQRST".utf8), deviceName: Array("prod-db1".utf8),
            backend: Array("unix:/run/mpind.sock".utf8), enrolled: Array("2026-11-21T12:00:00Z".utf8),
            remote: false, rule: fixture.rule, known: [], pending: nil,
            demand: PINDemand(length: 8, refusesDates: true))
        for (pin, fault) in [("258025", PINFault.shorterThanAsked(8)), ("31121999", .date)] {
            #expect(throws: RegistrationError.pin(fault)) { _ = try fixture.registration(asked, pin: pin) }
        }
        _ = try fixture.registration(asked, pin: "25802581")
    }

    @Test func `that is accepted can be typed`() throws {
        for pin in ["2580", "rattling kettle", String(repeating: "ab3", count: 42)] {
            #expect(PINPolicy.fault(of: try secret(pin), account: [], remote: false) == nil)
            #expect(PINPolicy.canBePIN(try secret(pin)))
        }
    }
}
