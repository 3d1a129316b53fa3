// SPDX-License-Identifier: Apache-2.0
// Files that `mpin` writes: complete files, one token for one mpinId, and no text that can be misread.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

private func phone(_ octet: UInt8, label: String = "phone") -> Identity {
    Identity(
        id: IdentityHash(repeating: octet), label: Array(label.utf8),
        enrolled: Array("2026-11-21T12:00:00Z".utf8), pin: nil)
}

@Suite struct `Writing the store` {
    @Test func `keeps the existing lines, and the octets of the tokens`() throws {
        let fixture = try LoginFixture()
        let files = try FileStore(at: fixture.store)
        let old = try fixture.folder.text("store/users/4711")
        try files.add(phone(1), of: alice, host: fixture.host)
        try files.add(phone(2), of: alice, host: fixture.host)
        try files.remove([phone(1).id], of: alice, host: fixture.host)
        let new = try fixture.folder.text("store/users/4711")
        #expect(new.hasPrefix(old))
        #expect(try fixture.ids(files).count == 2)
        #expect(try fixture.login(LoginFixture.pin).outcome.isGranted)
    }

    @Test func `refuses a second token of one mpinId, and a second section of one device`() throws {
        let fixture = try LoginFixture()
        let files = try FileStore(at: fixture.store)
        guard let file = try files.user(alice, host: fixture.host), let index = file.pinIndex else {
            Issue.record("not enrolled")
            return
        }
        let before = try fixture.folder.text("store/users/4711")
        let token = try file.token(at: index)
        let identity = file.identities[index]
        #expect(throws: StoreError.self) {
            try files.add(identity, token: token, deviceKey: nil, of: alice, host: fixture.host)
        }
        try files.add(phone(1), of: alice, host: fixture.host)
        #expect(throws: StoreError.self) { try files.add(phone(1), of: alice, host: fixture.host) }
        #expect(try fixture.folder.text("store/users/4711").hasPrefix(before))
    }

    @Test(arguments: ["a\nway = pin", "a\n[\(String(repeating: "0", count: 64))]", "a\u{0}b", "a\rb", ""])
    func `refuses a label that would be read as something else`(_ label: String) throws {
        let fixture = try LoginFixture()
        let files = try FileStore(at: fixture.store)
        let before = try fixture.folder.text("store/users/4711")
        #expect(throws: StoreError.self) {
            try files.add(phone(1, label: label), of: alice, host: fixture.host)
        }
        #expect(try fixture.folder.text("store/users/4711") == before)
    }

    @Test func `leaves only files that nobody but the owner can read`() throws {
        let fixture = try LoginFixture()
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path + "/store/users")
        #expect(Set(names) == [".mpin-store", ".lock", "4711"])
        for name in names {
            let path = fixture.folder.path + "/store/users/" + name
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `replaces the file that a killed writer left`() throws {
        let fixture = try LoginFixture()
        try fixture.folder.write("half a file", to: "store/users/.new.4711")
        let files = try FileStore(at: fixture.store)
        try files.add(phone(1), of: alice, host: fixture.host)
        #expect(try fixture.ids(files).count == 2)
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path + "/store/users/.new.4711"))
    }

    @Test func `changes the label of an identity and keeps its token`() throws {
        let fixture = try LoginFixture()
        let files = try FileStore(at: fixture.store)
        let before = try fixture.folder.text("store/users/4711")
        let id = try #require(try fixture.ids(files).first)
        try files.relabel(id, Array("Alice, the second".utf8), of: alice, host: fixture.host)
        let after = try fixture.folder.text("store/users/4711")
        #expect(after == before.replacingOccurrences(of: "alice@example.org", with: "Alice, the second"))
        #expect(try files.hostName() == Array("prod-db1".utf8))
    }

    @Test func `removes the file with its last identity`() throws {
        let fixture = try LoginFixture()
        let files = try FileStore(at: fixture.store)
        #expect(try files.uids() == [4_711])
        try files.remove(try fixture.ids(files), of: alice, host: fixture.host)
        #expect(try files.uids() == [])
    }

    @Test func `returns the host's key`() throws {
        let fixture = try LoginFixture(enrolled: false)
        let key = try FileStore(at: fixture.store).hostKey()
        #expect(key.name == Array("prod-db1".utf8))
        #expect(key.epoch == 1)
        #expect(octets(key.key) == Array(0..<32))
    }

    @Test func `lets a host join by its code`() throws {
        let code = try OneTimeCode(typed: secret("BCDFGHJKLMNPQRST"))
        let key = try testHostKey()
        let sealed = try key.sealed(joinKey: code.joinKey(host: key.name))
        let join = try HostJoin(host: key.name, typed: secret("bcdf-ghjk lmnp-qrst"))
        #expect(try join.question() == .join(RelayJoinRequest(host: key.name, joinID: code.joinID())))
        let opened = try join.key(from: RelayJoinResponse(epoch: 1, sealedKey: sealed))
        #expect(octets(opened.key) == octets(key.key))
        #expect(throws: SealFailure.self) {
            let other = try join.key(from: RelayJoinResponse(epoch: 2, sealedKey: sealed))
            _ = other.epoch
        }
    }
}
