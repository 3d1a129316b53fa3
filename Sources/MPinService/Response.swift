// SPDX-License-Identifier: Apache-2.0
// A response before any HTTP library has it, with what the log is to say of it.

/// One `key="value"` of the request's log line.
package struct LogField: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

package struct Response: Sendable {
    package let status: Int
    package var headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// The route that answered; never the path, which may hold an mpinId.
    package var route = ""
    /// id8, verdict and the like: nothing secret, mpinIds only as the first 8 hex digits of their id.
    package var notes: [LogField]

    /// A JSON body.
    package init(_ status: Int, json: [UInt8], notes: [LogField] = []) {
        self.status = status
        self.headers = [("Content-Type", "application/json; charset=UTF-8"), ("Cache-Control", "no-store")]
        self.body = json
        self.notes = notes
    }

    /// No body.
    package init(_ status: Int, notes: [LogField] = []) {
        self.status = status
        self.headers = [("Cache-Control", "no-store")]
        self.body = []
        self.notes = notes
    }
}
