// SPDX-License-Identifier: Apache-2.0
// A user's own tokens: how they are enrolled and kept, and that no host accepts them as its own.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Testing

@Suite struct `A personal enrolment` {
    @Test func `registers a device, and proves it by a login that grants nothing else`() throws {
        let device = try Device(enrolled: false, rule: .stretched)
        guard case .enrolled(let identity) = try device.enrol(),
            case .register(let new)? = device.server.asked.first,
            case .passOne(let pass)? = device.server.asked(.passOne).first,
            case .authenticate(let request)? = device.server.asked.last
        else {
            Issue.record("not enrolled")
            return
        }
        #expect(new.isPersonal && new.sealed == .none && pass.sealed == .none && pass.seen == [])
        #expect(request.a == nil)
        #expect(try device.identities() == [identity])
        #expect(identity.pin?.personal?.alsoOrigins == [Array("https://dta.example.org".utf8)])
        #expect(identity.pin?.personal?.caFile == Array("/etc/ssl/own.pem".utf8))
    }

    @Test func `stores nothing if the server binds no proof`() throws {
        let device = try Device(enrolled: false)
        device.server.spoil = { _, answer throws(TransportError) in
            guard case .passOne(let pass)? = answer.body else { return answer }
            return RelayResponse(
                kind: .passOne, status: 200, body: .passOne(RelayPassOneResponse(y: pass.y, n: nil)))
        }
        #expect(try device.enrol() == .withdrawn(.failed(.seal(.missing))))
        #expect(try device.identities() == [])
        #expect(device.server.asked(.passTwo).isEmpty)
    }

    @Test(arguments: [Kind.passOne, .passTwo, .authenticate], [404, 429, 400, RelayResponse.notUnderstood])
    func `keeps its token after an unexpected answer to the closing proof`(
        _ kind: Kind, _ status: UInt16
    ) throws {
        let device = try Device(enrolled: false)
        device.server.spoil(kind, status: status)
        guard case .unproved(let identity, .failed) = try device.enrol() else {
            Issue.record("not kept")
            return
        }
        #expect(try device.identities() == [identity])
        device.server.spoil = { _, answer throws(TransportError) in answer }
    }

    @Test(arguments: [401, 403, 409, 410])
    func `is withdrawn if the server refuses the closing proof`(_ status: UInt16) throws {
        let device = try Device(enrolled: false)
        device.server.spoil(.authenticate, status: status)
        guard case .withdrawn = try device.enrol() else {
            Issue.record("not withdrawn")
            return
        }
        #expect(try device.identities() == [])
    }

    @Test func `replaces the token of the same name at the same server, and no other`() throws {
        let device = try Device()
        _ = try device.enrol(userID: "bob@example.org")
        _ = try device.enrol(backend: "https://other.example.org")
        let before = try device.identities()
        _ = try device.enrol(pin: "8642")
        let after = try device.identities()
        #expect(before.count == 3 && after.count == 3)
        #expect(after.prefix(2).map(\.id) == before.dropFirst().map(\.id))
    }

    @Test func `cannot be encoded in a frame of the relay`() throws {
        let device = try Device()
        #expect(throws: FrameError.badField) { try device.server.asked[0].encoded() }
        _ = try device.approve()
        let pass = try #require(device.server.asked(.passOne).last)
        #expect(throws: FrameError.badField) { try pass.encoded() }
    }
}

@Suite struct `A folder of personal tokens` {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `is closed to all other users, and so are its files`() throws {
        let device = try Device()
        let path = String(decoding: device.store, as: UTF8.self)
        #expect(try mode(path) == 0o700 && mode(path + "/users") == 0o700)
        #expect(try mode(path + "/users/\(geteuid())") == 0o600)
    }

    @Test func `holds a file that no host accepts as its own`() throws {
        let device = try Device()
        let text = try device.folder.text("tokens/users/\(geteuid())")
        #expect(text.hasPrefix("mpin-device = 1\nuid = \(geteuid())\n\n["))
        let fixture = try LoginFixture(enrolled: false)
        try fixture.folder.write(
            text.replacing("uid = \(geteuid())", with: "uid = 4711"), to: "store/users/4711")
        let fault = StoreError(file: fixture.store + Array("/users/4711".utf8), fault: .otherName)
        #expect(throws: fault) { _ = try FileStore(at: fixture.store).user(alice, host: fixture.host) }
        #expect(try fixture.login(LoginFixture.pin).outcome == .failed(.store(fault)))
    }

    @Test(arguments: [
        ("way = pin", "way = phone"), ("backend = https://login", "backend = ftp://login"),
        ("also-origin = https://dta", "also-origin = http://dta"), ("ca-file = /etc", "ca-file = etc"),
        ("suite", "remote = no\nsuite"), ("mpin-device = 1", "mpin-device = 2"),
        ("mpin-device = 1", "mpin-device = 1\nhost = prod-db1"), ("mpin-device = 1", "mpin-user = 1"),
    ])
    func `with any other content in its file is refused`(_ old: String, _ new: String) throws {
        let device = try Device()
        let name = "tokens/users/\(geteuid())"
        let text = try device.folder.text(name)
        #expect(text.contains(old))
        try device.folder.write(text.replacing(old, with: new), to: name)
        #expect(throws: StoreError.self) { try device.identities() }
    }

    @Test func `has keys that are refused in a file of a host`() throws {
        let fixture = try LoginFixture()
        let text = try fixture.folder.text("store/users/4711")
        try fixture.folder.write(
            text.replacing("remote = no", with: "remote = no\nca-file = /etc/x.pem"), to: "store/users/4711")
        #expect(throws: StoreError.self) { try fixture.ids(FileStore(at: fixture.store)) }
    }
}

@Suite struct `Input copied from a console` {
    private let wid = Device.wid

    @Test(arguments: ["3232212", "323 2212", "323-2212", " 3 2 3 2 2 1 2 ", "3-232-212"])
    func `is a number in any grouping`(_ typed: String) throws {
        #expect(try Scanned(Array(typed.utf8)) == .number(Array("3232212".utf8)))
    }

    @Test(arguments: ["3232213", "2332212", "323221", "32322122", "", " ", "0000000", "3232210"])
    func `with a wrong digit is refused before a request is sent`(_ typed: String) {
        #expect(throws: Scanned.Fault.wrongNumber) { try Scanned(Array(typed.utf8)) }
    }

    @Test(arguments: [
        ("https://login.example.org/#", "https://login.example.org"),
        ("https://login.example.org#", "https://login.example.org"),
        ("https://login.example.org:443/m#", "https://login.example.org"),
        ("HTTPS://LOGIN.EXAMPLE.ORG/#", "https://login.example.org"),
        ("https://login.example.org:8443/#", "https://login.example.org:8443"),
        ("https://login-example.org/#", "https://login-example.org"),
        ("https://login.example.org.evil.example/#", "https://login.example.org.evil.example"),
        ("https://[2001:db8::1]/#", "https://[2001:db8::1]"),
    ])
    func `is an address, of which the origin is compared and only the session is used`(
        _ address: String, _ origin: String
    ) throws {
        let scanned = Scanned.session(wid: Array(wid.utf8), origin: Array(origin.utf8))
        #expect(try Scanned(Array((address + wid).utf8)) == scanned)
        #expect(try Scanned(Array((address + wid.uppercased()).utf8)) == scanned)
        let isOurs = Backend(Array(Device.origin.utf8))?.origin == Array(origin.utf8)
        #expect(isOurs == (origin == Device.origin))
    }

    @Test(arguments: [
        "http://login.example.org/#", "https://login.example.org@evil.example/#",
        "https://alice@login.example.org/#", "https://lοgin.example.org/#", "https://login。example.org/#",
        "https://login.example.org%2f.evil.example/#", "https://login.example.org\\@evil.example/#",
        "https:login.example.org/#", "//login.example.org/#", "https://login.example.org/?x#", "javascript:#",
        "https://login.example.org/#0", "https://login.example.org/", " https://login.example.org/#",
        "https://login.example.org:0/#", "https://login.example.org:99999/#", "unix:/run/mpind.sock#",
        "https:///#", "https://login.example.org/#x#",
    ])
    func `is refused if it is ambiguous`(_ address: String) {
        #expect(throws: Scanned.Fault.notAnAddress) { try Scanned(Array((address + wid).utf8)) }
    }

    @Test(arguments: [
        ("unix:/run/mpind.sock", "unix"), ("https://Login.Example.org/mpin/", "https://login.example.org"),
        ("https://login.example.org:443", "https://login.example.org"),
        ("https://login.example.org:80", "https://login.example.org:80"),
        ("http://127.0.0.1:8011", "http://127.0.0.1:8011"), ("http://[::1]:80/", "http://[::1]"),
    ])
    func `is compared with the origin of the backend, spelled as in seen`(
        _ backend: String, _ origin: String
    ) {
        #expect(Backend(Array(backend.utf8))?.origin == Array(origin.utf8))
    }
}
