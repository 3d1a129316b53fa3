// SPDX-License-Identifier: Apache-2.0
// The HTTP face of D-TA 2, below /dta2/: what a client fetches there for itself.
import MPin
import MPinStorage
import MPinWire
import Secrets

/// `clientSecret` and `timePermit` by requests that the RPS signed, and `status`. The text that is signed
/// names the command, the last component of the path.
struct TrustedAuthority: Sendable {
    let backend: Backend

    /// Signature before expiry, as a Milagro D-TA checks them.
    func clientSecret(_ request: Request) async throws -> Response {
        let query = request.query
        for name in [
            QueryKey.appID, QueryKey.expires, QueryKey.hashMPinID, QueryKey.hashUserID, QueryKey.signature,
        ]
        where query[name] == nil { return refusal(403, "Missing argument \(name)") }
        let hash = query[QueryKey.hashMPinID] ?? ""
        guard let id = octets(hash) else {
            return refusal(403, "Invalid data received. Hex object could be decoded")
        }
        guard id.count == 32 else {
            return refusal(403, "Invalid data received. hash_mpin_id should be 64 bytes")
        }
        let expires = query[QueryKey.expires] ?? ""
        let text =
            "clientSecret" + backend.secrets.appID + hash + (query[QueryKey.hashUserID] ?? "") + expires
        guard try isSigned(text, query) else { return refusal(401, "Invalid signature", code: 401) }
        guard let end = UnixTime(isoText: expires), end >= backend.effects.now() else {
            return refusal(408, "Request expired", code: 408)
        }
        return try await issue(id)
    }

    /// The share in the form that the registration asked for. Only what the RPS has made live is issued.
    private func issue(_ id: [UInt8]) async throws -> Response {
        guard let mpin = try await backend.storage.mpin(id: id), mpin.revokedAt == nil else {
            return named(403, "FORBIDDEN")
        }
        do {
            let answer = try await share(of: mpin.description)
            return Response(200, json: json(answer), notes: [LogField("id", id8(id))])
        } catch AuthorityError.refused {
            return named(403, "FORBIDDEN")
        }
    }

    private func share(of description: MpinDescription) async throws -> ClientSecretResponse {
        switch description.kind {
        case .host(let enrolment):
            return ClientSecretResponse(
                sealedShare: try await backend.sealedShare(.second, of: description.id, for: enrolment))
        case .bound, .unbound:
            let share = try await backend.authority.clientSecretShare(.second, of: description.id)
            return ClientSecretResponse(clientSecret: plainOctets(share))
        }
    }

    /// Permits are no secrets and their signature has no end; what bounds them is the date, which is always
    /// of this host's clock: today, or in its first hour, for who repeats the `date` of the first share,
    /// yesterday.
    func timePermit(_ request: Request) async throws -> Response {
        let hash = request.query[QueryKey.hashMPinID] ?? ""
        guard let id = octets(hash), id.count == 32, request.query[QueryKey.signature] != nil else {
            return named(403, "FORBIDDEN")
        }
        guard try isSigned(hash, request.query) else { return named(401, "UNAUTHORIZED") }
        let days = permitDays(backend.effects.now())
        let wanted = request.query["date"].flatMap { UInt32($0) } ?? days[0]
        // The book alone might not know yet of a revocation that was interrupted.
        guard let mpin = try await backend.storage.mpin(id: id), mpin.revokedAt == nil else {
            return named(410, "REVOKED")
        }
        do {
            let permit = try await backend.timePermitShare(.second, of: id, date: wanted)
            return Response(
                200, json: json(DTATimePermitResponse(timePermit: permit)), notes: [LogField("id", id8(id))])
        } catch AuthorityError.refused {
            return named(410, "REVOKED")
        }
    }

    func status() -> Response {
        let message = AuthorityMessage(
            "OK", serviceName: TrustedAuthority.name, startTime: [backend.started.isoText])
        return Response(200, json: json(message))
    }

    /// The answer for every path below /dta2/ that is not there.
    static func notFound() -> Response {
        Response(404, json: json(AuthorityMessage("NOT FOUND", serviceName: name)))
    }

    private static let name = "D-TA server"

    private func isSigned(_ text: String, _ query: [String: String]) throws -> Bool {
        let signature = try backend.signature(text)
        return constantTimeEqual([UInt8](signature.utf8), [UInt8]((query[QueryKey.signature] ?? "").utf8))
    }

    private func refusal(_ status: Int, _ text: String, code: Int? = nil) -> Response {
        Response(status, json: json(AuthorityMessage(text, code: code)))
    }

    private func named(_ status: Int, _ text: String) -> Response {
        Response(status, json: json(AuthorityMessage(text, serviceName: TrustedAuthority.name)))
    }
}
