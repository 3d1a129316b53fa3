// SPDX-License-Identifier: Apache-2.0
// The device key of a user's own device: given once, kept beside the token, and used in every proof.
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

extension Device {
    var fileName: String { "tokens/users/\(Device.account.uid)" }

    /// The device keys in the file, in order.
    func deviceKeys() throws -> [[UInt8]] {
        let files = try FileStore(at: store)
        guard let file = try files.user(Device.account, host: []) else { return [] }
        var keys: [[UInt8]] = []
        for index in file.identities.indices {
            if let key = try file.deviceKey(at: index) { keys.append(key.withOctets(copied)) }
        }
        return keys
    }

    func loseKey() throws {
        let lines = try folder.text(fileName).split(separator: "\n", omittingEmptySubsequences: false)
        let left = lines.filter { !$0.hasPrefix("device-key = ") }
        #expect(left.count == lines.count - 1)
        try folder.write(left.joined(separator: "\n"), to: fileName)
    }
}

@Suite struct `A device key` {
    @Test func `is kept beside the token, and the proof of the enrolment uses it`() throws {
        let device = try Device()
        let id = try #require(try device.identities().first?.id)
        #expect(try device.deviceKeys() == [device.server.deviceKey(of: id).withOctets(copied)])
        #expect(device.server.strangers == 0)
    }

    @Test(arguments: [[], [UInt8](repeating: 7, count: 31), [UInt8](repeating: 7, count: 33)])
    func `that the server sends incomplete or not at all ends the registration`(_ key: [UInt8]) throws {
        let device = try Device(enrolled: false)
        device.server.spoilShares {
            ClientSecretShares(share1: $0.share1, share2: $0.share2, deviceKey: key)
        }
        #expect(try device.enrol() == .failed(.deviceKey(.notGiven)))
        #expect(try device.identities().isEmpty)
    }

    @Test func `does not come from a server that binds no proofs, so a device does not register there`()
        throws
    {
        let device = try Device(enrolled: false)
        device.server.spoil = { _, answer throws(TransportError) in
            guard case .register(let new)? = answer.body else { return answer }
            let plain = RelayRegisterResponse(mpinID: new.mpinID, regOTT: new.regOTT, active: new.active)
            return RelayResponse(kind: .register, status: 200, body: .register(plain))
        }
        #expect(try device.enrol() == .failed(.seal(.missing)))
        #expect(device.server.asked(.clientSecret).isEmpty)
        #expect(try device.identities().isEmpty)
    }

    @Test func `that a device has lost prevents every proof, and no PIN is requested`() throws {
        let device = try Device()
        try device.loseKey()
        let before = device.server.asked.count
        #expect(try device.approve() == .unproved(.failed(.deviceKey(.lost))))
        #expect(try device.prove(.password) == .unproved(.failed(.deviceKey(.lost))))
        #expect(device.server.asked.count == before && device.asked.isEmpty && device.shown.isEmpty)
    }

    @Test(arguments: ["device-key = 00", "device-key = zz"])
    func `that is malformed makes the file unusable`(_ line: String) throws {
        let device = try Device()
        try device.loseKey()
        let text = try device.folder.text(device.fileName)
        try device.folder.write(text + line + "\n", to: device.fileName)
        #expect(throws: (any Error).self) { _ = try device.machine(.password) }
    }

    @Test func `is in no file of a host`() throws {
        let fixture = try LoginFixture()
        let text = try fixture.folder.text("store/users/4711")
        #expect(!text.contains("device-key"))
        let key = String(repeating: "07", count: 32)
        try fixture.folder.write(text + "device-key = \(key)\n", to: "store/users/4711")
        #expect(throws: StoreError.self) { try fixture.ids(FileStore(at: fixture.store)) }
    }

    @Test func `is kept when another identity is added, relabelled or removed`() throws {
        let device = try Device()
        let first = try device.deviceKeys()
        _ = try device.enrol(userID: "bob@example.org")
        let ids = try device.identities().map(\.id)
        let files = try FileStore(at: device.store)
        try files.relabel(ids[0], Array("work".utf8), of: Device.account, host: [])
        #expect(try device.deviceKeys().first == first.first && device.deviceKeys().count == 2)
        try files.remove([ids[1]], of: Device.account, host: [])
        #expect(try device.deviceKeys() == first)
        #expect(try device.approve() == .approved(code: Array(Device.code.utf8)))
    }

    @Test func `is replaced alone, and every other line is kept`() throws {
        let device = try Device()
        _ = try device.enrol(userID: "bob@example.org")
        let ids = try device.identities().map(\.id)
        let before = try device.folder.text(device.fileName)
        let old = try device.deviceKeys()
        let new = [UInt8](repeating: 0xab, count: 32)
        let files = try FileStore(at: device.store)
        try files.replaceDeviceKey(of: ids[1], by: DeviceKey(copying: new), of: Device.account)
        #expect(try device.deviceKeys() == [old[0], new])
        #expect(
            try device.folder.text(device.fileName)
                == before.replacing(hexText(old[1]), with: hexText(new)))
        #expect(throws: StoreError.self) {
            try files.replaceDeviceKey(of: [1], by: DeviceKey(copying: new), of: Device.account)
        }
    }
}

@Suite struct `The tags of a device` {
    @Test func `are in every proof: approval, password, application`() throws {
        let device = try Device()
        #expect(try device.approve() == .approved(code: Array(Device.code.utf8)))
        #expect(try device.prove(.password) == .password(Array("123456".utf8), seconds: 60))
        let application = ApprovalPurpose.application(wid: Array(Device.wid.utf8))
        #expect(try device.prove(application) == .authorised(code: Array("code-1".utf8)))
        #expect(device.server.strangers == 0)
    }

    @Test func `are missing from a host's PIN`() throws {
        let fixture = try LoginFixture()
        #expect(try fixture.login(LoginFixture.pin).outcome.isGranted)
        guard case .passOne(let one)? = fixture.server.asked(.passOne).last,
            case .passTwo(let two)? = fixture.server.asked(.passTwo).last
        else {
            Issue.record("no passes")
            return
        }
        #expect(one.deviceTag.isEmpty && two.deviceTag.isEmpty)
    }

    /// A proxy changes one field on the way; the proof then counts as a stranger's.
    private func forging(_ change: @escaping (RelayPassTwoRequest) -> RelayPassTwoRequest) throws -> Device {
        let device = try Device()
        device.server.forge = { question in
            guard case .passTwo(let pass) = question else { return question }
            return .passTwo(change(pass))
        }
        return device
    }

    @Test func `do not let a proxy turn a login into one that issues a password`() throws {
        let device = try forging {
            RelayPassTwoRequest(
                mpinID: $0.mpinID, v: $0.v, wid: $0.wid, wantsOTP: true, n: $0.n, deviceTag: $0.deviceTag)
        }
        #expect(try device.approve() == .wrongPIN(triesLeft: nil))
        #expect(device.server.strangers == 1)
    }

    @Test func `do not let a proxy use a proof for another session`() throws {
        let device = try forging {
            RelayPassTwoRequest(
                mpinID: $0.mpinID, v: $0.v, wid: Array("0".utf8), wantsOTP: $0.wantsOTP, n: $0.n,
                deviceTag: $0.deviceTag)
        }
        #expect(try device.approve() == .wrongPIN(triesLeft: nil))
        #expect(device.server.strangers == 1)
    }

    @Test func `under an older key count as a stranger's`() throws {
        let device = try Device()
        device.server.deviceEpoch = 2
        #expect(try device.approve() == .wrongPIN(triesLeft: nil))
        #expect(device.server.strangers == 1)
    }
}

private func hexText(_ octets: [UInt8]) -> String { String(decoding: hex(octets), as: UTF8.self) }
