// SPDX-License-Identifier: Apache-2.0
// An error that a handler throws to refuse a request, and answers that several handlers share.
import MPinWire

/// Thrown by a handler to end the request with this answer.
struct Refusal: Error {
    let response: Response
}

extension Response {
    static let methodNotAllowed = Response(405, json: message("Method Not Allowed"))

    static let badRequest = Response(400, json: message("Bad Request"))

    /// The answer to a body that is not a login host's.
    static let notOfHost = Response(400, json: message("Not a valid request of a login host"))

    /// The answer if the most sessions that are allowed are open.
    static func tooManySessions(notes: [LogField] = []) -> Response {
        Response(429, json: message("Too many sessions"), notes: notes + [LogField("refused", "full")])
    }
}
