// SPDX-License-Identifier: Apache-2.0
// A response, independent of the HTTP library, with the fields for its log line.

/// A body that many answers share: a buffer of the HTTP library, which is sent without a copy.
package protocol SharedBody: Sendable {
    var octets: [UInt8] { get }
}

package struct Response: Sendable {
    package enum Content: Sendable {
        case octets([UInt8])
        case shared(any SharedBody)
    }

    package let status: Int
    package var headers: [(name: String, value: String)]
    package let content: Content
    /// The route that answered.
    package var route: RouteName = ""
    /// Whether the request showed what strangers do not have: a host's seal, a device's tag, a ticket, a
    /// right code. Its line of the log is always written; others have a limit for each network.
    package var isProven = false
    /// The fields for the log: nothing secret; mpinIds only as the first 8 hex digits of their id.
    package var notes: [LogField]

    /// An answer with any type of body; `headers` must have the type and the caching rules.
    package init(
        _ status: Int, headers: [(name: String, value: String)], content: Content, notes: [LogField] = []
    ) {
        self.status = status
        self.headers = headers
        self.content = content
        self.notes = notes
    }

    /// An answer with a JSON body.
    package init(_ status: Int, json: [UInt8], notes: [LogField] = []) {
        self.init(
            status,
            headers: [("Content-Type", "application/json; charset=UTF-8"), ("Cache-Control", "no-store")],
            content: .octets(json), notes: notes)
    }

    /// An answer with a sentence for people, as plain text.
    package init(_ status: Int, sentence: String) {
        self.init(
            status,
            headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")],
            content: .octets([UInt8]((sentence + "\n").utf8)))
    }

    /// The same answer, to a request that showed or did not show what strangers do not have.
    func proven(_ isProven: Bool = true) -> Response {
        var response = self
        response.isProven = isProven
        return response
    }

    /// The same answer with `Retry-After`.
    func retrying(after seconds: Int64) -> Response {
        var response = self
        response.headers.append(("Retry-After", String(seconds)))
        return response
    }

    /// An answer without a body.
    package init(_ status: Int, notes: [LogField] = []) {
        self.init(status, headers: [("Cache-Control", "no-store")], content: .octets([]), notes: notes)
    }

    package var body: [UInt8] {
        switch content {
        case .octets(let octets): octets
        case .shared(let body): body.octets
        }
    }
}
