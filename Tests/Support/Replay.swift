// SPDX-License-Identifier: Apache-2.0
// Recorded answers of the Milagro server, returned for the recorded requests.
import Foundation
import Synchronization

/// One exchange as one edge saw it (Tests/Conformance/Transcripts/README.md).
package struct Exchange: Decodable, Sendable {
    package struct Request: Decodable, Sendable {
        package let method: String
        package let path: String
        package let body: String
    }
    package struct Response: Decodable, Sendable {
        package let status: Int
        package let body: String
    }
    package let seq: Int
    /// Seconds since 1970-01-01 UTC.
    package let t: Double
    package let edge: String
    package let request: Request
    package let response: Response

    /// The path as a client of a single origin requests it: D-TA 2, which had an origin of its own in the
    /// recording, is below `/dta2`.
    package var route: String {
        let path = String(request.path.prefix { $0 != "?" })
        return edge == "miracl-dta" ? "/dta2" + path : path
    }
}

package enum Transcript {
    /// Every exchange of a file of Tests/Conformance/Transcripts, in order. The name has no `.jsonl`; a
    /// compressed file is unpacked by gzip.
    package static func load(_ name: String) throws -> [Exchange] {
        let plain = transcriptFolder.appending(path: name + ".jsonl")
        let isPlain = FileManager.default.fileExists(atPath: plain.path)
        let octets =
            isPlain
            ? try Data(contentsOf: plain) : try unpacked(transcriptFolder.appending(path: name + ".jsonl.gz"))
        return try octets.split(separator: 0x0a).compactMap { line in
            let isExchange = try JSONDecoder().decode(Marked.self, from: line).edge != nil
            return isExchange ? try JSONDecoder().decode(Exchange.self, from: line) : nil
        }.sorted { $0.seq < $1.seq }
    }

    /// What a client sees: the edges of RPA and D-TA 2, without the requests between servers.
    package static func clientView(_ name: String) throws -> [Exchange] {
        let between = [
            "/mpinVerify", "/mpinPermitUser", "/mpinActivate", "/dta2/serverSecret", "/dta2/apiSettings",
        ]
        return try load(name).filter {
            ["rpa", "miracl-dta"].contains($0.edge) && !between.contains($0.route)
        }
    }

    /// What a client of the RPS sees, without an RPA between them: the answers of all edges.
    package static func deviceView(_ name: String) throws -> [Exchange] {
        try load(name).filter { ["rpa", "rps", "miracl-dta"].contains($0.edge) }
    }

    private struct Marked: Decodable { let edge: String? }

    private static func unpacked(_ file: URL) throws -> Data {
        Data(try run("/bin/gzip", ["-dc", file.path]).output.utf8)
    }
}

/// Answers each method and route with its recorded answers in order; the last one is repeated. Other requests
/// get 404.
package final class Replay: Sendable {
    private let answers: Mutex<[String: [Exchange.Response]]>

    package init(_ exchanges: [Exchange]) {
        let keyed = exchanges.map { ("\($0.request.method) \($0.route)", [$0.response]) }
        answers = Mutex(Dictionary(keyed, uniquingKeysWith: +))
    }

    package func reply(to request: Received) -> Reply {
        let key = "\(request.method) \(request.route)"
        let answer = answers.withLock { answers -> Exchange.Response? in
            guard let queue = answers[key], let first = queue.first else { return nil }
            if queue.count > 1 { answers[key] = Array(queue.dropFirst()) }
            return first
        }
        guard let answer else { return .json(404, "") }
        return .json(answer.status, Replay.moved(answer.body))
    }

    /// clientSettings with the addresses of the replay's single origin: the RPS's without their host, and
    /// D-TA 2's below `/dta2`.
    private static func moved(_ body: String) -> String {
        body.replacing(#/"certivoxURL": "[^"]*"/#, with: "\"certivoxURL\": \"/dta2/\"")
            .replacing(
                #/"timePermitsStorageURL": "[^"]*"/#, with: "\"timePermitsStorageURL\": \"/dta2/tp\""
            )
            .replacing(#/"http:\/\/127\.0\.0\.1:8011\/rps/#, with: "\"/rps")
    }
}
