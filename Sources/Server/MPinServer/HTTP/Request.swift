// SPDX-License-Identifier: Apache-2.0
// A request as the handlers see it, independent of the HTTP library.
import MPinWire
import Octets

/// The head and the whole body of one request.
package struct Request: Sendable {
    /// The longest body that is accepted, in octets.
    package static let bodyLimit = 65_536

    package let method: String
    /// The path's components, percent-decoded; nil for a malformed path.
    package let path: [String]?
    let query: [String: String]
    package let host: String?
    package let origin: String?
    package let contentType: String?
    /// The attempt id from `MPin-Attempt`, 16 hex digits in lower case; empty without a valid one.
    package let attempt: String
    /// The client id of an application, from `X-MIRACL-Client-ID`.
    let clientID: String?
    package let peer: Peer
    /// All headers, some of which an external RPA may want to see.
    package let headers: [(name: String, value: String)]
    package var body: [UInt8]

    /// `target` is the request target in origin form, `/path?query`.
    package init(
        method: String, target: String, host: String?, origin: String? = nil, contentType: String? = nil,
        attempt: String? = nil, peer: Peer, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        self.path = components(ofPath: parts.first ?? "")
        self.query = parts.count == 2 ? parameters(ofQuery: parts[1]) : [:]
        self.host = host?.lowercased()
        self.origin = origin?.lowercased()
        self.contentType = contentType?.lowercased()
        self.attempt = attempt.flatMap(attemptID) ?? ""
        let named = headers.first { $0.name.lowercased() == HeaderName.clientID.lowercased() }
        self.clientID = named?.value
        self.peer = peer
        self.headers = headers
        self.body = body
    }
}

private func attemptID(_ text: String) -> String? {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ nibble($0) != nil }) else { return nil }
    return text.lowercased()
}

private func components(ofPath path: Substring) -> [String]? {
    guard path.utf8.first == 0x2f else { return nil }
    var components: [String] = []
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
        guard let component = percentDecoded(part, plusIsSpace: false) else { return nil }
        components.append(component)
    }
    return components
}

/// The first value of each name; pairs that are not form-encoded UTF-8 are left out.
private func parameters(ofQuery query: Substring) -> [String: String] {
    var parameters: [String: String] = [:]
    for pair in query.split(separator: "&") {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = percentDecoded(sides[0], plusIsSpace: true),
            let value = percentDecoded(sides.count == 2 ? sides[1] : "", plusIsSpace: true),
            parameters[name] == nil
        else { continue }
        parameters[name] = value
    }
    return parameters
}
