// SPDX-License-Identifier: Apache-2.0
// How a D-TA checks a signed request: arguments, signature and time, in the order and with the statuses of a
// Milagro D-TA.
import MPinWire
import Octets

/// The signed text begins with the command, which is the last component of the path.
struct SignedRequests: Sendable {
    /// How many seconds ahead a signed request may expire. An RPS signs for 60; the rest allows for its
    /// clock.
    private static let mostLife: Int64 = 120

    let application: ApplicationKey
    let now: UnixTime

    /// The id whose client secret is requested.
    func clientSecret(_ request: Request) throws -> IdentityHash {
        let query = request.query
        try require(
            [QueryKey.appID, QueryKey.expires, QueryKey.hashMPinID, QueryKey.hashUserID, QueryKey.signature],
            in: query)
        let hash = query[QueryKey.hashMPinID] ?? ""
        guard let octets = octets(hash) else {
            // Milagro's own words.
            throw refusal(403, "Invalid data received. Hex object could be decoded")
        }
        guard let id = IdentityHash(octets) else {
            throw refusal(403, "Invalid data received. hash_mpin_id should be 64 bytes")
        }
        try check("clientSecret", argument: hash + (query[QueryKey.hashUserID] ?? ""), query: query)
        return id
    }

    /// The time at which this request for the server secret expires, as it was signed.
    func serverSecret(_ request: Request) throws -> String {
        try require([QueryKey.appID, QueryKey.expires, QueryKey.signature], in: request.query)
        try check("serverSecret", argument: "", query: request.query)
        return request.query[QueryKey.expires] ?? ""
    }

    /// The id whose permits are requested. Permits are not secret, and their signatures never
    /// expire.
    func timePermit(_ request: Request) throws -> IdentityHash {
        let hash = request.query[QueryKey.hashMPinID] ?? ""
        guard let id = octets(hash).flatMap({ IdentityHash($0) }),
            let signature = request.query[QueryKey.signature]
        else {
            throw Refusal(response: .authority(403, "FORBIDDEN"))
        }
        guard try application.hasSigned(hash, as: signature) else {
            throw Refusal(response: .authority(401, "UNAUTHORIZED"))
        }
        return id
    }

    private func require(_ names: [String], in query: [String: String]) throws {
        for name in names where query[name] == nil { throw refusal(403, "Missing argument \(name)") }
    }

    /// Checks the signature, then the expiry. The signed text has our application id, whatever the request
    /// says.
    private func check(_ command: String, argument: String, query: [String: String]) throws {
        let expires = query[QueryKey.expires] ?? ""
        let text = command + application.id + argument + expires
        guard try application.hasSigned(text, as: query[QueryKey.signature] ?? "") else {
            throw refusal(401, "Invalid signature", code: 401)
        }
        guard let end = UnixTime(isoText: expires), end >= now else {
            throw refusal(408, "Request expired", code: 408)
        }
        guard end <= now + SignedRequests.mostLife else {
            throw refusal(408, "Request expires too late; are the clocks right?", code: 408)
        }
    }

    private func refusal(_ status: Int, _ text: String, code: Int? = nil) -> Refusal {
        Refusal(response: Response(status, json: json(AuthorityMessage(text, code: code))))
    }
}

extension Response {
    /// A status with a message in the form of a Milagro D-TA.
    static func authority(_ status: Int, _ text: String, notes: [LogField] = []) -> Response {
        Response(status, json: json(AuthorityMessage(text, serviceName: serviceName)), notes: notes)
    }

    /// The answer to GET status of a D-TA.
    static func authorityStatus(since start: UnixTime) -> Response {
        let message = AuthorityMessage("OK", serviceName: serviceName, startTime: [start.isoText])
        return Response(200, json: json(message))
    }

    private static let serviceName = "D-TA server"
}
