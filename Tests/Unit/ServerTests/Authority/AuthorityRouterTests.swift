// SPDX-License-Identifier: Apache-2.0
// A D-TA that serves another RPS: what that RPS gets with its signature, and what is refused.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

/// One D-TA with secrets and a database of its own.
private final class Apart: Sendable {
    static let appID = "a2fcdf24c98e11e4b69d02547e1fd4a1"
    static let appKey = "0123456789abcdef0123456789abcdef"

    let folder: String
    private let isNew: Bool
    let half: ShareIndex
    let clock: TestClock
    let router: AuthorityRouter

    init(_ half: ShareIndex, clock: TestClock = TestClock(), folder: String? = nil) throws {
        isNew = folder == nil
        self.folder = try folder ?? newFolder()
        self.half = half
        self.clock = clock
        if isNew { try MasterFile.create(folder: self.folder) }
        let effects = Effects(now: { clock.now }, random: { try randomOctets($0) }, pause: {})
        let book = try AuthorityBook(sqlite: .file(self.folder + "/book.db"))
        router = AuthorityRouter(
            half: half, application: ApplicationKey(id: Apart.appID, key: try secret(Apart.appKey)),
            authority: try MasterFile(folder: self.folder).authority(book: book, now: effects.now),
            storage: try ServerDatabase(
                sqlite: .file(self.folder + "/dta.db"), clock: { clock.milliseconds }),
            effects: effects)
    }

    deinit { if isNew { removeFolder(folder) } }

    func send(_ target: String, method: String = "GET", origin: String? = nil) async -> Response {
        await router.respond(
            to: Request(
                method: method, target: target, host: "dta.example.org", origin: origin, peer: Server.address)
        )
    }

    static func signature(_ text: String, key: String = appKey) throws -> String {
        hexText(try hmac(key: secret(key), [UInt8](text.utf8)))
    }

    func serverSecret(in seconds: Int64 = 60, key: String = appKey) throws -> String {
        let expires = (clock.now + seconds).isoText
        let signature = try Apart.signature("serverSecret" + Apart.appID + expires, key: key)
        return "/serverSecret?app_id=\(Apart.appID)&expires=\(expires)&signature=\(signature)"
    }

    /// - Parameter command: The command that is signed; the request itself is always sent to /clientSecret.
    func clientSecret(
        _ hash: String, user: String = "", in seconds: Int64 = 60, signed command: String = "clientSecret"
    ) throws -> String {
        let expires = (clock.now + seconds).isoText
        let signature = try Apart.signature(command + Apart.appID + hash + user + expires)
        return "/clientSecret?app_id=\(Apart.appID)&expires=\(expires)&hash_mpin_id=\(hash)"
            + "&hash_user_id=\(user)&signature=\(signature)"
    }

    func clientSecret(_ id: IdentityHash, in seconds: Int64 = 60) throws -> String {
        try clientSecret(hexText(id), in: seconds)
    }

    func permits(
        _ id: IdentityHash, _ path: String = "/timePermits", more: String = "&count=7"
    ) throws -> String {
        "\(path)?hash_mpin_id=\(hexText(id))&signature=\(try Apart.signature(hexText(id)))\(more)"
    }
}

private func share(_ response: Response, _ name: String) throws -> [UInt8] {
    try #require(response.status == 200)
    return try #require(octets(object(response.body)[name]?.text ?? ""))
}

@Suite(.slow) struct AuthorityRouterTests {
    private let mpinID = [UInt8](#"{"userID":"alice"}"#.utf8)
    private var id: IdentityHash { identityHash(mpinID) }

    @Test func `two D-TAs give an RPS all that it needs to verify a login of its user`() async throws {
        let clock = TestClock()
        let (one, two) = (try Apart(.first, clock: clock), try Apart(.second, clock: clock))
        let verifier = try Verifier(
            serverSecret: serverSecret(
                secret(share(await one.send(one.serverSecret()), "serverSecret")),
                secret(share(await two.send(two.serverSecret()), "serverSecret"))))
        let alice = try Enrolled(
            mpinID: mpinID,
            clientSecret: clientSecret(
                secret(share(await one.send(one.clientSecret(id)), "clientSecret")),
                secret(share(await two.send(two.clientSecret(id)), "clientSecret"))), pin: "1234")
        let today = clock.now.day
        let made = try #require(object(await one.send(one.permits(id)).body)["timePermits"])
        guard case .object(let days) = made else { throw NotAnObject() }
        let permit = try timePermit(
            #require(octets(days[String(today)]?.text ?? "")),
            share(await two.send(two.permits(id, "/timePermit", more: "")), "timePermit"))
        for (pin, isRight) in [("1234", true), ("1235", false)] {
            let begun = try alice.passOne(pin: pin, permit: (today, permit))
            let (u, ut) = (begun.u, begun.ut)
            let y = Challenge(repeating: 9)
            let v = try begun.answer(y: y)
            #expect(
                try verifier.verify(mpinID: mpinID, date: today, u: u, ut: ut, y: y, v: v) == isRight)
        }
    }

    @Test func `a signature gets the server secret once, even after a restart`() async throws {
        let one = try Apart(.first)
        let wish = try one.serverSecret()
        #expect(await one.send(wish).status == 200)
        #expect(await one.send(wish).status == 403)
        let again = try Apart(.first, clock: one.clock, folder: one.folder)
        #expect(await again.send(wish).status == 403)
        #expect(await again.send(try again.serverSecret(in: 61)).status == 200)
        // An RPS sends one signature to both of its D-TAs, so two D-TAs on one machine must both accept it.
        let other = try Apart(.second, clock: one.clock, folder: one.folder)
        #expect(await other.send(wish).status == 200)
    }

    @Test func `a signature is accepted until its expiry, which is at most two minutes ahead`() async throws {
        let one = try Apart(.first)
        for (seconds, status) in [(-1, 408), (1, 200), (60, 200), (120, 200), (121, 408), (86_400, 408)] {
            let other = IdentityHash(sha256: id.octets + [UInt8(seconds & 0xff)])
            #expect(await one.send(try one.serverSecret(in: Int64(seconds))).status == status, "\(seconds)")
            #expect(
                await one.send(try one.clientSecret(other, in: Int64(seconds))).status == status, "\(seconds)"
            )
        }
    }

    @Test func `without the application's key a request is refused`() async throws {
        let one = try Apart(.first)
        let foreign = String(repeating: "f", count: 32)
        #expect(await one.send(try one.serverSecret(key: foreign)).status == 401)
        let wish = try one.serverSecret()
        for (old, new, status) in [
            ("signature=", "signature=0", 401), ("&signature=", "&other=", 403),
            ("expires=20", "expires=21", 401),
        ] {
            #expect(await one.send(wish.replacing(old, with: new)).status == status, "\(new)")
        }
        let permits = try one.permits(id).replacing(hexText(id), with: hexText(sha256(id.octets)))
        #expect(await one.send(permits).status == 401)
        #expect(await one.send(wish).status == 200)
    }

    @Test func `a signature is good for one command, one identity and its user`() async throws {
        let one = try Apart(.first)
        let (hash, user) = (hexText(id), hexText(sha256(id.octets)))
        for command in ["serverSecret", "clientsecret", ""] {
            let wish = try one.clientSecret(hash, signed: command)
            #expect(await one.send(wish).status == 401, "\(command)")
        }
        let wish = try one.clientSecret(hash, user: user)
        for other in [
            wish.replacing("hash_user_id=\(user)", with: "hash_user_id="),
            wish.replacing("hash_mpin_id=\(hash)", with: "hash_mpin_id=\(user)"),
        ] {
            #expect(await one.send(other).status == 401, "\(other)")
        }
        // The boundary between the two fields cannot be moved: an identity hash has 64 digits.
        let moved = wish.replacing(
            "hash_mpin_id=\(hash)&hash_user_id=\(user)",
            with: "hash_mpin_id=\(hash)\(user.prefix(2))&hash_user_id=\(user.dropFirst(2))")
        #expect(await one.send(moved).status == 403)
        // If a field is given twice, the first value is both signed and used.
        #expect(await one.send(wish + "&hash_mpin_id=\(user)").status == 200)
        #expect(await one.send(try one.clientSecret(hash.uppercased())).status == 403)
    }

    @Test func `a refused request does not use up its signature`() async throws {
        let one = try Apart(.first)
        let wish = try one.serverSecret()
        #expect(await one.send(wish.replacing("signature=", with: "signature=0")).status == 401)
        #expect(await one.send(wish, origin: "https://page.example.org").status == 403)
        #expect(await one.send(wish, method: "POST").status == 405)
        #expect(await one.send(wish).status == 200)
    }

    @Test func `a client secret is given once, and a permit only for an identity that has one, for today`()
        async throws
    {
        let one = try Apart(.first)
        #expect(await one.send(try one.permits(id)).status == 410)
        #expect(await one.send(try one.clientSecret(id)).status == 200)
        #expect(await one.send(try one.clientSecret(id, in: 61)).status == 403)
        one.clock.toTomorrow(second: 3600)
        let today = one.clock.now.day
        func days() async throws -> [String] {
            guard case .object(let days)? = try object(await one.send(one.permits(id)).body)["timePermits"]
            else { throw NotAnObject() }
            return days.keys.sorted()
        }
        #expect(try await days() == ["\(today)"])
        for (date, status) in [(today, 200), (today - 1, 410), (today + 1, 410)] {
            let wish = try one.permits(id, "/timePermit", more: "&date=\(date)")
            #expect(await one.send(wish).status == status)
        }
        one.clock.toTomorrow(second: 60)
        #expect(try await days() == ["\(today)", "\(today + 1)"])
        #expect(await one.send(try one.permits(id, more: "")).status == 403)
        #expect(await one.send(try one.permits(id, more: "&count=x")).status == 403)
    }

    @Test func `pages may fetch a client secret and a permit, but no server secret`() async throws {
        let two = try Apart(.second)
        let page = "https://app.example.org"
        #expect(await two.send(try two.serverSecret(), origin: page).status == 403)
        let response = await two.send(try two.clientSecret(id), origin: page)
        #expect(response.status == 200)
        #expect(response.headers.contains { $0.name == "Access-Control-Allow-Origin" && $0.value == "*" })
        #expect(!response.headers.contains { $0.name == "Access-Control-Allow-Credentials" })
        #expect(response.headers.contains { $0.name == "Cache-Control" && $0.value == "no-store" })
    }

    @Test func `an RPS finds the routes that it needs to start, and no others exist`() async throws {
        let two = try Apart(.second)
        let time = try #require(object(await two.send("/time").body)["Time"]?.text)
        #expect(time == two.clock.now.isoText)
        #expect(try object(await two.send("/apiSettings").body)["timePermitsStorageURL"]?.text == "")
        #expect(await two.send("/status").status == 200)
        #expect(await two.send("/status", method: "OPTIONS").status == 200)
        for path in ["/", "/rps/clientSettings", "/mpinAuthenticate", "/status/x", "/dta2/status", "/admin"] {
            #expect(await two.send(path).status == 404, "\(path)")
        }
        for path in ["/serverSecret", "/clientSecret", "/status"] {
            #expect(await two.send(path, method: "POST").status == 405, "\(path)")
        }
    }
}
