// SPDX-License-Identifier: Apache-2.0
// A response before any HTTP library has it, with what the log is to say of it.

/// One `key="value"` of the request's log line.
package struct LogField: Equatable, Sendable {
    package let name: String
    package let value: String
    /// In JSON it stands without quotes.
    package let isNumber: Bool

    package init(_ name: String, _ value: String) {
        (self.name, self.value, isNumber) = (name, value, false)
    }

    package init(_ name: String, _ number: Int) {
        (self.name, value, isNumber) = (name, String(number), true)
    }
}

/// A body that many answers share: the HTTP library's own buffer, which sending does not copy.
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
    /// The route that answered; never the path, which may hold an mpinId.
    package var route = ""
    /// id8, verdict and the like: nothing secret, mpinIds only as the first 8 hex digits of their id.
    package var notes: [LogField]

    /// Any type of body; the caller names the type, and how long the answer may be kept.
    package init(
        _ status: Int, headers: [(name: String, value: String)], content: Content, notes: [LogField] = []
    ) {
        self.status = status
        self.headers = headers
        self.content = content
        self.notes = notes
    }

    /// A JSON body.
    package init(_ status: Int, json: [UInt8], notes: [LogField] = []) {
        self.init(
            status,
            headers: [("Content-Type", "application/json; charset=UTF-8"), ("Cache-Control", "no-store")],
            content: .octets(json), notes: notes)
    }

    /// A sentence for people.
    package init(_ status: Int, sentence: String) {
        self.init(
            status,
            headers: [
                ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
            ], content: .octets([UInt8]((sentence + "\n").utf8)))
    }

    /// The same answer, which says after how many seconds to try again.
    package func retrying(after seconds: Int64) -> Response {
        var response = self
        response.headers.append(("Retry-After", String(seconds)))
        return response
    }

    /// No body.
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
