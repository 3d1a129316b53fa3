// SPDX-License-Identifier: Apache-2.0
// Proofs of a user's own device that belong to no console: a one-time password, a login at an application.
// And the record that a device keeps of its approvals.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Testing

@Suite struct `A device that requests a one-time password` {
    private let password = ApprovalPurpose.password

    @Test func `sends only the proof, and shows the digits once they are valid`() throws {
        let device = try Device()
        let before = device.server.asked.count
        #expect(try device.prove(password) == .password(Array("123456".utf8), seconds: 60))
        let asked = device.server.asked.dropFirst(before)
        #expect(asked.map(\.kind) == [.settings, .permits, .passOne, .passTwo])
        guard case .passOne(let one)? = asked.dropFirst(2).first, case .passTwo(let two)? = asked.last else {
            Issue.record("no passes")
            return
        }
        #expect(one.seen.isEmpty && one.sealed.isNone)
        #expect(two.wantsOTP && two.wid == Array("0".utf8))
        #expect(device.shown == [nil] && device.asked.count == 1)
    }

    @Test func `shows no password after a wrong PIN, whatever pass 2 returned`() throws {
        let device = try Device()
        #expect(try device.prove(password, "1470") == .wrongPIN(triesLeft: nil))
        #expect(try device.prove(password, "") == .declined)
        #expect(try device.prove(password, nil) == .declined)
    }

    @Test func `shows no password that is expired or malformed`() throws {
        let device = try Device()
        device.spoil = { _, _ in DeviceResponse(status: 200, body: .redeemed(seconds: 0, code: [])) }
        #expect(try device.prove(password) == .notUnderstood(status: 200))
        device.spoil = { _, answer in answer }
        device.server.spoil = { question, answer throws(TransportError) in
            guard case .passTwo(let pass)? = answer.body else { return answer }
            let digits = Array("12345x".utf8)
            return RelayResponse(
                kind: .passTwo, status: 200,
                body: .passTwo(RelayPassTwoResponse(authOTT: pass.authOTT, otp: digits)))
        }
        #expect(try device.prove(password) == .notUnderstood(status: 200))
    }

    @Test func `accepts no approval code as a password, and no password as an approval code`() throws {
        let device = try Device()
        device.spoil = { question, answer in
            if case .redeem = question {
                return DeviceResponse(status: 200, body: .approved(code: Array(Device.code.utf8)))
            }
            return answer
        }
        #expect(try device.prove(password) == .notUnderstood(status: 200))
        device.spoil = { question, answer in
            if case .approve = question {
                return DeviceResponse(status: 200, body: .redeemed(seconds: 60, code: []))
            }
            return answer
        }
        #expect(try device.approve() == .notUnderstood(status: 200))
    }
}

@Suite struct `A login at an application` {
    private let purpose = ApprovalPurpose.application(wid: Array(Device.wid.utf8))

    @Test func `is shown, proved for its session and ends in a code`() throws {
        let device = try Device()
        #expect(try device.prove(purpose) == .authorised(code: Array("code-1".utf8)))
        #expect(device.shown == [Device.seen()])
        guard case .passTwo(let two)? = device.server.asked(.passTwo).last else {
            Issue.record("no pass 2")
            return
        }
        #expect(two.wid == Array(Device.wid.utf8) && !two.wantsOTP)
    }

    @Test func `with another origin or session is not even shown`() throws {
        let device = try Device()
        device.server.seen = Device.seen(origin: "https://login-example.org")
        #expect(try device.prove(purpose) == .otherOrigin)
        #expect(device.shown.isEmpty)
    }

    @Test(arguments: ["", "two words", "line\n", String(repeating: "x", count: 256)])
    func `returns no invalid code`(_ code: String) throws {
        let device = try Device()
        device.spoil = { question, answer in
            guard case .redeem = question else { return answer }
            return DeviceResponse(status: 200, body: .redeemed(seconds: 0, code: Array(code.utf8)))
        }
        #expect(try device.prove(purpose) == .notUnderstood(status: 200))
    }
}

@Suite struct `A device's record of an approval` {
    private func one(
        _ number: UInt8, url: String = "/mpinLogout", time: String = "2026-11-21T12:00:00Z"
    ) throws -> Approved? {
        let logout = Logout(
            url: Array(url.utf8), userID: Array("alice@example.org".utf8), token: [0x61, number])
        let seen = try #require(Device.seen())
        return Approved(
            attempt: [UInt8](repeating: number, count: 8), backend: Array(Device.origin.utf8),
            logout: logout, seen: seen, time: Array(time.utf8))
    }

    @Test func `is kept with its logout data, sixteen at most, in a file only for its owner`() throws {
        let device = try Device()
        let files = try FileStore(at: device.store)
        #expect(try files.approved(by: Device.account).isEmpty)
        let all = try (0x61...0x74).compactMap { try one($0) }
        for one in all { try files.remember(one, by: Device.account) }
        #expect(try files.approved(by: Device.account) == Array(all.suffix(16)))
        let path = device.folder.path + "/tokens/users/\(Device.account.uid).approved"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try files.forget(all.suffix(16).map(\.attempt), by: Device.account)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `with a time of another form is neither written nor read`() throws {
        let device = try Device()
        let files = try FileStore(at: device.store)
        #expect(try one(0x61, time: "2026-11-21 12:00") == nil)
        try files.remember(#require(try one(0x61)), by: Device.account)
        let name = "tokens/users/\(Device.account.uid).approved"
        try device.folder.write(device.folder.text(name).replacing("T12:00:00Z", with: " 12:00"), to: name)
        #expect(throws: StoreError.self) { try files.approved(by: Device.account) }
    }

    @Test func `may have no account, and names in any script`() throws {
        let device = try Device()
        let files = try FileStore(at: device.store)
        let seen = try #require(
            ApprovalDetails(
                origin: Array(Device.origin.utf8), wid: [0x30], host: Array("Büro".utf8),
                service: ApprovalDetails.browserService, account: [], source: [], seconds: 0))
        let logout = Logout(url: Array("/mpinLogout".utf8), userID: Array("Жанна".utf8), token: [0x61])
        let one = try #require(
            Approved(
                attempt: [UInt8](repeating: 1, count: 8), backend: Array(Device.origin.utf8), logout: logout,
                seen: seen, time: Array("2026-11-21T12:00:00Z".utf8)))
        try files.remember(one, by: Device.account)
        #expect(try files.approved(by: Device.account) == [one])
    }

    @Test(arguments: ["", " /x", "/x\n[0000000000000000]", "/\u{7f}"])
    func `cannot inject a line`(_ url: String) throws {
        #expect(try one(0x61, url: url) == nil)
    }
}
