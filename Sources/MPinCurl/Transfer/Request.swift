// SPDX-License-Identifier: Apache-2.0
// A request and its response, as the rest of this target sees them.
import MPinWire

enum Method: String, Sendable {
    case get = "GET"
    case put = "PUT"
    case post = "POST"
}

struct Request {
    let method: Method
    let address: Address
    /// JSON, for PUT and POST.
    var body: [UInt8] = []
    /// Sent once more when the server names a moment for it: not a proof, which counts as a try.
    var mayRepeat = true
    /// Holds a sealed question, whose nonce the server may have taken already.
    var isAsk = false
    /// Goes over a new connection, and when the server's certificate ends is looked at.
    var isInspection = false
}

struct Response {
    /// An HTTP status of 100 to 599, or one of those of `RelayResponse` and `Distrust`.
    let status: UInt16
    var body: [UInt8] = []
    /// Seconds after which the server wants to be asked again; 0 if it named none.
    var retryAfter = 0
    /// The server's clock and, at an inspection, the end of its certificate: Unix seconds, 0 if it said none.
    var time: UInt64 = 0
    var certificateEnd: UInt64 = 0
}

/// Why there is no answer of status 200.
struct Failure: Error, Equatable {
    let status: UInt16
    /// Of the answer, see `Response`.
    var retryAfter = 0
    /// The origin that was refused, of `RelayResponse.foreignOrigin`.
    var origin = ""

    init(status: UInt16, retryAfter: Int = 0) { (self.status, self.retryAfter) = (status, retryAfter) }
    init(foreignOrigin origin: String) { (status, self.origin) = (RelayResponse.foreignOrigin, origin) }

    static let notUnderstood = Failure(status: RelayResponse.notUnderstood)
}
