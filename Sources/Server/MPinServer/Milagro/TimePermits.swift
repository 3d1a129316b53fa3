// SPDX-License-Identifier: Apache-2.0
// GET timePermit: D-TA 1's share of today's permit, and the signature for the request to D-TA 2.
import MPin
import MPinDatabase
import MPinWire

struct TimePermits: Sendable {
    let context: ServiceContext

    /// 410 for an mpinId that is revoked, and for one that never got a client secret.
    func timePermit(_ request: Request, mpinID: [UInt8]) async throws -> Response {
        let id = identityHash(mpinID)
        let notes = [LogField("id", id8(id))]
        try await context.storage.checkClock()
        let identity = try await context.storage.identity(id: id)
        guard let identity, identity.revokedAt == nil else {
            return Response(410, json: message("Revoked"), notes: notes)
        }
        if let refused = await refusal(ofPermitFor: mpinID) { return refused }
        let now = context.effects.now()
        let today = now.day
        let permit: [UInt8]
        do {
            permit = try await context.timePermitShare(.first, of: identity.description.id, date: today)
        } catch AuthorityError.refused {
            return Response(410, json: message("Revoked"), notes: notes)
        }
        context.givenPermits.note(id, from: request.peer.source, at: now)
        let hash = hexText(id)
        let answer = TimePermitResponse(
            date: today, timePermit: permit, signature: try context.secrets.application.signature(hash),
            storageId: hash)
        return Response(200, json: json(answer), notes: notes)
    }

    /// The status of an external RPA that does not allow a permit, or 500 if it does not answer; nil if the
    /// permit is allowed.
    private func refusal(ofPermitFor mpinID: [UInt8]) async -> Response? {
        guard let url = context.settings.compatibility?.externalRPA.permitURL else { return nil }
        let query = (url.contains("?") ? "&" : "?") + "mpin_id=" + hexText(mpinID)
        let response = await context.outgoing(OutgoingRequest(.permit, url: url + query))
        guard let response, (200...599).contains(response.status) else {
            return Response(
                500, json: message("Internal Server Error"), notes: [LogField("rpa", "silent")])
        }
        guard response.status != 200 else { return nil }
        return Response(
            response.status >= 400 ? response.status : 500, json: message("Refused"),
            notes: [LogField("rpa", String(response.status))])
    }
}
