// SPDX-License-Identifier: Apache-2.0
// Registration: who gets a client secret, how often, and what others learn of it (T 10, T 18, T 31).
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct RegistrationTests {
    @Test func `a right code enrols on a host and the PIN logs in`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(
            server, "alice@example.org", code: server.add("alice@example.org"), pin: "7391")
        let (status, verdict) = try await host.login(server, alice, pin: "7391")
        #expect(status == 200)
        #expect(verdict.verdict == .granted)
        #expect(verdict.id == alice.id)
        #expect(verdict.triesLeft == nil)
    }

    @Test func `a right code enrols a Milagro client`() async throws {
        let server = try Server()
        let alice = try await Enrolled.onDevice(
            server, "alice@example.org", code: server.add("alice@example.org"), pin: "7391")
        #expect(try await alice.login(server, pin: "7391") == 200)
        #expect(try await alice.login(server, pin: "7392") == 401)
    }

    @Test func `an mpinId is the JSON text that Milagro's clients read`() async throws {
        let server = try Server()
        let asked = RegisterRequest(userId: "a \"b\\\u{e9}\u{1f600}", mobile: 1)
        let answer = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        struct MPinID: Decodable, Equatable { let mobile: Int, issued: String, userID: String, salt: String }
        let read = try JSONDecoder().decode(MPinID.self, from: Data(answer.mpinId.octets))
        #expect(read.userID == asked.userId)
        #expect(read.mobile == 1)
        #expect(read.salt.utf8.count == 32)
        #expect(answer.mpinId.octets.allSatisfy { (0x20...0x7e).contains($0) })
    }

    @Test(arguments: ["known", "unknown", "revoked"], ["no", "a wrong", "a used", "no real"])
    func `without a right code every registration gets the same answer`(_ userID: String, _ kind: String)
        async throws
    {
        let server = try Server()
        for name in ["known", "revoked"] {
            _ = try await Enrolled.onDevice(server, name, code: server.add(name), pin: "1234")
        }
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "revoked"))
        let used = try await server.add("other")
        _ = try await Enrolled.onDevice(server, "other", code: used, pin: "1234")
        var asked = RegisterRequest(userId: userID)
        switch kind {
        case "a wrong": asked.activateCode = "BCDF-GHJK-LMNP-QRST"
        case "a used": asked.activateCode = used
        case "no real": asked.activateCode = "X"
        default: break
        }
        let response = try await server.send("PUT", Route.user, asked)
        let answer = try read(RegisterResponse.self, response)
        #expect(!answer.active.isOn)
        #expect(try keys(response) == ["active", "expireTime", "mpinId", "nowTime", "regOTT"])
        #expect(try await server.storage.waitingRegistrations().isEmpty)
        let signature = await server.send(
            "GET", "\(Route.signature)/\(answer.mpinId.text)?regOTT=\(answer.regOTT)")
        #expect(signature.status == 401)
        #expect(signature.body.isEmpty)
    }

    @Test func `a client that asks to be bound is, even after it starts the registration again`() async throws
    {
        let server = try Server(registration: .confirm)
        var asked = RegisterRequest(userId: "alice")
        asked.bound = 1
        for code in [nil, "X", try await server.add("alice")] {
            asked.activateCode = code
            let answer = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
            #expect(answer.bound?.isOn == true)
            // Starting a registration again does not change its kind.
            var again = RegisterRequest(userId: "alice")
            again.regOTT = answer.regOTT
            let path = Route.user + "/" + answer.mpinId.text
            let renewed = try read(RegisterResponse.self, await server.send("PUT", path, again))
            #expect(renewed.mpinId == answer.mpinId)
            #expect(renewed.bound?.isOn == true)
        }
    }

    @Test func `a wrong regOTT deletes nothing`() async throws {
        let server = try Server()
        var asked = RegisterRequest(userId: "alice")
        asked.activateCode = try await server.add("alice")
        let answer = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        let path = "\(Route.signature)/\(answer.mpinId.text)"
        for wrong in ["junk", "", String(repeating: "0", count: 32)] {
            #expect(await server.send("GET", path + "?regOTT=" + wrong).status == 401)
        }
        #expect(await server.send("GET", path).status == 400)
        #expect(await server.send("GET", path + "?regOTT=" + answer.regOTT).status == 200)
    }

    @Test func `a code is used up by the signature request and not before`() async throws {
        let server = try Server()
        var asked = RegisterRequest(userId: "alice")
        asked.activateCode = try await server.add("alice")
        let killed = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        let again = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        #expect(again.active.isOn)
        let old = await server.send("GET", "\(Route.signature)/\(killed.mpinId.text)?regOTT=\(killed.regOTT)")
        #expect(old.status == 401)
        _ = try await shares(server, again)
        let late = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        #expect(!late.active.isOn)
    }

    /// For each kind of source: an account of this machine, IPv4, IPv6.
    @Test(arguments: [
        [Peer.local(user: 1000, process: 1), .local(user: 1001, process: 2)],
        [.address("203.0.113.9"), .address("198.51.100.9")],
        [.address("2001:db8:1:2::9"), .address("2001:db8:ffff:2::9")],
    ])
    func `a stranger's wrong codes use up neither a code nor the tries of an address that both share`(
        _ peers: [Peer]
    ) async throws {
        let server = try Server()
        let (stranger, owner) = (peers[0], peers[1])
        var asked = RegisterRequest(userId: "alice")
        let right = try await server.add("alice")
        let added = try read(
            HostCodeResponse.self,
            await server.administer("POST", AdminRoute.hosts, HostRequest(host: "prod-db1")))
        let join = HostJoinRequest(
            host: "prod-db1", joinId: try OneTimeCode(typed: secret(added.joinCode)).joinID())
        let wrong = HostJoinRequest(host: "prod-db1", joinId: [UInt8](repeating: 0, count: 16))
        func register(_ peer: Peer) async throws -> Bool {
            let answer = try await server.send("PUT", Route.user, asked, peer: peer)
            return try read(RegisterResponse.self, answer).active.isOn
        }
        asked.activateCode = "BCDF-GHJK-LMNP-QRST"
        for _ in 0..<60 {
            #expect(try await !register(stranger))
            #expect(try await server.send("POST", Route.host, wrong, peer: stranger).status == 403)
        }
        asked.activateCode = right
        #expect(try await register(stranger))
        #expect(try await register(owner))
        #expect(try await server.send("POST", Route.host, join, peer: stranger).status == 200)
        let records = try await server.storage.auditRecords(AuditQuery(), limit: 99)
        let named = records.map(\.event).filter { $0.kind == "code.wrong" }
        #expect(named.map(\.source) == [stranger.source])
        #expect(named.map(\.subject) == ["alice"])
    }

    @Test func `a code is for one userID`() async throws {
        let server = try Server()
        var asked = RegisterRequest(userId: "bob")
        _ = try await server.add("bob")
        asked.activateCode = try await server.add("alice")
        #expect(try await !read(RegisterResponse.self, server.send("PUT", Route.user, asked)).active.isOn)
    }

    @Test func `a client secret is issued once, even in a race of a hundred`() async throws {
        let server = try Server()
        var asked = RegisterRequest(userId: "alice")
        asked.activateCode = try await server.add("alice")
        let answer = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        let path = "\(Route.signature)/\(answer.mpinId.text)?regOTT=\(answer.regOTT)"
        let good = await together(100) { await server.send("GET", path) }.filter { $0.status == 200 }
        try #require(good.count == 1)
        let params = try read(SignatureResponse.self, good[0]).params
        let second = await together(100) {
            await server.send("GET", "\(Route.authorityClientSecret)?\(params)")
        }
        #expect(second.filter { $0.status == 200 }.count == 1)
        #expect(second.filter { $0.status == 403 }.count == 99)
    }

    @Test func `after a restart the book still knows what was issued`() async throws {
        let server = try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        await server.book.close()
        let book = try reopenedBook(server.folder)
        for half in [UInt8(1), 2] { #expect(try await !book.issueOnce(authority: half, hash: alice.id)) }
    }

    @Test func `shares for a host are sealed, and no message of its enrolment has a plain share`()
        async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let (question, registered) = try await host.register(server, "alice", code: server.add("alice"))
        let path = "\(Route.signature)/\(registered.mpinId.text)?regOTT=\(registered.regOTT)"
        #expect(await server.send("GET", path).status == 401)
        #expect(await server.send("GET", path + "&A=" + String(repeating: "0", count: 64)).status == 401)
        let (first, second) = try await shares(server, registered, query: "&A=" + HexOctets(question.a).text)
        #expect(first.clientSecretShare == nil)
        #expect(second.clientSecret == nil)
        #expect(first.sealedShare?.octets.count == 81)
        #expect(second.sealedShare?.octets.count == 81)
    }

    @Test(arguments: ["sudo", "enroll"])
    func `a question registers only if it is sealed and made for enrolment`(
        _ service: String
    ) async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let question = try host.question(
            server, service: service, ids: service == "sudo" ? [] : [IdentityHash(repeating: 7)])
        var asked = RegisterRequest(userId: "alice")
        asked.activateCode = try await server.add("alice")
        asked.ask = HexOctets(question.octets)
        asked.askTag = HexOctets([UInt8](repeating: 0, count: 32))
        #expect(try await server.send("PUT", Route.user, asked).status == 403)
        asked.askTag = HexOctets(try host.tag(question))
        #expect(try await server.send("PUT", Route.user, asked).status == 400)
    }

    @Test func `with registration = confirm registrations wait for the administrator`() async throws {
        let server = try Server(registration: .confirm)
        let asked = RegisterRequest(userId: "alice")
        let answer = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        #expect(!answer.active.isOn)
        let path = "\(Route.signature)/\(answer.mpinId.text)?regOTT=\(answer.regOTT)"
        #expect(await server.send("GET", path).status == 401)
        let confirmed = try await server.administer(
            "POST", AdminRoute.confirmUser,
            UserRequest(userId: "alice", idPrefix: identityHash(answer.mpinId.octets).octets))
        #expect(confirmed.status == 200)
        #expect(await server.send("GET", path).status == 200)
    }

    @Test func `a registration can be started again with its regOTT`() async throws {
        let server = try Server(registration: .confirm)
        var asked = RegisterRequest(userId: "alice")
        let first = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        asked.regOTT = first.regOTT
        let path = "\(Route.user)/\(first.mpinId.text)"
        let again = try read(RegisterResponse.self, await server.send("PUT", path, asked))
        #expect(again.mpinId == first.mpinId)
        #expect(again.regOTT == first.regOTT)
        var composed = RegisterRequest(userId: "caf\u{e9}")
        let named = try read(RegisterResponse.self, await server.send("PUT", Route.user, composed))
        composed = RegisterRequest(userId: "cafe\u{301}")
        composed.regOTT = named.regOTT
        let spelled = try read(
            RegisterResponse.self, await server.send("PUT", "\(Route.user)/\(named.mpinId.text)", composed))
        #expect(spelled.mpinId != named.mpinId)
        asked.regOTT = "00"
        let other = try read(RegisterResponse.self, await server.send("PUT", path, asked))
        #expect(other.mpinId != first.mpinId)
    }

    @Test func `a user's older identities stay unless they are replaced`() async throws {
        let server = try Server()
        let first = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1111")
        let second = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "2222")
        #expect(try await first.login(server, pin: "1111") == 200)
        let third = try await Enrolled.onDevice(
            server, "alice", code: server.add("alice", replace: true), pin: "3333")
        #expect(try await third.login(server, pin: "3333") == 200)
        for old in [first, second] {
            #expect(
                await server.send("GET", "\(Route.timePermit)/\(HexOctets(old.mpinID).text)").status == 410)
        }
    }

    @Test func `refused registrations leave the database as it was`() async throws {
        let first = try Server()
        _ = try await first.add("known")
        let server = try await first.restarted()
        let before = try size(server)
        for index in 0..<rounds(300) {
            var asked = RegisterRequest(userId: index.isMultiple(of: 2) ? "known" : "user\(index)")
            asked.activateCode = "BCDF-GHJK-LMNP-QRST"
            _ = try await server.send("PUT", Route.user, asked)
        }
        #expect(try await size(server.restarted()) == before)
    }

    /// The size of the database, after its write-ahead log has been written into it.
    private func size(_ server: Server) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: server.folder + "/mpind.db")[.size] as? Int
    }
}
