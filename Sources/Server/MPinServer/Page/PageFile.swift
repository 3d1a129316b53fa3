// SPDX-License-Identifier: Apache-2.0
// One file of the phone page in memory: its type, its encodings, and the answer to a request for it.
import MPinWire
import Octets
import Secrets

/// One encoding of a file.
struct PageVariant: Sendable {
    let body: any SharedBody
    /// The entity tag, a strong validator: the SHA-256 of these octets in hex, in quotes.
    let tag: String

    init(_ octets: [UInt8], keep: Page.Keep) {
        body = keep(octets)
        tag = "\"" + hexText(sha256(octets)) + "\""
    }
}

struct PageFile: Sendable {
    let type: String
    let plain: PageVariant
    var compressed: [ContentCoding: PageVariant] = [:]

    /// The answer to a request for this file; 304 if the client has these octets already.
    func response(to request: Request) -> Response {
        let coding = ContentCoding.best(
            of: Set(compressed.keys), accepted: request.values(of: "accept-encoding"))
        let variant = coding.flatMap { compressed[$0] } ?? plain
        var headers = [("ETag", variant.tag), ("Vary", "Accept-Encoding"), ("Cache-Control", "no-cache")]
        guard !isKnown(variant.tag, request.values(of: "if-none-match")) else {
            return Response(304, headers: headers, content: .octets([]))
        }
        headers.append(("Content-Type", type))
        if let coding { headers.append(("Content-Encoding", coding.rawValue)) }
        return Response(200, headers: headers, content: .shared(variant.body))
    }

    /// Weak comparison, as RFC 9110 requires for GET: a `W/`, here in lower case, is ignored.
    private func isKnown(_ tag: String, _ known: [Substring]) -> Bool {
        known.contains { $0 == "*" || ($0.hasPrefix("w/") ? $0.dropFirst(2) : $0) == tag }
    }
}

/// A compressed form of a file.
enum ContentCoding: String, CaseIterable, Sendable {
    // The smaller one first: we prefer it if the client has no preference.
    case brotli = "br"
    case gzip

    /// The suffix of a compressed file's name.
    var suffix: String {
        switch self {
        case .brotli: ".br"
        case .gzip: ".gz"
        }
    }

    /// The coding that the client prefers; nil for the plain file, which is sent if the client accepts none
    /// of the available codings.
    static func best(of there: Set<ContentCoding>, accepted: [Substring]) -> ContentCoding? {
        var weights: [Substring: Int] = [:]
        for value in accepted {
            let parts = value.split(separator: ";", maxSplits: 1)
            guard let name = parts.first.map(trimmed), weights[name] == nil else { continue }
            weights[name] = parts.count == 2 ? thousandths(trimmed(parts[1])) : 1000
        }
        var best: ContentCoding?
        // A client that does not mention the plain file gets it only if there is nothing else.
        var weight = weights["identity"] ?? 0
        for coding in allCases where there.contains(coding) {
            let own = weights[Substring(coding.rawValue)] ?? weights["*"] ?? 0
            if own > weight || own == weight && own > 0 && best == nil { (best, weight) = (coding, own) }
        }
        return best
    }

    /// A weight (`q=0.5`) in thousandths; 0 if it is malformed.
    private static func thousandths(_ text: Substring) -> Int {
        guard text.hasPrefix("q=") else { return 0 }
        let parts = text.dropFirst(2).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = parts.count == 2 ? parts[1] : ""
        guard digits.utf8.count <= 3, digits.utf8.allSatisfy(isDigit) else { return 0 }
        let fraction = Int(digits + String(repeating: "0", count: 3 - digits.utf8.count)) ?? 0
        switch parts.first {
        case "1": return fraction == 0 ? 1000 : 0
        case "0": return fraction
        case .some, .none: return 0
        }
    }
}

extension Request {
    /// The comma-separated values of all lines of a header, in lower case.
    func values(of header: String) -> [Substring] {
        headers.filter { $0.name.lowercased() == header }
            .flatMap { $0.value.lowercased().split(separator: ",") }.map(trimmed).filter { !$0.isEmpty }
    }
}

private func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
}
