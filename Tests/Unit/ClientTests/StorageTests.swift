// SPDX-License-Identifier: Apache-2.0
// The two files: those of Milagro's core open, damaged ones are left alone, unknown members stay.
import Foundation
import MPinClient
import TestSupport
import Testing

@Suite(.slow) struct `The files of a client` {
    private let fixture: Fixture

    init() throws { fixture = try Fixture("01-register-forceactivate", "02-auth-good") }

    /// As the core lays them out: tabs, spaces around colons, a wiped permit of a blocked user.
    private func layOut() throws -> [String] {
        let identity = try Recorded("01-register-forceactivate")
        let blank = String(repeating: "20", count: 65)
        let others = try ["03-wrong-pin-blocked", "07-register-verified", "08-register-refused"].dropLast()
            .map {
                try Transcript.clientView($0).first { $0.route == "/rps/user" }?.response.body ?? ""
            }.map {
                try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])["mpinId"]
            }
        let (blocked, begun) = (try #require(others[0] as? String), try #require(others[1] as? String))
        try fixture.secure.write(
            Array(
                """
                {\n\t"\(identity.mpinID)" : {\n\t\t"token" : "\(try identity.token())"\n\t},
                \t"\(begun)" : {\n\t\t"regOTT" : "0123456789abcdef0123456789abcdef"\n\t}\n}
                """.utf8))
        try fixture.plain.write(
            Array(
                """
                {\n\t"\(fixture.backendKey)" : {
                \t\t"\(identity.mpinID)" : {
                \t\t\t"timePermitCache" : {"date" : 20777, "timePermit" : "\(try share())"},
                \t\t\t"state" : "REGISTERED"\n\t\t},
                \t\t"\(blocked)" : {
                \t\t\t"timePermitCache" : {"date" : 0, "timePermit" : "\(blank)"}, "state" : "BLOCKED"}
                \t},\n\t"login.example.org/path" : {
                \t\t"\(begun)" : {"timePermitCache" : {"date" : 0, "timePermit" : ""}, "deviceName" : "phone",
                \t\t\t"state" : "STARTED_REGISTRATION", "later" : [1, 2.5, null, true]}\n\t}\n}
                """.utf8))
        return [identity.mpinID, blocked, begun]
    }

    private func share() throws -> String {
        let exchange = try Transcript.clientView("02-auth-good").first { $0.route == "/dta2/timePermit" }
        let body = try #require(exchange?.response.body)
        return try #require(body.firstMatch(of: #/04[0-9a-f]{128}/#)).output.description
    }

    @Test func `open as Milagro's core left them`() throws {
        _ = try layOut()
        let client = try fixture.client()
        #expect(try client.users().map(\.identity).sorted() == ["alice@example.org", "bob@example.org"])
        #expect(Set(try client.users().map(\.state)) == [.registered, .blocked])
        #expect(try client.backends().contains("login.example.org/path"))
        for name in ["https://login.example.org/path/", "http://login.example.org/path"] {
            let user = try #require(try client.users(of: name).first)
            #expect(user.state == .startedRegistration && user.deviceName == "phone")
            #expect(user.backend == "login.example.org/path" && user.identity == "dave@example.org")
        }
        #expect(try client.allUsers().count == 3)
        let alice = try #require(try client.users().first { $0.state == .registered })
        _ = try client.logIn(alice)
        // The share that the core had cached was used.
        #expect(fixture.received("/dta2/timePermit").isEmpty)
    }

    @Test func `keep members that are not ours`() throws {
        let ids = try layOut()
        let client = try fixture.client()
        let alice = try #require(try client.users().first { $0.state == .registered })
        try client.deleteUser(alice)
        let texts = try fixture.texts()
        #expect(texts[1].contains(#""later":[1,2.5,null,true]"#))
        #expect(!texts.joined().contains(ids[0]) && texts[1].contains(ids[1]) && texts[0].contains(ids[2]))
    }

    @Test func `contain how our PINs are stretched, and nothing else of them`() throws {
        let client = try fixture.client()
        _ = try client.register("alice@example.org")
        let text = try fixture.texts()[0]
        #expect(text.contains(#/"pinRule":"scrypt 16384 8 1 [0-9a-f]{32}"/#))
        #expect(!text.contains("regOTT") && !text.contains("1234\""))
        let mode = try FileManager.default.attributesOfItem(atPath: fixture.folder.path + "/secure")
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [
        "{", "[]", "null", "hello", "\u{0}", "{\"x\": 1}", "{\"x\": {\"zz\": {\"state\": \"REGISTERED\"}}}",
        "{\"x\": {\"7b7d\": {\"state\": \"REGISTERED\"}}}",
        "{\"x\": {\"7b22757365724944223a2261227d\": {}}}",
        "{\"x\": {\"7b22757365724944223a2261227d\": {\"state\": \"INVALID\"}}}",
        "{\"x\": {\"7b22757365724944223a2261227d\": {\"state\": \"ACTIVATED\"}}}",
    ])
    func `are left alone if they are damaged`(_ text: String) throws {
        try fixture.plain.write(Array(text.utf8))
        #expect(try status { _ = try fixture.client() } == .storageError)
        #expect(fixture.server.received.isEmpty)
        #expect(try fixture.plain.read() == Array(text.utf8))
        // Damaged while a program runs.
        try fixture.plain.write([])
        let client = try fixture.client()
        try fixture.plain.write(Array(text.utf8))
        #expect(try status { _ = try client.startRegistration(client.makeUser("a@x")) } == .storageError)
        #expect(try fixture.plain.read() == Array(text.utf8))
    }

    @Test(arguments: ["{", "[]", "{\"7b22757365724944223a2261227d\": {\"pinRule\": \"scrypt 2 8 1 00\"}}"])
    func `are left alone if the secure one is damaged`(_ text: String) throws {
        try fixture.register()
        let id = try Recorded("01-register-forceactivate").mpinID
        let spoiled = text.replacing("7b22757365724944223a2261227d", with: id)
        try fixture.secure.write(Array(spoiled.utf8))
        #expect(try status { _ = try fixture.client() } == .storageError)
        #expect(try fixture.texts()[0] == spoiled)
    }

    @Test func `may not be links, folders or pipes`() throws {
        let path = fixture.folder.path + "/secure"
        let target = fixture.folder.path + "/target"
        try Data("{}".utf8).write(to: URL(filePath: target))
        for make: (String) throws -> Void in [
            { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: target) },
            { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) },
            { #expect(unsafe mkfifo($0, 0o600) == 0) },
        ] {
            try make(path)
            #expect(try status { _ = try fixture.client() } == .storageError)
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "{}")
        #expect(throws: StorageFailure.self) { try FileStorage(path: "/nowhere/at/all").read() }
        #expect(throws: StorageFailure.self) { try FileStorage(path: "/nowhere/at/all").write([]) }
    }

    @Test func `are written whole or not at all`() throws {
        let storage = FileStorage(path: fixture.folder.path + "/one")
        #expect(try storage.read() == [])
        try storage.write(Array("old".utf8))
        try FileManager.default.createDirectory(
            atPath: fixture.folder.path + "/.new.one/full", withIntermediateDirectories: true)
        #expect(throws: StorageFailure.self) { try storage.write(Array("new".utf8)) }
        #expect(try storage.read() == Array("old".utf8))
        try FileManager.default.removeItem(atPath: fixture.folder.path + "/.new.one")
        let long = [UInt8](repeating: 0x61, count: 1 << 20)
        try storage.write(long)
        #expect(try storage.read() == long)
    }
}
