// SPDX-License-Identifier: Apache-2.0
// An external RPA redeems logins and reports what it made of them (milagro-0.3.md, section 8).
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct ApplicationLoginTests {
    private let application = Application()

    /// A server whose RPA lets every user register, and alice, who is registered there.
    private func enrolled(
        bound: Bool = false, _ change: @escaping (inout ExternalRPA) -> Void = { _ in }
    ) async throws -> (Server, Enrolled) {
        application.says(200, "{\"forceActivate\": true}")
        let server = try application.server {
            $0.authenticateURL = "/mpinAuthenticateHere"
            change(&$0)
        }
        let alice = try await Enrolled.onDevice(server, "alice", code: nil, pin: "1234", bound: bound)
        return (server, alice)
    }

    /// The logout URL and data of an approval that the RPA has let in.
    private func logout(_ response: Response) throws -> (url: String?, data: JSONValue?) {
        let answer = try read(AuthenticateResponse.self, response)
        return (answer.logoutURL, answer.logoutData)
    }

    @Test func `a login is redeemed once, and the RPA learns whose login it is`() async throws {
        let (server, alice) = try await enrolled()
        let settings = try read(ClientSettings.self, await server.send("GET", Route.clientSettings))
        #expect(settings.authenticateURL == "/mpinAuthenticateHere")
        let proof = try await alice.prove(server, pin: "1234")
        // The RPA's address replaces our own route.
        let here = AuthenticateRequest(mpinResponse: proof)
        #expect(try await server.send("POST", Route.authenticate, here).status == 404)
        let answer = try await server.redeemAsApplication(proof.authOTT)
        #expect(
            answer
                == ExternalRPAAuthenticateResponse(
                    status: 200, message: "Authentication successful", userId: "alice",
                    mpinId: alice.mpinID))
        let again = try await server.redeemAsApplication(proof.authOTT)
        #expect(
            again == ExternalRPAAuthenticateResponse(status: 408, message: "Expired authentication request"))
        #expect(try await server.audited().first == "login granted")
    }

    @Test func `wrong PINs are counted and block`() async throws {
        let (server, alice) = try await enrolled()
        for status in [401, 401, 410, 410] {
            let proof = try await alice.prove(server, pin: "4321")
            let answer = try await server.redeemAsApplication(proof.authOTT)
            #expect(answer.status == status)
            #expect(answer.userId == "alice")
            #expect(answer.mpinId.octets == alice.mpinID)
        }
        let right = try await alice.prove(server, pin: "1234")
        #expect(try await server.redeemAsApplication(right.authOTT).status == 410)
        let late = try await alice.prove(server, pin: "1234")
        server.clock.advance(seconds: 61)
        #expect(try await server.redeemAsApplication(late.authOTT).status == 408)
    }

    @Test func `the RPA redeems a browser's login, and chooses how it is logged out`() async throws {
        let (server, alice) = try await enrolled { $0.logoutURL = "/bye" }
        let page = try await Page.open(server)
        async let waiting = alice.approve(server, page.wid)
        let told = try await page.approved(server)
        let data = JSONValue.object(["sessionToken": .text("t"), "n": .whole(1)])
        let answer = try await server.redeemAsApplication(told.authOTT, logoutData: data)
        #expect(answer.status == 200)
        #expect(answer.userId == "alice")
        #expect(try await logout(waiting) == ("/bye", data))
        #expect(try await server.redeemAsApplication(told.authOTT).status == 408)
    }

    @Test func `a device waits for the RPA's result of the login, if the setting says so`() async throws {
        let (server, alice) = try await enrolled { $0.waitsForResult = true }
        for (said, heard) in [(200, 200), (403, 403), (406, 406), (500, 500)] {
            let page = try await Page.open(server)
            async let waiting = alice.approve(server, page.wid)
            let told = try await page.approved(server)
            #expect(
                try await server.redeemAsApplication(told.authOTT, logoutData: .text("first")).status == 200)
            let result = LoginResultRequest(
                authOTT: told.authOTT, status: said, message: "x", logoutURL: "/out")
            #expect(try await server.askAsApplication(ExternalRPARoute.loginResult, result).status == 200)
            #expect(try await server.askAsApplication(ExternalRPARoute.loginResult, result).status == 408)
            let answer = try await waiting
            #expect(answer.status == heard)
            if said == 200 {
                #expect(try logout(answer) == ("/out", .text("first")))
            }
        }
        // Without a result from the RPA the device gets 408, and the login stands.
        let page = try await Page.open(server)
        async let waiting = alice.approve(server, page.wid)
        #expect(try await server.redeemAsApplication(page.approved(server).authOTT).status == 200)
        #expect(try await waiting.status == 408)
    }

    @Test(arguments: [200, 403])
    func `our own device, too, gets the RPA's result and its logout address`(
        _ said: Int
    ) async throws {
        let (server, alice) = try await enrolled(bound: true) { $0.waitsForResult = true }
        let page = try await Page.open(server)
        async let waiting = alice.answer(server, page.wid)
        let told = try await page.approved(server)
        #expect(try await server.redeemAsApplication(told.authOTT, logoutData: .whole(7)).status == 200)
        let result = LoginResultRequest(
            authOTT: told.authOTT, status: said, logoutURL: "https://rpa.example.org/logout")
        #expect(try await server.askAsApplication(ExternalRPARoute.loginResult, result).status == 200)
        let answer = try await waiting
        #expect(answer.status == said)
        guard said == 200 else { return }
        #expect(try logout(answer) == ("https://rpa.example.org/logout", .whole(7)))
        // The notice beside the verdict is there as well.
        #expect(try read(AuthenticateResponse.self, answer).notice != nil)
    }

    @Test func `for a login without a session the RPA may report a result once`() async throws {
        let (server, alice) = try await enrolled { $0.waitsForResult = true }
        let proof = try await alice.prove(server, pin: "1234")
        let result = LoginResultRequest(authOTT: proof.authOTT, status: 200)
        #expect(try await server.askAsApplication(ExternalRPARoute.loginResult, result).status == 408)
        #expect(try await server.redeemAsApplication(proof.authOTT).status == 200)
        #expect(try await server.redeemAsApplication(proof.authOTT).status == 408)
        #expect(try await server.askAsApplication(ExternalRPARoute.loginResult, result).status == 200)
        #expect(try await server.askAsApplication(ExternalRPARoute.loginResult, result).status == 408)
    }

    @Test func `hosts still redeem at mpind, under their seal`() async throws {
        let (server, _) = try await enrolled()
        let host = try await server.join("prod-db1")
        let rooted = try await host.enrol(server, "root", code: server.add("root"), pin: "1234")
        #expect(try await host.login(server, rooted, pin: "1234").status == 200)
    }

    @Test func `invalid bodies, other methods and other paths are refused`() async throws {
        let (server, _) = try await enrolled { $0.waitsForResult = true }
        for path in [
            ExternalRPARoute.authenticate, ExternalRPARoute.loginResult, ExternalRPARoute.user + "/7b7d",
        ] {
            for body in ["", "{", "[]", "{}", "{\"authOTT\": 1}", "{\"activateKey\": null}"] {
                #expect(try await server.askAsApplication(path, [UInt8](body.utf8)).status == 400)
            }
            #expect(try await server.askAsApplication(path, [], method: "GET").status == 405)
        }
        for status in [0, 100, 302, 600, -1] {
            let result = LoginResultRequest(authOTT: "00", status: status)
            #expect(try await server.askAsApplication(ExternalRPARoute.loginResult, result).status == 400)
        }
        for path in [
            "/", "/user", "/user/", "/user/7b7d/x", "/rps/user", Route.clientSettings, Route.authenticate,
            AdminRoute.users, "/authenticate/", "/status",
        ] {
            #expect(try await server.askAsApplication(path, [UInt8]("{}".utf8)).status >= 400)
        }
        #expect(
            try await server.askAsApplication(
                ExternalRPARoute.user + "/zz", ActivateRequest(activateKey: "00")
            ).status == 401)
        let (plain, _) = try await enrolled()
        let result = LoginResultRequest(authOTT: "00", status: 200)
        #expect(try await plain.askAsApplication(ExternalRPARoute.loginResult, result).status == 404)
    }

    @Test func `the RPA's listener refuses web pages, and clients cannot reach its paths`() async throws {
        let (server, alice) = try await enrolled()
        let proof = try await alice.prove(server, pin: "1234")
        let body = [UInt8](
            try JSONEncoder().encode(ExternalRPAAuthenticateRequest(authOTT: proof.authOTT)))
        func ask(_ host: String, _ origin: String?) async throws -> Int {
            try await server.askAsApplication(
                ExternalRPARoute.authenticate, body, host: host, origin: origin
            ).status
        }
        #expect(try await ask("evil.example:8012", nil) == 421)
        #expect(try await ask("localhost:8012", nil) == 421)
        #expect(try await ask("127.0.0.1:8012", "http://127.0.0.1:8012") == 403)
        #expect(try await ask("127.0.0.1:8012", "null") == 403)
        for path in [
            ExternalRPARoute.authenticate, ExternalRPARoute.loginResult, ExternalRPARoute.user + "/7b7d",
        ] {
            #expect(await server.send("POST", path, body).status == 404)
        }
        #expect(try await ask("127.0.0.1:8012", nil) == 200)
    }
}
