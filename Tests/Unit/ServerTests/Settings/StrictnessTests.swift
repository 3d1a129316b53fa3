// SPDX-License-Identifier: Apache-2.0
// An organisation's settings in mpind.conf: stricter PINs and locks, longer sessions, and the bounds within
// which they may be set.
import FoundationEssentials
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct StrictnessTests {
    /// The error of `mpind serve` about settings; nil if it accepts them.
    private func complaint(_ text: String) throws -> String? {
        do {
            try settings("# first\n" + text).check()
            return nil
        } catch let error as SetupError { return error.description }
    }

    @Test func `locks start sooner and last longer, and a session lives for up to 300 seconds`() throws {
        let lives = try settings(
            "lock-after = 2\nlock-first = 300\nlock-longest = 43200\nsession-life = 300"
        ).lives
        #expect(lives.locks.after == 2 && lives.locks.first == 5 * Limits.minute)
        #expect(lives.locks.longest == 12 * Limits.hour && lives.session == 5 * Limits.minute)
        // The longest lock is at least as long as the first, whichever is given first.
        let long = try settings("lock-first = 7200").lives.locks
        #expect(long.first == 2 * Limits.hour && long.longest == 2 * Limits.hour)
        let both = try settings("lock-longest = 10000\nlock-first = 7200").lives.locks
        #expect(both.longest == 10_000 * Limits.second)
        #expect(try settings("").lives.locks == Locks())
        #expect(try settings("session-life = 30").lives.session == 30 * Limits.second)
    }

    @Test(arguments: [
        ("lock-after", 1, 3), ("lock-first", 60, 43_200), ("lock-longest", 3_600, 43_200),
        ("session-life", 30, 300), ("pin-length", 4, 12), ("code-life", 60, 86_400),
    ])
    func `a value outside the bounds is an error that names them`(
        _ key: String, _ least: Int, _ most: Int
    ) throws {
        for good in [least, most] { #expect(try complaint("\(key) = \(good)") == nil, "\(key) = \(good)") }
        let sentence = ", line 2: `\(key)`: give a whole number from \(least) to \(most)."
        for bad in ["\(least - 1)", "\(most + 1)", "0", "-1", "many", "1h"] {
            let said = try #require(try complaint("\(key) = \(bad)"), "\(key) = \(bad)")
            #expect(said.hasSuffix(sentence), "\(said)")
        }
        let twice = try complaint("\(key) = \(most)\n\(key) = \(most)")
        #expect(twice?.hasSuffix("may be given only once.") == true)
    }

    @Test(arguments: [
        ("tls", "this is neither a comment nor a [section] nor 'key = value'."),
        ("TLS = on", "a key may have only the letters a to z, digits and hyphens."),
        ("data = /a\u{0}", "the line has a NUL or a carriage return in it."),
        ("data = /" + String(repeating: "a", count: 1024), "the line is longer than 1024 bytes."),
        ("[ ]", "this cannot be the name of a section."),
    ])
    func `an unreadable line is explained in a sentence`(_ line: String, _ why: String) throws {
        let said = try #require(try complaint(line))
        #expect(said.hasSuffix(", line 2: \(why)"), "\(said)")
    }

    @Test func `a longest lock that is shorter than the first one is an error`() throws {
        let said = try complaint("lock-first = 7200\nlock-longest = 3600")
        #expect(said?.contains("`lock-longest` must not be shorter than `lock-first`") == true)
    }

    @Test func `the demands on PINs are published, and nothing if there are none`() async throws {
        let asked = try settings("pin-length = 8\npin-kinds = no-dates").service
        #expect(asked.pins == PINDemand(length: 8, refusesDates: true))
        #expect(try settings("pin-length = 4\npin-kinds = any").service == ServiceDescription())
        for kinds in ["dates", "", "no-dates any", "1"] {
            #expect(throws: SetupError.self) { try settings("pin-kinds = \(kinds)") }
        }
        let told = try object(await Server(service: asked).send("GET", Route.clientSettings).body)
        #expect(told["pinLength"] == .number(8) && told["pinKinds"]?.text == "no-dates")
        let usual = try object(await Server().send("GET", Route.clientSettings).body)
        #expect(usual["pinLength"] == nil && usual["pinKinds"] == nil)
    }

    @Test func `a D-TA for another RPS has none of these settings`() throws {
        for key in ["lock-after = 2", "pin-length = 8", "session-life = 300"] {
            let said = try complaint("role = dta1\nrps-credentials = /c\n" + key)
            #expect(said?.hasSuffix("there is no such setting.") == true)
        }
    }

    @Test func `the second wrong PIN of a device locks it where the settings say so`() async throws {
        var lives = Lives()
        (lives.locks.after, lives.locks.first) = (2, 5 * Limits.minute)
        let house = try await House(lives: lives)
        for (left, status, wait) in [(1, 401, nil), (0, 403, 300)] as [(Int, Int, Int?)] {
            let proof = try await house.alice.prove(house.server, pin: "4321")
            let response = try await house.server.send(
                "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof))
            let answer = try JSONDecoder().decode(AuthenticateResponse.self, from: Data(response.body))
            #expect(response.status == status && answer.triesLeft == left && answer.retryAfter == wait)
        }
        #expect(try await house.alice.login(house.server, pin: "1234") == 403)
        house.server.clock.advance(seconds: 300)
        #expect(try await house.alice.login(house.server, pin: "1234") == 200)
    }

    @Test func `a session lives as long as the settings say, and a device learns its life`() async throws {
        for (setting, asked, life) in [(300, 300, 300), (300, 90, 90), (30, 90, 30), (300, 600, 300)] {
            var lives = Lives()
            lives.session = Int64(setting) * Limits.second
            let house = try await House(lives: lives)
            let console = try await house.host.open(
                house.server, ids: [house.alice.id], life: UInt16(asked))
            #expect(console.session.ttlSeconds == life)
            house.server.clock.advance(seconds: Int64(life) - 1)
            #expect(try await look(house.server, console.wid, as: house.alice)?.life == life)
            house.server.clock.advance(seconds: 1)
            #expect(try await look(house.server, console.wid, as: house.alice) == nil)
        }
    }
}
