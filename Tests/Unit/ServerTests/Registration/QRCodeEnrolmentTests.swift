// SPDX-License-Identifier: Apache-2.0
// A phone that was enrolled by a QR code, which a stranger may have scanned first (seal-devices.md,
// section 15).
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct QRCodeEnrolmentTests {
    /// A host, and an unconfirmed phone under alice's name.
    private struct QRCodeFixture {
        let server: Server
        let host: TestHost
        let phone: Enrolled

        init(_ server: Server) async throws {
            self.server = server
            host = try await server.join("prod-db1")
            phone = try await server.enrolledByQRCode("alice")
        }

        init() async throws { try await self.init(Server()) }

        /// The status of an approval of a login that asks for the phone.
        func logIn() async throws -> Int {
            let console = try await host.open(server, ids: [phone.id])
            let status = try await phone.answer(server, console.wid).status
            let verdict = try await console.settle(server).verdict.verdict
            #expect(verdict == (status == 200 ? .granted : .notApproved))
            return status
        }

        /// A bind session that the phone has approved with the right approval code.
        func bound(userID: String) async throws -> BindSession {
            let session = try await BindSession.open(server, host, userID: userID)
            let approved = try read(AuthenticateResponse.self, await phone.answer(server, session.wid))
            #expect(try approved.code == session.code(phone.id))
            #expect(try await session.answer(server).id == phone.id)
            return session
        }
    }

    @Test func `an unconfirmed phone proves its PIN once, and gets neither login, password nor session`()
        async throws
    {
        let context = try await QRCodeFixture()
        let server = context.server
        #expect(try await context.phone.login(server, pin: "1234") == 200)
        #expect(try await context.logIn() == 412)
        let console = try await context.host.open(server, ids: [context.phone.id])
        #expect(try await look(server, console.wid, as: context.phone)?.asked == false)
        let proof = try await context.phone.prove(server, pin: "1234", otp: true)
        let said = try read(
            AuthenticateResponse.self,
            await server.send("POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof)))
        #expect(said.expireTime == nil && said.ttlSeconds == nil)
        let question = try context.host.question(server, service: "sshd", ids: [context.phone.id])
        let typed = try secret(#require(proof.otp))
        let tag = try context.host.key.otpTag(typed, a: question.a, id: context.phone.id)
        let told = try read(
            OTPTagsResponse.self,
            await server.send(
                "POST", Route.otp,
                OTPTagsRequest(ask: question.octets, askTag: context.host.tag(question), otpTags: tag)))
        #expect(told.otpTags.octets != tag)
        // No proof of the phone was counted as wrong.
        _ = try await server.administer(
            "POST", AdminRoute.confirmUser,
            UserRequest(userId: "alice", idPrefix: context.phone.id.octets))
        #expect(try await context.logIn() == 200)
    }

    @Test func `an unconfirmed phone logs in to no browser and no application`() async throws {
        let context = try await QRCodeFixture(Server.compatible())
        let server = context.server
        let page = try await Page.open(server)
        #expect(try await context.phone.answer(server, page.wid).status == 412)
        #expect(try await page.poll(server).status != "authenticate")
        let added = try await server.administer(
            "POST", AdminRoute.applications,
            AddApplicationRequest(app: "wiki", redirectUris: ["https://wiki.example.org/"]))
        let client = try read(ApplicationResponse.self, added).clientId
        let proof = try await context.phone.prove(server, pin: "1234", client: client)
        let answer = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof), client: client)
        #expect(answer.status == 408)
        #expect(try object(answer.body)["code"] == nil)
        let url = try read(AuthorizeURLResponse.self, await server.send("POST", Route.authorizeURL))
        let target = try #require(url.authorizeURL.split(separator: Server.name, maxSplits: 1).last)
        let opened = try read(AuthorizeResponse.self, await server.send("POST", String(target)))
        let wid = String(opened.qrURL.drop { $0 != "#" }.dropFirst())
        let seen = try #require(await look(server, wid)?.seen).octets
        let second = try await context.phone.prove(server, seen: seen, wid: wid)
        let refused = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: second))
        #expect(refused.status != 200)
        #expect(try object(refused.body)["code"] == nil)
    }

    @Test func `a bind under its name confirms the phone when the host reports that the code was right`()
        async throws
    {
        let context = try await QRCodeFixture()
        let session = try await context.bound(userID: "alice")
        // The host has fetched the answer, but has not reported yet that the approval code was right.
        #expect(try await context.logIn() == 412)
        #expect(try await session.confirms(context.server, context.phone.id) == true)
        #expect(try await context.logIn() == 200)
        #expect(try await session.confirms(context.server, context.phone.id) == true)
        let events = try await context.server.storage.auditRecords(AuditQuery(), limit: 9).map(\.event)
        let confirmed = try #require(events.first { $0.kind == "user.confirm" })
        #expect(
            confirmed.host == "prod-db1" && confirmed.subject == HexOctets(context.phone.id).text.prefix(8))
        #expect(events.count { $0.kind == "user.confirm" } == 1)
    }

    @Test func `a bind without a name, and the tag of another identity, confirm nothing`() async throws {
        let context = try await QRCodeFixture()
        let mallory = try await House.device(context.server, "mallory")
        let unnamed = try await context.bound(userID: "")
        #expect(try await unnamed.confirms(context.server, context.phone.id) == false)
        let session = try await context.bound(userID: "alice")
        #expect(try await session.done(context.server, mallory.id).status == 403)
        let other = try unnamed.host.key.bindDoneTag(a: unnamed.bind.a, id: context.phone.id)
        #expect(try await session.done(context.server, context.phone.id, tag: other).status == 403)
        #expect(try await session.done(context.server, context.phone.id, tag: []).status == 403)
        #expect(try await context.logIn() == 412)
    }

    @Test func `nothing is confirmed before the host's request, too late, or after a revocation`()
        async throws
    {
        let context = try await QRCodeFixture()
        let server = context.server
        let early = try await BindSession.open(server, context.host, userID: "alice")
        #expect(try await early.done(server, context.phone.id).status == 408)
        _ = try read(AuthenticateResponse.self, await context.phone.answer(server, early.wid))
        #expect(try await early.done(server, context.phone.id).status == 408)
        let late = try await context.bound(userID: "alice")
        server.clock.advance(seconds: 90 + 600)
        #expect(try await late.done(server, context.phone.id).status == 408)
        let revoked = try await context.bound(userID: "alice")
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(id: context.phone.id))
        #expect(try await revoked.done(server, context.phone.id).status == 403)
        // A console's session is not a bind session.
        let house = try await House()
        let console = try await house.open()
        try await house.expectLogin(console)
        var message = AuthenticateRequest(a: console.question.a)
        message.bindDoneTag = HexOctets(
            try console.host.key.bindDoneTag(a: console.question.a, id: house.alice.id))
        #expect(try await house.server.send("POST", Route.authenticate, message).status == 408)
    }

    @Test func `an administrator confirms the phone by its id, never by the name alone`() async throws {
        let context = try await QRCodeFixture()
        let server = context.server
        func listed() async throws -> Bool? {
            let list = try read(
                UserList.self, await server.administer("GET", AdminRoute.users, nil as UserRequest?))
            return list.users.first { $0.userId == "alice" }?.identities.first?.unconfirmed
        }
        func confirm(_ asked: UserRequest) async throws -> Int {
            try await server.administer("POST", AdminRoute.confirmUser, asked).status
        }
        let id = context.phone.id.octets
        #expect(try await listed() == true)
        #expect(try await confirm(UserRequest(userId: "alice")) == 400)
        #expect(try await confirm(UserRequest(userId: "bob", idPrefix: id)) == 404)
        #expect(try await context.logIn() == 412)
        let short = UserRequest(userId: "alice", idPrefix: [UInt8](id.prefix(4)))
        #expect(try await confirm(short) == 200)
        #expect(try await listed() == nil)
        #expect(try await context.logIn() == 200)
        #expect(try await confirm(UserRequest(userId: "alice", idPrefix: id)) == 404)
    }

    @Test func `a QR code lives ten minutes, enrols one phone and no host's PIN, and revokes nothing`()
        async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let code = try await server.addByQRCode("bob b&c")
        let letters = code.activationCode.filter { $0 != "-" }
        #expect(code.address == "https://\(Server.name)#enrol?user=bob%20b%26c&code=\(letters)")
        #expect(code.expires == Int(server.clock.now.seconds) + 600)
        #expect(
            try await !host.register(server, "bob b&c", code: code.activationCode).registered.active.isOn)
        var asked = RegisterRequest(userId: "bob b&c", mobile: 1)
        asked.activateCode = code.activationCode
        let milagro = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        #expect(!milagro.active.isOn)
        server.clock.advance(seconds: 599)
        let phone = try await Enrolled.onDevice(
            server, "bob b&c", code: code.activationCode, pin: "1234", bound: true)
        #expect(try await phone.login(server, pin: "1234") == 200)
        asked.bound = 1
        let again = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        #expect(!again.active.isOn)
        let late = try await server.addByQRCode("late")
        server.clock.advance(seconds: 600)
        (asked, asked.activateCode) = (RegisterRequest(userId: "late"), late.activationCode)
        asked.bound = 1
        #expect(
            try await !read(RegisterResponse.self, server.send("PUT", Route.user, asked)).active.isOn)
        // Otherwise a stranger who scans the QR code would revoke the owner's identities.
        let both = AddUserRequest(userId: "bob b&c", replace: true, byQRCode: true)
        #expect(try await server.administer("POST", AdminRoute.users, both).status == 400)
        // An ordinary code enrols a phone that may log in at once.
        let plain = try await House.device(server, "carol")
        let console = try await host.open(server, ids: [plain.id])
        #expect(try await plain.answer(server, console.wid).status == 200)
    }

    @Test func `an external RPA gets no login of an unconfirmed phone, and the audit trail records it`()
        async throws
    {
        let server = try Application().server { $0.authenticateURL = "/there" }
        let phone = try await server.enrolledByQRCode("alice")
        let proof = try await phone.prove(server, pin: "1234")
        #expect(try await server.redeemAsApplication(proof.authOTT).status == 408)
        #expect(try await server.audited().first == "login not-approved")
    }

    @Test func `a new QR code revokes a phone that scanned an earlier one and was never confirmed`()
        async throws
    {
        let context = try await QRCodeFixture()
        let server = context.server
        // Whether it is revoked in the database, and in the authority's book.
        func isRevoked(_ phone: Enrolled) async throws -> [Bool] {
            [
                try await server.storage.identity(id: phone.id)?.revokedAt != nil,
                try await server.book.standing(authority: 2, hash: phone.id) == .revoked,
            ]
        }
        #expect(try await isRevoked(context.phone) == [false, false])
        let next = try await server.enrolledByQRCode("alice")
        #expect(try await isRevoked(context.phone) == [true, true])
        #expect(try await next.login(server, pin: "1234") == 200)
        server.clock.advance(seconds: 24 * 3600)
        await server.context.purge()
        #expect(try await isRevoked(next) == [true, true])
    }

    @Test func `codes in QR codes and typed codes differ in their form`() async throws {
        let server = try Server()
        for _ in 0..<50 {
            let code = try await server.addByQRCode("alice").activationCode
            #expect(try OneTimeCode(typed: secret(code)).isForQRCode)
            #expect(try await !OneTimeCode(typed: secret(server.add("alice"))).isForQRCode)
        }
    }
}
