// SPDX-License-Identifier: Apache-2.0
// A request and its response, as the rest of this target sees them.
import MPinWire

enum BackendMethod: String, Sendable {
    case get = "GET"
    case put = "PUT"
    case post = "POST"
}

struct BackendRequest {
    let method: BackendMethod
    let address: Address
    /// JSON, for PUT and POST.
    var body: [UInt8] = []
    /// In place of `body`, one that is made when the connection is established.
    var late: LateBody?
    /// Whether it may be sent again if the server asks for that; false for a proof, which counts as a try.
    var mayRepeat = true
    /// Whether it has a sealed question, whose nonce the server may have used up already.
    var isAsk = false
    /// Whether to use a new connection and to read the end of the server's certificate.
    var isInspection = false

    /// Whether an answer says less than that the connection of this request was cut before: nobody else could
    /// be reached, or the server that cut it has used the question up.
    func isStillCut(_ answer: BackendResponse, after cut: BackendResponse) -> Bool {
        if answer.status == RelayResponse.unreachable { return !answer.isCut }
        return isAsk && cut.status == RelayResponse.timedOut && answer.status == 408
    }
}

struct BackendResponse {
    /// An HTTP status from 100 to 599, or one of those of `RelayResponse` and `Distrust`.
    let status: UInt16
    /// Whether the connection ended without an answer, and the request may be sent again.
    var isCut = false
    var body: [UInt8] = []
    /// After how many seconds the server allows another try (Retry-After); 0 if it did not say.
    var retryAfter = 0
    /// The server's clock and, at an inspection, the end of its certificate: Unix seconds, 0 if unknown.
    var time: UInt64 = 0
    var certificateEnd: UInt64 = 0
}
