// SPDX-License-Identifier: Apache-2.0
// mpind under profile = compat takes the place of the recorded RPS, between the recorded clients and their
// RPA: it answers both as the Milagro server did, except for the differences that are listed with a reason.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import Synchronization
import TestSupport
import Testing

@Suite(.slow) struct ApplicationTranscriptTests {
    /// Transcripts that continue each other, each with whether the server waits for the RPA's result.
    private static let runs: [(names: [String], waits: Bool)] = [
        (["01-register-forceactivate", "02-auth-good", "05-access-number"], true),
        (["01-register-forceactivate", "03-wrong-pin-blocked"], true),
        (["07-register-verified"], true), (["08-register-refused"], true),
        (["12-native-qr"], true), (["31-abuse"], true), (["32-wid-hijack"], false),
        (["14-nowait-accessnumber"], false), (["33-wid-hijack-redis"], false),
        (["34-access-number-redis"], true), (["30-rawcrypto"], true), (["19-pin-collision"], true),
        (["07b-register-verified-memory", "11-otp"], true), (["07c-register-verified-restart-redis"], true),
        (
            [
                "20-raw-user-errors", "21-raw-signature-errors", "22-raw-timepermit", "23-raw-pass-errors",
                "24-raw-authenticate-errors",
            ], true
        ),
        (["13-rpsBaseURL-trailing-slash"], true), (["16-time-permit-storage-hit"], true),
        (["10-rpa-status-401"], true), (["10-rpa-status-403"], true), (["10-rpa-status-406"], true),
        (["10-rpa-status-408"], true), (["10-rpa-status-409"], true), (["10-rpa-status-410"], true),
        (["10-rpa-status-412"], true), (["10-rpa-status-500"], true),
    ]

    @Test(arguments: runs) func `mpind answers as the Milagro RPS did`(
        _ names: [String], _ waits: Bool
    ) async throws {
        let application = Application()
        let replay = try Replay(application) {
            $0.permitURL = "http://127.0.0.1:8005/mpinPermitUser"
            $0.authenticateURL = "/mpinAuthenticate"
            $0.logoutURL = "/logout"
            $0.waitsForResult = waits
        }
        for name in names {
            let all = try Transcript.load(name)
            var waiting: [(Exchange, Task<Response, Never>)] = []
            var (compared, passed) = (0, Int64(0))
            for (index, exchange) in all.enumerated() {
                let later = all[(index + 1)...]
                prepare(application, exchange, later)
                let time = Int64(exchange.t - (all.first?.t ?? 0))
                replay.server.clock.advance(seconds: max(0, time - passed))
                passed = max(time, passed)
                replay.pin = isRight(exchange, later) ? "1234" : "4321"
                if exchange.edge == "rps", exchange.request.path == Route.mobileAuthenticate {
                    waiting.append((exchange, try await begin(exchange, replay)))
                    continue
                }
                guard let ours = try await replay.answer(exchange) else { continue }
                learnKey(application, replay, exchange, later)
                compared += 1
                expect(ours, exchange, name)
            }
            for (exchange, task) in waiting {
                let response = await task.value
                expect(Shape(response.status, try? object(response.body)), exchange, name)
            }
            #expect(compared > 0)
        }
    }

    /// Makes the RPA answer the next request as it was recorded.
    private func prepare(_ application: Application, _ exchange: Exchange, _ later: ArraySlice<Exchange>) {
        guard exchange.edge == "rps" else { return }
        if exchange.request.path.hasPrefix(Route.timePermit) {
            let next = later.first { $0.edge == "rpa" && $0.request.path.hasPrefix("/mpinPermitUser") }
            application.says(next?.response.status ?? 200)
        } else if let next = verification(exchange, later) {
            application.says(next.response.status, next.response.body)
        }
    }

    private func verification(_ exchange: Exchange, _ later: ArraySlice<Exchange>) -> Exchange? {
        guard exchange.edge == "rps", exchange.request.path.hasPrefix(Route.user) else { return nil }
        return later.prefix(3).first { $0.edge == "rpa" && $0.request.path.hasPrefix("/mpinVerify") }
    }

    private func learnKey(
        _ application: Application, _ replay: Replay, _ exchange: Exchange, _ later: ArraySlice<Exchange>
    ) {
        guard let recorded = verification(exchange, later)?.asked?["activateKey"]?.text,
            application.asked.withLock({ !$0.isEmpty }), let wish = try? application.wish()
        else { return }
        replay.put(recorded, wish.activateKey)
    }

    /// Whether the proof that begins here was right: the status of its redemption shows it.
    private func isRight(_ exchange: Exchange, _ later: ArraySlice<Exchange>) -> Bool {
        guard exchange.request.path == Route.passOne,
            let ott = later.first(where: { $0.edge == "rps" && $0.request.path == Route.passTwo })?
                .answered?["authOTT"]?.text
        else { return false }
        let redemption = later.first {
            $0.edge == "rps" && $0.request.body.contains(ott) && $0.request.path.hasSuffix("/authenticate")
        }
        return redemption.map { ![401, 410].contains($0.response.status) } ?? false
    }

    private final class Answers: Sendable {
        let count = Atomic(0)
    }

    /// Sends a request that the device waits for, and returns when the server has recorded its proof, or has
    /// answered.
    private func begin(_ exchange: Exchange, _ replay: Replay) async throws -> Task<Response, Never> {
        let server = replay.server
        let body = [UInt8](replay.replaced(exchange.request.body).utf8)
        let before = try await server.storage.auditRecords(AuditQuery(), limit: 1).first?.number
        let answers = Answers()
        let task = Task {
            defer { answers.count.add(1, ordering: .relaxed) }
            return await server.send("POST", Route.mobileAuthenticate, body)
        }
        while answers.count.load(ordering: .relaxed) == 0 {
            if try await server.storage.auditRecords(AuditQuery(), limit: 1).first?.number != before { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        return task
    }

    private func expect(_ ours: Shape, _ exchange: Exchange, _ name: String) {
        let place = "\(name.prefix { $0 != "-" }) \(exchange.seq)"
        let theirs = Shape(exchange.response.status, exchange.answered)
        let known = Differences.compatible.of(exchange, place)
        #expect(ours == known?.ours ?? theirs, "T-\(place) \(exchange.request.path.prefix(40))")
        #expect(Differences.compatible.single[place]?.ours != theirs, "T-\(place) differs no more")
    }
}
