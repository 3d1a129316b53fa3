// SPDX-License-Identifier: Apache-2.0
// The metrics: their text, what is counted, and who may read it.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite struct MetricsTests {
    /// The lines of the text about one metric, without its help and type.
    private func samples(_ metric: Metric, _ metrics: Metrics) -> [String] {
        metrics.text.split(separator: "\n").map(String.init).filter {
            $0.hasPrefix(metric.rawValue) && !$0.hasPrefix("#")
        }
    }

    @Test func `every metric has one help and one type, in the order of the list`() {
        let lines = Metrics().text.split(separator: "\n")
        let helps = lines.filter { $0.hasPrefix("# HELP ") }.map { $0.split(separator: " ")[2] }
        let types = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
        #expect(helps.map(String.init) == Metric.allCases.map(\.rawValue))
        #expect(types == helps)
        #expect(Metrics().text.hasSuffix("\n") && !Metrics().text.contains("\n\n"))
    }

    @Test func `a name ends in total exactly if the metric is a counter`() {
        for line in Metrics().text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            let words = line.split(separator: " ")
            #expect(words[2].hasSuffix("_total") == (words[3] == "counter"), "\(line)")
        }
    }

    @Test func `a counter adds, and shows its series from the start`() {
        let metrics = Metrics()
        let reasons = RefusalKind.allCases.filter { $0 != .answer }
        #expect(
            samples(.connectionsRefused, metrics)
                == reasons.map { "mpind_connections_refused_total{reason=\"\($0.rawValue)\"} 0" }.sorted())
        for _ in 0..<3 { metrics.refused(.slow) }
        metrics.refused(.share)
        #expect(
            samples(.connectionsRefused, metrics).filter { !$0.hasSuffix(" 0") } == [
                "mpind_connections_refused_total{reason=\"over-share\"} 1",
                "mpind_connections_refused_total{reason=\"slow\"} 3",
            ])
    }

    @Test func `a gauge rises and falls`() {
        let metrics = Metrics()
        for _ in 0..<3 { metrics.opened(.public) }
        metrics.closed(.public)
        metrics.opened(.admin)
        #expect(
            samples(.connections, metrics).filter { !$0.hasSuffix(" 0") } == [
                "mpind_connections{listener=\"admin\"} 1", "mpind_connections{listener=\"public\"} 2",
            ])
    }

    @Test func `a bucket counts what is in the buckets before it too, and its bound belongs to it`() {
        let metrics = Metrics()
        for writers in [0, 1, 2, 3, 64, 65] { metrics.batchBegan(writers: writers) }
        let buckets = [
            ("1", 1), ("2", 2), ("4", 3), ("8", 3), ("16", 3), ("32", 3), ("64", 4), ("+Inf", 5),
        ]
        #expect(
            samples(.storageBatchJobs, metrics)
                == buckets.map { "mpind_storage_batch_jobs_bucket{le=\"\($0.0)\"} \($0.1)" }
                + ["mpind_storage_batch_jobs_sum 135", "mpind_storage_batch_jobs_count 5"])
    }

    @Test func `times are seconds`() {
        let metrics = Metrics()
        metrics.answered(Response(200), after: .milliseconds(30))
        let lines = samples(.requestSeconds, metrics)
        #expect(lines.contains("mpind_request_seconds_bucket{route=\"none\",le=\"0.025\"} 0"))
        #expect(lines.contains("mpind_request_seconds_bucket{route=\"none\",le=\"0.05\"} 1"))
        #expect(lines.contains("mpind_request_seconds_sum{route=\"none\"} 0.03"))
        #expect(samples(.requests, metrics) == ["mpind_requests_total{route=\"none\",status=\"200\"} 1"])
    }

    @Test func `counting from many threads loses nothing`() async {
        let metrics = Metrics()
        _ = await together(8) { for _ in 0..<1000 { metrics.shookHands(.completed) } }
        #expect(samples(.handshakes, metrics).contains { $0.hasSuffix("{result=\"completed\"} 8000") })
    }

    @Test func `what is unknown has no value`() {
        let metrics = Metrics()
        #expect(samples(.certificateExpiry, metrics) == [] && samples(.databaseClockOffset, metrics) == [])
        metrics.uses(certificateUntil: UnixTime(seconds: 1_800_000_000))
        #expect(
            samples(.certificateExpiry, metrics) == ["mpind_tls_certificate_expiry_seconds 1800000000"])
    }

    @Test(.slow) func `logins are counted by method and verdict, and tries by the counter that refuses them`()
        async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        for pin in ["1234", "4321", "4321", "4321", "1234"] {
            _ = try await host.login(server, alice, pin: pin)
        }
        #expect(
            samples(.logins, server.metrics).filter { !$0.hasSuffix(" 0") }
                == [("granted", 1), ("locked", 2), ("wrong", 2)].map {
                    "mpind_logins_total{method=\"pin\",verdict=\"\($0.0)\"} \($0.1)"
                })
        #expect(samples(.verifications, server.metrics) == ["mpind_verifications_total 5"])
        #expect(
            samples(.triesRefused, server.metrics).filter { !$0.hasSuffix(" 0") } == [
                "mpind_tries_refused_total{counter=\"source\"} 1"
            ])
        let text = server.metrics.text
        #expect(text.contains("mpind_authority_seconds_count{command=\"clientSecret\"} 2\n"))
        #expect(!text.contains("alice") && !text.contains("prod-db1"))
    }
}
