// SPDX-License-Identifier: Apache-2.0
// Every answer that T-17 injected at every call, and what our client makes of it.
import Foundation
import MPinClient
import TestSupport
import Testing

@Suite(.slow) struct `Against the recorded matrix of statuses` {
    /// A route at which T-17 injected its answers, and its call.
    struct Row: Sendable, CustomTestStringConvertible {
        let route: String
        let call: Call
        let needsToken: Bool
        var testDescription: String { route }
    }

    static let rows = [
        Row(route: "/rps/clientSettings", call: .clientSettings, needsToken: false),
        Row(route: "/service", call: .service, needsToken: false),
        Row(route: "/rps/user", call: .user, needsToken: false),
        Row(route: "/rps/signature", call: .signature, needsToken: false),
        Row(route: "/dta2/clientSecret", call: .clientSecret, needsToken: false),
        Row(route: "/rps/timePermit", call: .timePermit, needsToken: true),
        Row(route: "/dta2/timePermit", call: .timePermit, needsToken: true),
        Row(route: "/rps/pass1", call: .passOne, needsToken: true),
        Row(route: "/rps/pass2", call: .passTwo, needsToken: true),
        Row(route: "/mpinAuthenticate", call: .authenticate, needsToken: true),
        Row(route: "/rps/authenticate", call: .mobileAuthenticate, needsToken: true),
    ]

    @Test(arguments: rows) func `each answer of T-17 gives its status and its state`(_ row: Row) throws {
        let fixture = try Fixture.recorded()
        var seen: Set<String> = []
        for exchange in try Transcript.deviceView("17-injected-status-matrix") {
            let (http, body) = (exchange.response.status, exchange.response.body)
            guard exchange.route.hasPrefix(row.route), http != 200 || Self.isRubbish(body),
                seen.insert("\(http) \(body)").inserted
            else { continue }
            fixture.instead.clear()
            try fixture.reset(registered: row.needsToken)
            let before = try fixture.texts()
            let client = try fixture.client(withBackend: row.call != .clientSettings)
            fixture.instead.answer(row.route, http, body)
            let given = try status { try ask(client, fixture, row.call) }
            #expect(given == expected(row.call, http, body), "\(http) '\(body)'")
            try checkState(fixture, row.call, http, before)
        }
        #expect(seen.count >= 12, "\(seen)")
    }

    private func ask(_ client: Client, _ fixture: Fixture, _ call: Call) throws {
        switch call {
        case .clientSettings: try client.testBackend(fixture.server.backend)
        case .service: _ = try client.serviceDetails(fixture.server.backend)
        case .user, .signature, .clientSecret: _ = try client.register("alice@example.org")
        case .timePermit, .passOne, .passTwo, .authenticate: _ = try client.logIn(client.onlyUser())
        case .mobileAuthenticate:
            let user = try client.onlyUser()
            try client.startAuthentication(user)
            _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin), accessNumber: "3232212")
        case .codeStatus: _ = try client.sessionDetails(accessCode: "3232212")
        }
    }

    /// A verdict may have an empty body; every other answer must have the values that were asked for.
    private func expected(_ call: Call, _ http: Int, _ body: String) -> Status {
        let isVerdict = call == .authenticate || call == .mobileAuthenticate
        if http == 200 { return isVerdict && body.isEmpty ? .ok : .responseParseError }
        return `The table of statuses`.expected(call, http)
    }

    /// The files change only by a block, and by a registration that had begun.
    private func checkState(
        _ fixture: Fixture, _ call: Call, _ http: Int, _ before: [String]
    ) throws {
        let client = try fixture.client(withBackend: false)
        switch call {
        case .clientSettings, .service, .user: #expect(try fixture.texts() == before)
        case .signature, .clientSecret: #expect(try client.allUsers().map(\.state) == [.activated])
        case .codeStatus: break
        case .timePermit, .passOne, .passTwo: #expect(try client.allUsers().map(\.state) == [.registered])
        case .authenticate, .mobileAuthenticate:
            #expect(try client.allUsers().map(\.state) == [http == 410 ? .blocked : .registered])
            #expect(try fixture.texts()[0].contains("token") == (http != 410))
        }
    }

    private static func isRubbish(_ body: String) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(body.utf8))) == nil
    }
}

extension Fixture {
    /// The text of the secure file, then that of the plain one.
    func texts() throws -> [String] {
        try [secure, plain].map { String(decoding: try $0.read(), as: UTF8.self) }
    }

    func reset(registered: Bool) throws {
        for file in ["/secure", "/plain"] { try? FileManager.default.removeItem(atPath: folder.path + file) }
        if registered { try register() }
    }
}
