// SPDX-License-Identifier: Apache-2.0
// The store: what proves that an account is not enrolled, and everything that is an error instead.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Secrets
import Testing

/// The fault for which a store or a file in it is refused; nil if there is none.
private func fault(_ body: () throws -> Void) -> StoreError.Fault? {
    do {
        try body()
        return nil
    } catch let error as StoreError { return error.fault } catch { return .badSecret }
}

private func find(_ fixture: LoginFixture) -> StoreError.Fault? {
    fault { _ = try FileStore(at: fixture.store).user(alice, host: fixture.host) }
}

@Suite struct `A store` {
    @Test func `proves only by a missing file that an account is not enrolled`() throws {
        let fixture = try LoginFixture(enrolled: false)
        let files = try FileStore(at: fixture.store)
        let isProven = try files.user(alice, host: fixture.host) == nil
        #expect(isProven)
    }

    @Test(arguments: ["marker", "users", "store"]) func `that is incomplete is refused`(_ part: String) throws
    {
        let fixture = try LoginFixture(enrolled: false)
        let path =
            ["marker": "store/users/.mpin-store", "users": "store/users", "store": "store"][part] ?? ""
        try FileManager.default.removeItem(atPath: fixture.folder.path + "/" + path)
        #expect(find(fixture) == (part == "marker" ? .noMarker : .missing))
    }

    @Test(arguments: [
        ("store/users", 0o755), ("store/users", 0o710), ("store/users", 0o701), ("store", 0o775),
        ("store", 0o757),
    ])
    func `that others may enter or change is too open`(_ name: String, _ mode: Int) throws {
        let fixture = try LoginFixture()
        try fixture.mode(name, mode)
        #expect(find(fixture) == .tooOpen)
    }

    @Test func `below a folder that others may change is too open`() throws {
        let fixture = try LoginFixture()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: fixture.folder.path)
        #expect(find(fixture) == .tooOpen)
    }

    @Test func `is not reached through a link`() throws {
        let fixture = try LoginFixture()
        let link = fixture.folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "store")
        #expect(fault { _ = try FileStore(at: Array(link.utf8)) } == .wrongType)
    }

    @Test(arguments: ["store", "", "/tmp/../tmp/store", "/tmp/./store", "/tmp/\u{0}"])
    func `has an absolute path without steps back`(_ path: String) {
        #expect(fault { _ = try FileStore(at: Array(path.utf8)) } == .badPath)
    }

    @Test(.enabled(if: geteuid() == 0)) func `belongs to root`() throws {
        for name in ["store/users", "store/users/4711", "store", "store/users/.mpin-store"] {
            let fixture = try LoginFixture()
            try #require(unsafe chown(fixture.folder.path + "/" + name, 65_534, 0) == 0)
            #expect(find(fixture) == .foreignOwner, "\(name)")
        }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o601]) func `has no file that others may read`(_ mode: Int) throws
    {
        let fixture = try LoginFixture()
        try fixture.mode("store/users/4711", mode)
        #expect(find(fixture) == .tooOpen)
    }

    @Test(arguments: ["link", "pipe", "folder", "dangling"])
    func `reports an error if its file is of another type`(_ kind: String) throws {
        let fixture = try LoginFixture()
        let file = fixture.folder.path + "/store/users/4711"
        try FileManager.default.moveItem(atPath: file, toPath: file + "1")
        switch kind {
        case "link": try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "47111")
        case "dangling": try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "none")
        case "folder":
            try FileManager.default.createDirectory(
                atPath: file, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        default: try #require(unsafe mkfifo(file, 0o600) == 0)
        }
        #expect(find(fixture) == .wrongType)
        #expect(
            try fixture.login(LoginFixture.pin).outcome
                == .failed(.store(StoreError(file: Array(file.utf8), fault: .wrongType))))
    }

    @Test func `refuses the file of a reused uid, a renamed account, another host`() throws {
        let fixture = try LoginFixture()
        let text = try fixture.folder.text("store/users/4711")
        let spellings: [(String, String, StoreError.Fault)] = [
            ("uid = 4711", "uid = 4712", .otherUID), ("name = alice", "name = bob", .otherName),
            ("name = alice", "name = ALICE", .otherName), ("host = prod-db1", "host = build-7", .otherHost),
        ]
        for (old, new, expected) in spellings {
            try fixture.folder.write(text.replacingOccurrences(of: old, with: new), to: "store/users/4711")
            #expect(find(fixture) == expected, "\(new)")
        }
    }

    @Test func `refuses a file that is too long`() throws {
        let fixture = try LoginFixture()
        let text = try fixture.folder.text("store/users/4711")
        try fixture.folder.write(text + String(repeating: "# \n", count: 30_000), to: "store/users/4711")
        #expect(find(fixture) == .tooLong)
    }

    @Test(arguments: [
        ("suite = bn254cx", "suite = bls12381", "suite"), ("remote = no", "remote = maybe", "remote"),
        ("16384 8 1", "1024 8 1", "pin-rule"),
        ("16384 8 1", "1073741824 8 1", "pin-rule"), ("16384 8 1", "16384 9 1", "pin-rule"),
        ("16384 8 1", "16384 8 17", "pin-rule"),
        ("way = pin", "way = face", "way"), ("2026-11-21T12:00:00Z", "yesterday", "enrolled"),
        ("mpin-user = 1", "mpin-user = 2", "mpin-user"),
        ("mpin-id = 7b", "mpin-id = 7", "mpin-id"), ("epoch = 1", "epoch = -1", "epoch"),
    ])
    func `names the key that is wrong`(_ old: String, _ new: String, _ key: String) throws {
        let fixture = try LoginFixture(rule: .stretched)
        let text = try fixture.folder.text("store/users/4711")
        #expect(text.contains(old))
        try fixture.folder.write(text.replacingOccurrences(of: old, with: new), to: "store/users/4711")
        guard case .key(let error)? = find(fixture) else {
            Issue.record("\(String(describing: find(fixture)))")
            return
        }
        #expect(error.key == Array(key.utf8))
    }

    @Test func `holds identities under the hash of their mpinId only`() throws {
        let fixture = try LoginFixture()
        let text = try fixture.folder.text("store/users/4711")
        let other = text.replacingOccurrences(of: "mpin-id = 7b", with: "mpin-id = 7c")
        try fixture.folder.write(other, to: "store/users/4711")
        #expect(find(fixture) == .otherIdentity)
    }

    @Test func `refuses a token that is not a point`() throws {
        let fixture = try LoginFixture()
        let text = try fixture.folder.text("store/users/4711")
        let path = Array((fixture.folder.path + "/store/users/4711").utf8)
        for token in ["token = 05", "token = zz", "token = 0400", "token = "] {
            let broken = text.replacingOccurrences(of: "token = 04", with: token)
            try fixture.folder.write(broken, to: "store/users/4711")
            let expected = Outcome.failed(.store(StoreError(file: path, fault: .badSecret)))
            #expect(try fixture.login(LoginFixture.pin).outcome == expected, "\(token)")
        }
    }
}

extension LoginFixture {
    func mode(_ name: String, _ mode: Int) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: folder.path + "/" + name)
    }
}
