// SPDX-License-Identifier: Apache-2.0
// One file of the phone page in memory: its type, its encodings, and the answer to a request for it.
import MPinWire
import Octets
import Secrets

/// The octets that one encoding of a file has.
struct PageVariant: Sendable {
    let body: any SharedBody
    /// A strong validator: the SHA-256 of exactly these octets.
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

    /// 304 where the client has these octets already.
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

    /// Compared as RFC 9110 has it for GET: a `W/`, here in lower case, makes no difference.
    private func isKnown(_ tag: String, _ known: [Substring]) -> Bool {
        known.contains { $0 == "*" || ($0.hasPrefix("w/") ? $0.dropFirst(2) : $0) == tag }
    }
}

/// How a file may be compressed beside its plain form.
enum ContentCoding: String, CaseIterable, Sendable {
    // The smaller one first: that is what we prefer where the client does not care.
    case brotli = "br"
    case gzip

    /// The end of the name of a compressed file.
    var suffix: String {
        switch self {
        case .brotli: ".br"
        case .gzip: ".gz"
        }
    }

    /// The coding that the client likes best; nil for the plain file, which is sent to whoever accepts none
    /// of those that there are.
    static func best(of there: Set<ContentCoding>, accepted: [Substring]) -> ContentCoding? {
        var weights: [Substring: Int] = [:]
        for value in accepted {
            let parts = value.split(separator: ";", maxSplits: 1)
            guard let name = parts.first.map(trimmed), weights[name] == nil else { continue }
            weights[name] = parts.count == 2 ? thousandths(trimmed(parts[1])) : 1000
        }
        var best: ContentCoding?
        // Who says nothing of the plain file takes it where there is nothing else.
        var weight = weights["identity"] ?? 0
        for coding in allCases where there.contains(coding) {
            let own = weights[Substring(coding.rawValue)] ?? weights["*"] ?? 0
            if own > weight || own == weight && own > 0 && best == nil { (best, weight) = (coding, own) }
        }
        return best
    }

    /// A weight (`q=0.5`) in thousandths; what cannot be read wants nothing.
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
    /// The comma-separated values of a header, in lower case, of all lines that it has.
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
