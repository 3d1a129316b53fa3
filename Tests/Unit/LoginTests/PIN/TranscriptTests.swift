// SPDX-License-Identifier: Apache-2.0
// The state machines against recorded answers of the Milagro server: the outcome of each of them.
import Foundation
import MPin
import MPinCurl
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

/// A host without seals whose only server gives recorded answers.
private final class Recorded {
    let fixture: LoginFixture
    let server: Server

    init(_ names: String..., instead: (String, Exchange.Response)? = nil) throws {
        fixture = try LoginFixture(sealed: false, enrolled: false)
        let exchanges = try names.flatMap { try Transcript.clientView($0) }
        // A login that was recorded alone begins after its request for the settings.
        let settings = try Transcript.clientView("02-auth-good").filter { $0.route == "/rps/clientSettings" }
        let replay = Replay(exchanges + settings)
        server = try Server { request in
            if let (route, answer) = instead, request.route.hasPrefix(route) {
                return .json(answer.status, answer.body)
            }
            return replay.reply(to: request)
        }
    }

    func connect() throws(TransportError) -> CurlTransport {
        var line = CurlTransport(caller: geteuid())
        let hello = Hello(
            attempt: [UInt8](repeating: 0, count: 8), backends: [Array(server.backend.utf8)], alsoOrigins: [],
            caFile: [], connectMilliseconds: 3_000, totalMilliseconds: 20_000)
        _ = try line.exchange(.hello(hello))
        return line
    }

    /// An enrolment, continued where one is pending.
    func enrol() throws -> RegistrationOutcome {
        let files = try FileStore(at: fixture.store)
        let pending = try files.pending(alice, host: fixture.host)
        var machine = try fixture.registration(fixture.request(pending: pending), pin: LoginFixture.pin)
        return drive(
            &machine, of: alice, host: fixture.host, in: files, progress: { _ in }, connect: connect)
    }

    /// A login with the recorded identity, whose secret comes from the recorded shares.
    func login(_ answers: [String]) throws -> Outcome {
        let mpinID = try #require(
            Octets.octets(fromHex: Array(try recordedID().utf8)), "no recorded identity")
        let shares = try recordedShares()
        let rule = PINRule.number(modulus: 10_000)
        let factor = try rule.factor(of: secret(LoginFixture.pin))
        let token = try Token(
            clientSecret: clientSecret(secret(shares.share1), secret(shares.share2)), mpinID: mpinID,
            factor: factor)
        let identity = Identity(
            id: identityHash(mpinID), label: Array("alice".utf8),
            enrolled: Array("2026-11-21T12:00:00Z".utf8),
            pin: PINIdentity(mpinID: mpinID, epoch: 1, backend: [0x78], rule: rule, remote: false))
        let credential = Credential(identity: identity, token: token, ids: [identity.id], hostKey: nil)
        guard let credential else { return .failed(.outOfTurn) }
        let settings = try fixture.settings()
        let machine = Login(
            settings: settings, context: fixture.context(),
            credentials: AccountCredentials(settings, fixture.context(), pin: credential),
            nonce: freshNonce)
        var person = Person(answers)
        return drive(machine, &person, deadline: Deadline(milliseconds: 60_000), connect: connect)
    }

    private var registration: [Exchange] = []

    private func recordedID() throws -> String {
        try recordedAnswer("/rps/user", "mpinId")
    }

    private func recordedShares() throws -> ClientSecretShares {
        let first = try recordedAnswer("/rps/signature", "clientSecretShare")
        let second = try recordedAnswer("/dta2/clientSecret", "clientSecret")
        let shares = [first, second].compactMap { Octets.octets(fromHex: Array($0.utf8)) }
        try #require(shares.count == 2)
        return ClientSecretShares(share1: shares[0], share2: shares[1])
    }

    private func recordedAnswer(_ route: String, _ key: String) throws -> String {
        let exchange = try #require(registration.first { $0.route.hasPrefix(route) })
        let object = try JSONSerialization.jsonObject(with: Data(exchange.response.body.utf8))
        return try #require((object as? [String: Any])?[key] as? String)
    }

    func registered(in name: String) throws -> Recorded {
        registration = try Transcript.clientView(name)
        return self
    }
}

@Suite(.slow) struct `Against the recorded Milagro server` {
    @Test func `T-01 and T-02 register and log in`() throws {
        let recorded = try Recorded("01-register-forceactivate", "02-auth-good")
        guard case .enrolled = try recorded.enrol() else {
            Issue.record("not enrolled")
            return
        }
    }

    @Test func `T-03 blocks at the third wrong PIN`() throws {
        let recorded = try Recorded("03-wrong-pin-blocked").registered(in: "03-wrong-pin-blocked")
        #expect(try recorded.login(["1470", "1471", "1472"]) == .blocked(releaseAfter: nil))
    }

    @Test func `T-03 leaves the identity registered before that`() throws {
        let recorded = try Recorded("03-wrong-pin-blocked").registered(in: "03-wrong-pin-blocked")
        #expect(try recorded.login(["1470", "1471"]) == .conversationFailed)
    }

    @Test func `T-07 waits for a confirmation, and the memory server forgets it`() throws {
        let recorded = try Recorded("07-register-verified")
        for _ in 0..<2 {
            #expect(try recorded.enrol() == .notVerified)
        }
    }

    @Test func `T-07c continues after the confirmation`() throws {
        let recorded = try Recorded("07c-register-verified-restart-redis")
        #expect(try recorded.enrol() == .notVerified)
        guard case .enrolled = try recorded.enrol() else {
            Issue.record("not enrolled")
            return
        }
    }

    @Test func `T-08 refuses, then fails`() throws {
        let recorded = try Recorded("08-register-refused")
        #expect(try recorded.enrol() == .notAuthorized)
        #expect(try recorded.enrol() == .unavailable(Unavailable(status: 500)))
    }

    @Test(arguments: [
        (401, Outcome.refused(.wrongPIN(triesLeft: nil))), (403, .revoked),
        (406, .failed(.answer(.authenticate, status: 406))), (408, .refused(.expired)),
        (409, .secretExpired), (410, .blocked(releaseAfter: nil)), (412, .refused(.expired)),
    ])
    func `T-10 gives the outcome for each status of the redemption`(_ http: Int, _ refusal: Outcome) throws {
        let recorded = try Recorded("10-rpa-status-\(http)")
        #expect(try recorded.enrol() == .withdrawn(refusal))
    }

    @Test func `T-10 keeps a token if only a failure of the server prevented its proof`() throws {
        let recorded = try Recorded("10-rpa-status-500")
        guard case .unproved(_, .unavailable(Unavailable(status: 500))) = try recorded.enrol()
        else {
            Issue.record("not kept")
            return
        }
    }
}

@Suite(.slow) struct `Against the recorded matrix of statuses` {
    /// Where T-17 injected its answers, and whether an enrolment sends a request there.
    private static let routes: [(path: String, enrols: Bool)] = [
        ("/rps/clientSettings", false), ("/rps/user", true), ("/rps/signature", true),
        ("/dta2/clientSecret", true), ("/rps/timePermit", false), ("/dta2/timePermit", false),
        ("/rps/pass1", false), ("/rps/pass2", false), ("/mpinAuthenticate", false),
    ]

    @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7, 8])
    func `no answer of T-17 grants or enrols`(_ index: Int) throws {
        let route = Self.routes[index]
        var seen: Set<String> = []
        for exchange in try Transcript.clientView("17-injected-status-matrix") {
            let answer = exchange.response
            let isInjected = answer.status != 200 || Self.isRubbish(answer.body)
            guard exchange.route.hasPrefix(route.path), isInjected,
                seen.insert("\(answer.status) \(answer.body)").inserted
            else { continue }
            let recorded = try Recorded(
                "01-register-forceactivate", "02-auth-good", instead: (route.path, answer))
            if route.enrols {
                if case .enrolled = try recorded.enrol() { Issue.record("\(answer.status)") }
            } else {
                let registered = try recorded.registered(in: "01-register-forceactivate")
                if case .granted = try registered.login([LoginFixture.pin]) {
                    Issue.record("\(answer.status)")
                }
            }
        }
        #expect(seen.count >= 12)
    }

    private static func isRubbish(_ body: String) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(body.utf8))) == nil
    }
}
