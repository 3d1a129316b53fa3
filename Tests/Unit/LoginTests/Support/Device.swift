// SPDX-License-Identifier: Apache-2.0
// A second device with a token of its own, and a backend at which a console waits for it.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets

/// A device that is enrolled with PIN 2580 by default.
final class Device {
    static let account = Account(uid: geteuid(), gid: getegid(), name: [])
    static let origin = "https://login.example.org"
    static let wid = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
    static let number = "3232212"
    static let pin = "2580"
    static let code = "JQKKMG"

    let folder: Folder
    let store: [UInt8]
    let server: FakeServer
    /// The device's requests, in order.
    private(set) var asked: [DeviceRequest] = []
    /// Changes an answer before the device receives it.
    var spoil: (DeviceRequest, DeviceResponse) -> DeviceResponse = { _, answer in answer }
    /// What the user was shown, in order.
    private(set) var shown: [ApprovalDetails?] = []
    /// What the last proof received beside its verdict.
    private(set) var tries: Tries?
    private(set) var hasNoNotice = false
    private(set) var newKey: [UInt8]?
    /// Sent with each verdict.
    var word = DeviceWord()
    /// Makes the words that are sent with the verdict on this ticket; without it, `word` is sent.
    var sealing: (([UInt8]) throws -> DeviceWord)?

    let rule: PINRule

    init(enrolled: Bool = true, rule: PINRule = .milagroString) throws {
        self.rule = rule
        folder = try Folder()
        store = Array((folder.path + "/tokens").utf8)
        server = try FakeServer(isPersonal: true)
        server.seen = Device.seen()
        _ = try FileStore.make(at: store, isPersonal: true)
        guard enrolled else { return }
        let outcome = try enrol()
        guard case .enrolled = outcome else { throw NotEnrolled(outcome: outcome) }
    }

    struct NotEnrolled: Error { let outcome: RegistrationOutcome }

    static func seen(
        origin: String = origin, wid: String = wid, account: String = "alice", host: String = "prod-db1",
        service: String = "sshd"
    ) -> ApprovalDetails? {
        ApprovalDetails(
            origin: Array(origin.utf8), wid: Array(wid.utf8), host: Array(host.utf8),
            service: Array(service.utf8), account: Array(account.utf8), source: Array("203.0.113.9".utf8),
            seconds: 1_795_218_263)
    }

    func request(
        userID: String = "alice@example.org", backend: String = origin, pending: PendingRegistration? = nil
    ) throws -> RegistrationRequest {
        let files = try FileStore(at: store)
        let known: [IdentityHash]
        if let file = try files.user(Device.account, host: []) {
            known = file.identities.map(\.id)
        } else {
            known = []
        }
        return RegistrationRequest(
            context: LoginContext(service: Array("mpin".utf8), askedFor: alice, realUID: 1),
            userID: Array(userID.utf8), activationCode: Array("BCDFGHJKLMNPQRST".utf8),
            deviceName: Array("pocket".utf8), backend: Array(backend.utf8),
            enrolled: Array("2026-11-21T12:00:00Z".utf8), remote: false,
            rule: rule, known: known, pending: pending,
            personal: PersonalBackend(
                alsoOrigins: [Array("https://dta.example.org".utf8)], caFile: Array("/etc/ssl/own.pem".utf8)))
    }

    func enrol(
        userID: String = "alice@example.org", backend: String = origin, pin: String = Device.pin
    ) throws -> RegistrationOutcome {
        var machine = try Registration(
            request(userID: userID, backend: backend), pin: try secret(pin), hostKey: nil, nonce: freshNonce)
        return drive(
            &machine, of: Device.account, host: [], in: try FileStore(at: store), progress: { _ in },
            connect: { server.connect() })
    }

    func identities() throws -> [Identity] {
        let files = try FileStore(at: store)
        guard let file = try files.user(Device.account, host: []) else { return [] }
        return file.identities
    }

    /// The look-up of a session as this device requests it, with its tag.
    func look(_ wid: String = Device.wid) throws -> DeviceRequest {
        .look(wid: Array(wid.utf8), by: try tag("wid", wid))
    }

    func choose(_ userID: String) throws -> DeviceRequest {
        .choose(
            wid: Array(Device.wid.utf8), userID: Array(userID.utf8), by: try tag("user", Device.wid))
    }

    private func tag(_ status: String, _ wid: String) throws -> DeviceTag? {
        let files = try FileStore(at: store)
        guard let file = try files.user(Device.account, host: []), let identity = file.identities.first
        else { throw CocoaError(.fileNoSuchFile) }
        let pass = DevicePass(id: identity.id, status: Array(status.utf8), wid: Array(wid.utf8))
        switch try file.deviceKey(at: 0) {
        case .none: return nil
        case .some(let key): return DeviceTag(id: identity.id, tag: try key.tag(of: pass))
        }
    }

    func approval(_ scanned: Scanned, denies: Bool = false) throws -> Approval {
        try machine(.console(scanned, denies: denies))
    }

    func machine(_ purpose: ApprovalPurpose, isBound: Bool = true) throws -> Approval {
        let files = try FileStore(at: store)
        guard let file = try files.user(Device.account, host: []), var identity = file.identities.first,
            let pin = identity.pin, let backend = Backend(pin.backend)
        else { throw CocoaError(.fileNoSuchFile) }
        if !isBound {
            let personal = PersonalBackend(alsoOrigins: [], caFile: nil, isBound: false)
            identity = Identity(
                id: identity.id, label: identity.label, enrolled: identity.enrolled,
                pin: PINIdentity(
                    mpinID: pin.mpinID, epoch: pin.epoch, backend: pin.backend, rule: pin.rule,
                    remote: pin.remote, personal: personal))
        }
        guard
            let credential = Credential(
                identity: identity, token: try file.token(at: 0), ids: [], hostKey: nil,
                deviceKey: try file.deviceKey(at: 0))
        else { throw CocoaError(.fileNoSuchFile) }
        return Approval(purpose, at: backend, by: credential)
    }

    /// One approval of the address in the QR code; with `typed` nil the user cancels.
    func approve(
        _ typed: String? = Device.pin, of text: String = "\(origin)/#\(wid)", denies: Bool = false
    ) throws -> ApprovalOutcome {
        try prove(.console(try Scanned(Array(text.utf8)), denies: denies), typed)
    }

    func prove(_ purpose: ApprovalPurpose, _ typed: String? = Device.pin) throws -> ApprovalOutcome {
        var machine = try machine(purpose)
        var line = DeviceLine(device: self)
        let outcome = drive(&machine, over: &line) { seen in
            shown.append(seen)
            return typed.flatMap { try? secret($0) }
        }
        (tries, hasNoNotice, newKey) = (machine.tries, machine.hasNoNotice, nil)
        switch machine.newDeviceKey {
        case .none: break
        case .some(let key): newKey = key.withOctets(copied)
        }
        return outcome
    }

    func exchange(_ question: DeviceRequest) -> DeviceResponse {
        asked.append(question)
        return spoil(question, honest(question))
    }

    private func said(to ticket: [UInt8]) -> DeviceWord { (try? sealing?(ticket)) ?? word }

    private func honest(_ question: DeviceRequest) -> DeviceResponse {
        switch question {
        case .look(let wid, _):
            guard let seen = server.seen, seen.wid == wid else {
                return DeviceResponse(status: 200, body: .look(seen: [], attempt: []))
            }
            return DeviceResponse(status: 200, body: .look(seen: seen.octets, attempt: Array(1...8)))
        case .choose: return DeviceResponse(status: 200, body: .chosen)
        case .approve(let ticket, let denies):
            let word = said(to: ticket)
            guard let good = server.redeem(ticket) else { return DeviceResponse(status: 412) }
            guard good else { return DeviceResponse(status: 401, word: word) }
            return DeviceResponse(
                status: 200, body: .approved(code: denies ? [] : Array(Device.code.utf8)), word: word)
        case .redeem(let ticket):
            let word = said(to: ticket)
            guard server.redeem(ticket) == true else { return DeviceResponse(status: 401, word: word) }
            return DeviceResponse(
                status: 200, body: .redeemed(seconds: 60, code: Array("code-1".utf8)), word: word)
        case .logOut, .authorize, .service: return DeviceResponse(status: 404)
        }
    }
}

struct DeviceLine: ~Copyable, DeviceTransport {
    let device: Device

    mutating func exchange(_ question: RelayRequest) throws(TransportError) -> RelayResponse {
        try device.server.exchange(question)
    }

    mutating func exchange(_ question: DeviceRequest) throws(TransportError) -> DeviceResponse {
        device.exchange(question)
    }
}
