// SPDX-License-Identifier: Apache-2.0
// Milagro's flows (milagro-0.3.md) past midnight, and with a restart of the server between any two requests.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct CompatibleFlowTests {
    @Test func `registration and login survive a restart after each request`()
        async throws
    {
        let application = Application()
        var servers = [try application.server()]
        func next() async throws -> Server {
            servers.append(try await servers[servers.count - 1].restarted())
            return servers[servers.count - 1]
        }
        let registered = try read(
            RegisterResponse.self,
            await servers[0].send("PUT", Route.user, RegisterRequest(userId: "alice", mobile: 1)))
        let key = try application.wish().activateKey
        let activated = try await next().askAsApplication(
            "\(ExternalRPARoute.user)/\(registered.mpinId.text)", ActivateRequest(activateKey: key))
        #expect(activated.status == 200)
        let first = try read(
            SignatureResponse.self,
            await next().send(
                "GET", "\(Route.signature)/\(registered.mpinId.text)?regOTT=\(registered.regOTT)"))
        let second = try read(
            ClientSecretResponse.self,
            await next().send("GET", "\(Route.authorityClientSecret)?\(first.params)"))
        let sum = try clientSecret(
            secret(#require(first.clientSecretShare).octets), secret(#require(second.clientSecret).octets))
        let alice = try Enrolled(mpinID: registered.mpinId.octets, clientSecret: sum, pin: "1234")
        let permit = try await alice.permit(next())
        let server = try await next()
        #expect(try await alice.login(server, pin: "4321") == 401)
        // Records that live for seconds also survive an orderly restart.
        let proof = try alice.passOne(pin: "1234", permit: permit)
        let begun = try read(
            PassOneResponse.self,
            await server.send(
                "POST", Route.passOne, PassOneRequest(mpinID: alice.mpinID, u: proof.u, ut: proof.ut)))
        let v = try proof.answer(y: begun.y)
        let late = try await next().send(
            "POST", Route.passTwo, PassTwoRequest(mpinID: alice.mpinID, v: v, wid: "0", otp: false))
        #expect(late.status == 200)
        let lost = try await alice.prove(servers[servers.count - 1], pin: "1234", permit: permit)
        #expect(
            try await next().send(
                "POST", Route.authenticate, AuthenticateRequest(mpinResponse: lost)
            ).status == 200)
        #expect(try await alice.login(next(), pin: "1234") == 200)
        withExtendedLifetime(servers) {}
    }

    @Test func `a permit from before midnight logs a browser in until one o'clock`() async throws {
        let server = try Server.compatible()
        server.clock.toTomorrow(second: -120)
        let alice = try await server.milagroDevice("alice")
        let permit = try await alice.permit(server)
        let page = try await Page.open(server)
        server.clock.toTomorrow(second: 30)
        let proof = try await alice.prove(server, pin: "1234", wid: page.wid, permit: permit)
        async let waiting = alice.redeem(server, proof)
        #expect(try await page.logIn(server) == ("alice", 200))
        #expect(try await waiting.status == 200)
        server.clock.advance(seconds: 3600 - 31)
        let late = try await alice.prove(server, pin: "1234", permit: permit)
        let asked = AuthenticateRequest(mpinResponse: late)
        #expect(try await server.send("POST", Route.authenticate, asked).status == 200)
        server.clock.advance(seconds: 2)
        let tooLate = try await alice.prove(server, pin: "1234", permit: permit)
        let again = AuthenticateRequest(mpinResponse: tooLate)
        #expect(try await server.send("POST", Route.authenticate, again).status == 401)
    }
}
