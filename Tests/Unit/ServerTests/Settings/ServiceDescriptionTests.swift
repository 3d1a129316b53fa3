// SPDX-License-Identifier: Apache-2.0
// How the server presents itself: name, images, the prefix of its paths, the request for a device's name.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct ServiceDescriptionTests {
    @Test func `no path of another route may begin with the prefix`() {
        for first in Set(PublicRouter.endpoints.compactMap(\.components.first)) where first != "rps" {
            #expect(throws: SetupError.self, "\(first)") { try settings("rps-prefix = \(first)") }
        }
    }

    private var service: ServiceDescription {
        var service = ServiceDescription()
        (service.name, service.prefix, service.asksDeviceName) = ("Example", "mfa", true)
        (service.logoURL, service.iconURL) = ("https://example.org/logo.png", "https://example.org/icon.png")
        return service
    }

    @Test func `a client that scans the address reads name, logo and prefix`() async throws {
        let server = try Server(service: service)
        let details = try read(ServiceDetails.self, await server.send("GET", Route.service))
        #expect(details.name == "Example")
        #expect(details.logoURL == "https://example.org/logo.png")
        #expect(details.rpsPrefix == "mfa")
    }

    @Test func `only fingerprint = no is told to clients`() async throws {
        for (text, told) in [("", nil), ("fingerprint = yes", nil), ("fingerprint = no", false)] {
            let server = try Server(service: settings(text).service)
            let answer = try read(ClientSettings.self, await server.send("GET", Route.clientSettings))
            #expect(answer.useFingerprint?.isOn == told, "\(text)")
        }
        #expect(throws: SetupError.self) { try settings("fingerprint = never") }
    }

    @Test func `every path of the settings has the prefix and is answered`() async throws {
        let server = try Server(compatibility: Compatibility(), service: service)
        let settings = try read(ClientSettings.self, await server.send("GET", "/mfa/clientSettings"))
        #expect(settings.setDeviceName?.isOn == true)
        let own = [
            settings.accessNumberURL, settings.getAccessNumberURL, settings.codeStatusURL,
            settings.getQrUrl, settings.mobileAuthenticateURL, settings.registerURL, settings.setupDoneURL,
            settings.signatureURL, settings.timePermitsURL, settings.mpinAuthServerURL.map { $0 + "/pass1" },
        ].compactMap(\.self)
        #expect(own.count == 10)
        for path in own {
            #expect(path.hasPrefix("/mfa/"))
            // A path that exists, alone or with an mpinId behind it, answers another method with 405.
            let needsID = ["/setupDone", "/signature", "/timePermit"].contains { path.hasSuffix($0) }
            let takesID = needsID || path.hasSuffix("/user")
            #expect(await server.send("DELETE", path).status == (needsID ? 404 : 405), "\(path)")
            #expect(await server.send("DELETE", path + "/00").status == (takesID ? 405 : 404), "\(path)")
        }
        #expect(settings.authenticateURL == Route.authenticate)
        #expect(settings.certivoxURL == Route.authority)
        var asked = RegisterRequest(userId: "alice", mobile: 1)
        asked.activateCode = try await server.add("alice")
        #expect(try await server.send("PUT", "/mfa/user", asked).status == 200)
        #expect(await server.send("GET", "/other/clientSettings").status == 404)
        #expect(await server.send("GET", Route.clientSettings).status == 200)
    }

    @Test func `a device gets the icon, and the user whom the page expects`() async throws {
        let server = try Server(compatibility: Compatibility(), service: service)
        let opened = try read(
            SessionResponse.self,
            await server.send(
                "POST", Route.getQrUrl, BrowserSessionRequest(prerollID: "alice@example.org\u{7}")))
        let wid = try #require(opened.qrUrl?.split(separator: "#").last.map(String.init))
        let details = try read(
            CodeStatusResponse.self,
            await server.send("POST", Route.codeStatus, CodeStatusRequest(status: "wid", wid: wid)))
        #expect(details.prerollID == "alice@example.org?")
        #expect(details.serverPrerollID == details.prerollID)
        #expect(details.appLogoURL == "https://example.org/icon.png")
        #expect(details.appName?.contains("alice") == false)
    }

    @Test func `a console's session has no expected user`() async throws {
        let server = try Server(service: service)
        let host = try await server.join("prod-db1")
        let alice = try await House.device(server, "alice")
        let console = try await host.open(server, ids: [alice.id])
        let details = try #require(try await look(server, console.wid, as: alice))
        #expect(details.prerollID == "")
    }
}
