// SPDX-License-Identifier: Apache-2.0
// Refusals that several handlers answer with.
import MPinWire

/// A handler's way out with an answer that is no success.
struct Refusal: Error {
    let response: Response
}

extension Response {
    static let methodNotAllowed = Response(405, json: message("Method Not Allowed"))

    static let badRequest = Response(400, json: message("Bad Request"))

    /// To a body that no login host writes.
    static let notOfHost = Response(400, json: message("Not a valid request of a login host"))

    /// As many sessions are open as may be.
    static func tooManySessions(notes: [LogField] = []) -> Response {
        Response(429, json: message("Too many sessions"), notes: notes + [LogField("refused", "full")])
    }
}
