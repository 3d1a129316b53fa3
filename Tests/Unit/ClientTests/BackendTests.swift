// SPDX-License-Identifier: Apache-2.0
// Backends: their addresses, what goes with each request, and to where they may not direct the client.
import Foundation
import MPinClient
import TestSupport
import Testing

@Suite(.slow) struct `A backend` {
    @Test func `is reached by each kind of address, under its prefix`() throws {
        for place in [Server.Family.unix, .ipv4, .ipv6] {
            let fixture = try Fixture("01-register-forceactivate", at: place)
            let client = try fixture.client(withBackend: false)
            try client.setBackend(fixture.server.backend + "/")
            #expect(try client.makeUser("a@x").backend == fixture.backendKey)
            #expect(try client.register("alice@example.org").state == .registered)
            let settings = try Transcript.clientView("02-auth-good").first {
                $0.route == "/rps/clientSettings"
            }
            fixture.instead.answer("/other/rps2/clientSettings", 200, settings?.response.body ?? "")
            try client.testBackend(fixture.server.backend, rpsPrefix: "/other/rps2/")
            #expect(
                try status { try client.testBackend(fixture.server.backend, rpsPrefix: "no") }
                    == .httpRequestError)
        }
    }

    @Test func `stays when another cannot be set`() throws {
        let fixture = try Fixture("01-register-forceactivate")
        let client = try fixture.client()
        let port = try ClosedPort()
        #expect(try status { try client.setBackend("http://127.0.0.1:\(port.number)") } == .networkError)
        #expect(try client.register("alice@example.org").state == .registered)
    }

    @Test func `gets the app's headers, which take precedence, and its client id`() throws {
        let fixture = try Fixture("01-register-forceactivate")
        let client = try fixture.client(headers: ["accept": "application/json", "X-App": "yes"])
        try client.setClientID("app-1")
        _ = try client.startRegistration(client.makeUser("alice@example.org"))
        try client.setClientID("")
        try client.testBackend(fixture.server.backend)
        let headers = fixture.server.received.map(\.headers)
        #expect(headers.map { $0["x-app"] } == ["yes", "yes", "yes"])
        #expect(headers.map { $0["x-miracl-client-id"] } == [nil, "app-1", nil])
        #expect(headers[1]["accept"] == "application/json")
        #expect(headers[1]["content-type"] == "application/json; charset=UTF-8")
        for (name, value) in [("X", "a\r\nB: c"), ("X\n", "a"), ("", "a"), ("X:", "a")] {
            #expect(try status { _ = try fixture.client(headers: [name: value]) } == .flowError)
        }
        #expect(try status { try client.setClientID("a\nb") } == .flowError)
    }

    @Test func `gets every value of a query escaped`() throws {
        let fixture = try Fixture("07b-register-verified-memory")
        try fixture.register()
        try fixture.rewrite(.activated)
        let text = try fixture.texts()[0].replacing("0123456789abcdef", with: "a&b=c#d e%\\u00e9")
        try fixture.secure.write(Array(text.utf8))
        let client = try fixture.client()
        fixture.instead.answer("/rps/signature", 401)
        do throws(ClientFailure) {
            let user = try client.users()[0]
            try client.confirmRegistration(user, pushMessageIdentifier: "push/1&x=y")
        } catch {
            // Secrets in an address are in no message.
            #expect(error.status == .identityNotVerified && error.httpStatus == 401)
            #expect(error.message.contains("/rps/signature") && !error.message.contains("regOTT"))
            #expect(error.message.hasPrefix("status 401: GET "))
        }
        let asked = try #require(fixture.received("/rps/signature").first)
        #expect(asked.path.hasSuffix("?regOTT=a%26b%3Dc%23d%20e%25%C3%A9&pmiToken=push%2F1%26x%3Dy"))
    }

    @Test func `publishes its settings as text`() throws {
        let fixture = try Fixture("01-register-forceactivate", at: .ipv4)
        try fixture.answerSettings {
            $0.replacing("{\"requestOTP\"", with: "{\"ws\": \"wss://a.example/x\", \"requestOTP\"")
        }
        let client = try fixture.client()
        #expect(client.clientParameter("accessNumberDigits") == "7")
        #expect(client.clientParameter("setDeviceName") == "false")
        #expect(client.clientParameter("appID") == "a2fcdf24c98e11e4b69d02547e1fd4a1")
        #expect(client.clientParameter("registerURL") == fixture.server.backend + "/rps/user")
        #expect(client.clientParameter("ws") == "https://a.example/x")
        #expect(client.clientParameter("nothing") == nil)
        #expect(try fixture.client(withBackend: false).clientParameter("appID") == nil)
        #expect(!Client.version.isEmpty)
    }

    @Test func `describes its service`() throws {
        let fixture = try Fixture("01-register-forceactivate")
        let client = try fixture.client(withBackend: false)
        let good = #"{"name":"N","url":"https://x","rps_prefix":"rps","logo_url":"l","type":"online"}"#
        fixture.instead.answer("/service", 200, good)
        let details = try client.serviceDetails(fixture.server.backend + "/#0123456789")
        #expect(details.name == "N" && details.backend == "https://x" && details.rpsPrefix == "rps")
        #expect(details.logoURL == "l")
        for bad in [good.replacing("online", with: "offline"), good.replacing(#""N""#, with: "1"), "{}"] {
            fixture.instead.answer("/service", 200, bad)
            #expect(
                try status { _ = try client.serviceDetails(fixture.server.backend) } == .responseParseError)
        }
    }

    @Test(arguments: ["", "/", "/mpin/"])
    func `without an address of its own is at the address that was asked`(_ url: String) throws {
        let fixture = try Fixture("01-register-forceactivate", at: .ipv4)
        let client = try fixture.client(withBackend: false)
        fixture.instead.answer(
            "/service", 200,
            #"{"name":"N","url":"\#(url)","rps_prefix":"rps","logo_url":"","type":"online"}"#)
        let details = try client.serviceDetails(fixture.server.backend + "#0123456789")
        #expect(details.backend == fixture.server.backend + url)
        guard url != "/mpin/" else { return }
        try client.setBackend(details.backend, rpsPrefix: details.rpsPrefix)
        #expect(client.clientParameter("registerURL") == fixture.server.backend + "/rps/user")
    }

    @Test(arguments: ["registerURL", "signatureURL", "certivoxURL", "timePermitsURL", "authenticateURL"])
    func `cannot direct the client to a stranger's address`(_ setting: String) throws {
        let stranger = try Fixture("01-register-forceactivate", "02-auth-good", at: .ipv4)
        for domains in [[], ["example.org"], [stranger.server.backend]] {
            let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
            try fixture.answerSettings { settings in
                let own = try #require(settings.firstMatch(of: try Regex("\"\(setting)\": \"([^\"]*)\"")))
                let path = own.output[1].substring ?? ""
                return settings.replacing(
                    own.output[0].substring ?? "",
                    with: "\"\(setting)\": \"\(stranger.server.backend)\(path)\"")
            }
            let trusted = domains.isEmpty ? [] : domains + [fixture.server.backend]
            let client = try fixture.client(trusting: trusted)
            let asked = stranger.server.received.count
            do {
                _ = try client.logIn(client.register("alice@example.org"))
                #expect(domains == [stranger.server.backend])
                #expect(stranger.server.received.count == asked + (setting == "certivoxURL" ? 2 : 1))
            } catch let failure as ClientFailure {
                #expect(domains != [stranger.server.backend], "\(failure)")
                #expect(failure.status == .networkError)
                #expect(failure.untrustedURL?.hasPrefix(stranger.server.backend) == true)
                #expect(stranger.server.received.count == asked)
            }
        }
    }

    @Test func `is refused if only other domains are trusted`() throws {
        let fixture = try Fixture("01-register-forceactivate", at: .ipv4)
        #expect(try status { _ = try fixture.client(trusting: ["example.org"]) } == .networkError)
        let client = try fixture.client(trusting: [fixture.server.backend])
        let other = try Fixture("01-register-forceactivate", at: .ipv4)
        #expect(try status { try client.setBackend(other.server.backend) } == .networkError)
        #expect(try status { _ = try client.serviceDetails(other.server.backend) } == .networkError)
        #expect(
            try status { _ = try client.accessCode(authorizeURL: other.server.backend + "/a") }
                == .networkError)
        try client.addTrustedDomain(other.server.backend)
        try client.setBackend(other.server.backend)
        for bad in ["", "a b", "https://", "ftp://x", "x/y", "x:80"] {
            #expect(try status { try client.addTrustedDomain(bad) } == .flowError, "\(bad)")
        }
    }

    @Test(arguments: [
        "https://evilexample.org", "https://example.org.evil.example", "https://org", "http://127.0.0.1:1",
        "https://example.org@evil.example", "unix:/example.org",
    ])
    func `is refused if only the end or a part of its name is trusted`(_ url: String) throws {
        let fixture = try Fixture("01-register-forceactivate")
        let client = try fixture.client(trusting: ["example.org"], withBackend: false)
        let refused = #expect(throws: ClientFailure.self) { try client.setBackend(url) }
        #expect(refused?.untrustedURL == url || refused?.status == .flowError)
        #expect(fixture.server.received.isEmpty)
    }

    @Test func `that redirects is not followed`() throws {
        let fixture = try Fixture("01-register-forceactivate", at: .ipv4)
        let other = try Fixture("01-register-forceactivate", at: .ipv4)
        let client = try fixture.client()
        let target = other.server.backend + "/rps/user"
        fixture.instead.answer("/rps/user") { _ in .json(307, "", headers: ["Location": target]) }
        #expect(try status { _ = try client.startRegistration(client.makeUser("a@x")) } == .networkError)
        #expect(other.server.received.isEmpty)
    }
}
