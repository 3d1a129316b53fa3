// SPDX-License-Identifier: Apache-2.0
// A client with its two files, and a server on a real socket that gives recorded answers.
import Foundation
import MPin
import MPinClient
import MPinWire
import Octets
import Secrets
import Synchronization
import TestSupport
import Testing

/// Answers in place of the recorded ones, by the prefix of a route.
final class Instead: Sendable {
    private let answers = Mutex<[(route: String, reply: @Sendable (Received) -> Reply)]>([])

    func answer(_ route: String, _ status: Int, _ body: String = "") {
        answer(route) { _ in .json(status, body) }
    }

    /// The last answer for a route takes precedence.
    func answer(_ route: String, _ reply: @escaping @Sendable (Received) -> Reply) {
        answers.withLock { $0.insert((route, reply), at: 0) }
    }

    func clear() { answers.withLock { $0 = [] } }

    func reply(to request: Received) -> Reply? {
        let found = answers.withLock { answers in answers.first { request.route.hasPrefix($0.route) }?.reply }
        return found?(request)
    }
}

final class Fixture {
    static let pin = "1234"
    let server: Server
    let instead = Instead()
    let folder: TemporaryFolder

    init(_ exchanges: [Exchange], _ place: Server.Family = .unix) throws {
        let replay = Replay(exchanges)
        server = try Server(place) { [instead] request in
            instead.reply(to: request) ?? replay.reply(to: request)
        }
        folder = try TemporaryFolder()
    }

    /// The exchanges of one client, with the settings of T-02 where none were asked.
    convenience init(_ names: String..., at place: Server.Family = .unix) throws {
        let settings = try Transcript.clientView("02-auth-good").filter { $0.route == "/rps/clientSettings" }
        try self.init(names.flatMap { try Transcript.clientView($0) } + settings, place)
    }

    /// The exchanges of a registration, of a login and of a session.
    static func recorded() throws -> Fixture {
        try Fixture("01-register-forceactivate", "02-auth-good", "05-access-number")
    }

    /// The same, for a user who has registered.
    static func registered() throws -> Fixture {
        let fixture = try recorded()
        try fixture.register()
        return fixture
    }

    /// The same, at a server that binds and tells who waits.
    static func bound() throws -> Fixture {
        let fixture = try recorded()
        try fixture.binds()
        _ = try fixture.client().register("alice@example.org")
        try fixture.tellsWhoWaits()
        return fixture
    }

    var secure: FileStorage { FileStorage(path: folder.path + "/secure") }
    var plain: FileStorage { FileStorage(path: folder.path + "/plain") }

    /// A new client over these files, as after a start of the program.
    func client(
        headers: [String: String] = [:], trusting domains: [String] = [], withBackend: Bool = true
    ) throws -> Client {
        let settings = Configuration(
            backend: withBackend ? server.backend : nil, headers: headers, trustedDomains: domains, timeout: 5
        )
        return try Client(secure: secure, plain: plain, settings: settings)
    }

    var backendKey: String {
        server.backend.hasPrefix("http://") ? String(server.backend.dropFirst(7)) : server.backend
    }

    /// Writes the files as Milagro's core leaves them after a registration, with the recorded identity and
    /// shares.
    func register(as recorded: String = "01-register-forceactivate") throws {
        let identity = try Recorded(recorded)
        let secret = try JSONSerialization.data(withJSONObject: [
            identity.mpinID: ["token": try identity.token()]
        ])
        let plain = try JSONSerialization.data(withJSONObject: [
            backendKey: [
                identity.mpinID: ["state": "REGISTERED", "timePermitCache": ["date": 0, "timePermit": ""]]
            ]
        ])
        try self.secure.write([UInt8](secret))
        try self.plain.write([UInt8](plain))
    }

    /// The requests to a route, in order.
    func received(_ route: String) -> [Received] { server.received.filter { $0.route.hasPrefix(route) } }

    func bodies(_ route: String) throws -> [[String: Any]] {
        try received(route).map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.body.utf8)) as? [String: Any])
        }
    }
}

/// One identity from a transcript.
struct Recorded {
    let mpinID: String
    private let shares: [String]

    init(_ name: String) throws {
        let exchanges = try Transcript.clientView(name)
        func answer(_ route: String, _ key: String) throws -> String {
            let exchange = try #require(exchanges.first { $0.route.hasPrefix(route) })
            let object = try JSONSerialization.jsonObject(with: Data(exchange.response.body.utf8))
            return try #require((object as? [String: Any])?[key] as? String)
        }
        mpinID = try answer("/rps/user", "mpinId")
        shares = [
            try answer("/rps/signature", "clientSecretShare"),
            try answer("/dta2/clientSecret", "clientSecret"),
        ]
    }

    /// The token for the PIN of all tests, by the rule of Milagro's core.
    func token() throws -> String {
        let secrets = shares.compactMap { octets(fromHex: Array($0.utf8)) }
        let known = octets(fromHex: Array(mpinID.utf8))
        let id = try #require(known)
        let token = try Token(
            clientSecret: clientSecret(secret(secrets[0]), secret(secrets[1])), mpinID: id,
            factor: PINRule.milagroString.factor(of: secret(Array(Fixture.pin.utf8))))
        return hexText(
            token.withOctets { octets in
                (0..<octets.byteCount).map { unsafe octets.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
            })
    }
}

func secret(_ octets: [UInt8]) throws -> Secret { try Secret(copying: unsafe octets.span.bytes) }

/// How a call ends: the status of its failure, or `ok`.
func status(_ call: () throws -> Void) throws -> Status {
    do {
        try call()
        return .ok
    } catch let failure as ClientFailure {
        return failure.status
    }
}

extension Client {
    /// The only user.
    func onlyUser() throws -> User {
        let users = try users()
        try #require(users.count == 1)
        return users[0]
    }

    /// Runs all steps of a registration.
    func register(_ identity: String) throws -> User {
        let user = try startRegistration(makeUser(identity))
        try confirmRegistration(user)
        return try finishRegistration(user, pin: PIN(Fixture.pin))
    }

    func logIn(_ user: User) throws -> String {
        try startAuthentication(user)
        return try finishAuthentication(user, pin: PIN(Fixture.pin))
    }
}
