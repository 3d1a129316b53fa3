// SPDX-License-Identifier: Apache-2.0
// The HTTP face of D-TA 2, below /dta2/: what a client fetches there for itself.
import MPin
import MPinStorage
import MPinWire
import Secrets

/// `clientSecret` and `timePermit` by requests that this server's RPS signed, and `status`.
struct TrustedAuthority: Sendable {
    let backend: ServiceContext

    private var signed: SignedRequests {
        SignedRequests(application: backend.secrets.application, now: backend.effects.now())
    }

    /// The share in the form that the registration asked for. Only what the RPS has made live is issued.
    func clientSecret(_ request: Request) async throws -> Response {
        let id = try signed.clientSecret(request)
        guard let mpin = try await backend.storage.mpin(id: id), mpin.revokedAt == nil else {
            return .authority(403, "FORBIDDEN")
        }
        do {
            let answer = try await share(of: mpin.description)
            return Response(200, json: json(answer), notes: [LogField("id", id8(id))])
        } catch AuthorityError.refused {
            return .authority(403, "FORBIDDEN")
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

    /// What bounds permits is the date, which is always of this host's clock: today, or in its first hour,
    /// for who repeats the `date` of the first share, yesterday.
    func timePermit(_ request: Request) async throws -> Response {
        let id = try signed.timePermit(request)
        let wanted = request.query["date"].flatMap { UInt32($0) } ?? backend.effects.now().day
        // The book alone might not know yet of a revocation that was interrupted.
        guard let mpin = try await backend.storage.mpin(id: id), mpin.revokedAt == nil else {
            return .authority(410, "REVOKED")
        }
        do {
            let permit = try await backend.timePermitShare(.second, of: id, date: wanted)
            return Response(
                200, json: json(DTATimePermitResponse(timePermit: permit)), notes: [LogField("id", id8(id))])
        } catch AuthorityError.refused {
            return .authority(410, "REVOKED")
        }
    }

    func status() -> Response { .authorityStatus(since: backend.started) }

    /// The answer for every path below /dta2/ that is not there.
    static func notFound() -> Response { .authority(404, "NOT FOUND") }
}
