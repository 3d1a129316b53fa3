// SPDX-License-Identifier: Apache-2.0
// /live and /ready: which faults a server reports, and who may ask.
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite struct ReadinessTests {
    private func readiness(
        _ server: Server, needsAuthority: Bool = false, secondsAhead: Int64 = 0
    ) throws -> Readiness {
        let clock = server.clock
        return Readiness(
            storage: server.storage,
            authority: try MasterFile(folder: server.folder).authority(
                book: server.book, now: { clock.now }), needsAuthority: needsAuthority,
            metrics: server.metrics, now: { clock.now + secondsAhead })
    }

    private func answer(
        _ readiness: Readiness, _ target: String, method: String = "GET", host: String? = "127.0.0.1:9465",
        origin: String? = nil, at listener: String = "127.0.0.1:9465"
    ) async throws -> Response {
        let router = MetricsRouter(readiness, at: try #require(Listener(listener)))
        return await router.respond(
            to: Request(
                method: method, target: target, host: host, origin: origin,
                peer: listener.hasPrefix("unix") ? .local(user: 1000, process: 1) : .address("127.0.0.1")))
    }

    private func text(_ response: Response) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test func `a server whose parts answer is ready`() async throws {
        let server = try Server()
        let answer = try await answer(readiness(server), "/ready")
        #expect(answer.status == 200 && text(answer) == "ready\n")
        #expect(server.metrics.text.contains("mpind_ready{part=\"database\"} 1\n"))
        #expect(server.metrics.text.contains("mpind_database_clock_offset_seconds 0\n"))
    }

    @Test func `a server without its database is not ready, but alive`() async throws {
        let server = try Server()
        await server.storage.close()
        let readiness = try readiness(server)
        let alone = try await answer(readiness, "/ready")
        #expect(alone.status == 503 && text(alone) == "database: It does not answer.\n")
        await server.book.close()
        let both = try await answer(self.readiness(server), "/ready")
        #expect(text(both) == "database: It does not answer.\nauthority: It does not answer.\n")
        #expect(try await answer(readiness, "/live").status == 200)
        #expect(server.metrics.text.contains("mpind_ready{part=\"authority\"} 0\n"))
        #expect(server.metrics.text.contains("mpind_storage_errors_total{kind=\"closed\"} 2\n"))
    }

    @Test func `a server whose authority is away is ready, unless it serves nothing else`() async throws {
        let server = try Server()
        await server.book.close()
        let answer = try await answer(readiness(server), "/ready")
        #expect(answer.status == 200 && text(answer) == "ready\nauthority: It does not answer.\n")
        let authoritys = try await self.answer(readiness(server, needsAuthority: true), "/ready")
        #expect(authoritys.status == 503 && text(authoritys) == "authority: It does not answer.\n")
        #expect(server.metrics.text.contains("mpind_ready{part=\"authority\"} 0\n"))
    }

    @Test(arguments: [(-59, 200), (59, 200), (-60, 503), (60, 503), (3600, 503)] as [(Int64, Int)])
    func `a database whose clock differs by a minute makes the server not ready`(
        _ seconds: Int64, _ status: Int
    ) async throws {
        let answer = try await answer(readiness(Server(), secondsAhead: -seconds), "/ready")
        #expect(answer.status == status)
        let difference = "\(seconds.magnitude) seconds \(seconds < 0 ? "behind" : "ahead of")"
        #expect(
            status == 200
                || text(answer) == "clock: The database's clock is \(difference) this machine's.\n")
    }

    @Test func `a server that ends is not ready at once`() async throws {
        let readiness = try readiness(Server())
        #expect(try await answer(readiness, "/ready").status == 200)
        readiness.end()
        let answer = try await answer(readiness, "/ready")
        #expect(answer.status == 503 && text(answer) == "listeners: The server is ending.\n")
    }

    @Test func `many questions cause few to the database`() async throws {
        let server = try Server()
        let readiness = try readiness(server)
        let reads = {
            let name = "mpind_storage_seconds_count{access=\"read\"} "
            let line = server.metrics.text.split(separator: "\n").first { $0.hasPrefix(name) }
            return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
        }
        let before = reads()
        let start = ContinuousClock.now
        _ = await together(200) { try? await answer(readiness, "/ready").status }
        let periods = Int((ContinuousClock.now - start) / .seconds(1)) + 1
        #expect((before + 1...before + periods).contains(reads()))
    }

    @Test(
        arguments: [
            ("metrics-listen = 192.0.2.1:9465", "needs TLS"),
            ("listen = 127.0.0.1:80\nmetrics-listen = 127.0.0.1:80", "is given twice"),
            ("metrics-listen = [::1]:9465", nil),
            ("metrics-listen = unix:/run/m", nil),
            ("metrics-listen = 0.0.0.0:9465\ntls-certificate = /c\ntls-key = /k", nil),
        ] as [(String, String?)])
    func `an address for monitoring that other machines can reach needs TLS`(
        _ text: String, _ sentence: String?
    ) throws {
        let settings = try settings("public-url = https://login.example.org\n" + text)
        #expect(settings.metricsListen != nil)
        guard let sentence else { return try settings.check() }
        let error = #expect(throws: SetupError.self) { try settings.check() }
        #expect(error?.description.contains(sentence) == true)
    }

    @Test(arguments: [
        ("GET", "/metrics", 200), ("GET", "/live", 200), ("GET", "/", 404), ("GET", "/metrics/", 404),
        ("GET", "/metrics/x", 404), ("POST", "/metrics", 405), ("HEAD", "/ready", 405),
        ("GET", "/status", 404), ("GET", "/rps/clientSettings", 404), ("GET", "/v1/users", 404),
    ])
    func `the listener has three routes`(_ method: String, _ target: String, _ status: Int) async throws {
        #expect(try await answer(readiness(Server()), target, method: method).status == status)
    }

    @Test func `web pages are refused, and names that are not this machine's`() async throws {
        let readiness = try readiness(Server())
        for (host, status) in [
            ("localhost:9465", 200), ("LOCALHOST:9465", 200), ("evil.example:9465", 421), ("127.0.0.1", 421),
            (nil, 400),
        ] as [(String?, Int)] {
            #expect(try await answer(readiness, "/live", host: host).status == status)
        }
        #expect(try await answer(readiness, "/live", origin: "http://127.0.0.1:9465").status == 403)
        let unix = "unix:/run/mpind/metrics.sock"
        #expect(try await answer(readiness, "/live", host: "localhost", at: unix).status == 200)
        #expect(try await answer(readiness, "/live", host: "evil.example", at: unix).status == 421)
        // Other machines use any name that the certificate has.
        let (name, distant) = ("login.example.org:9465", "0.0.0.0:9465")
        #expect(try await answer(readiness, "/live", host: name, at: distant).status == 200)
        #expect(
            try await answer(readiness, "/live", origin: "https://evil.example", at: distant).status == 403)
    }
}
