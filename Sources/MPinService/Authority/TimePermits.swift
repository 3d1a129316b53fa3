// SPDX-License-Identifier: Apache-2.0
// GET timePermit: the share of D-TA 1 for today, and what to ask D-TA 2 with.
import MPin
import MPinStorage
import MPinWire

struct TimePermits: Sendable {
    let backend: ServiceContext

    /// 410 for whoever is revoked, and for an mpinId that was never issued a secret.
    func timePermit(_ request: Request, mpinID: [UInt8]) async throws -> Response {
        let id = identityHash(mpinID)
        let notes = [LogField("id", id8(id))]
        let mpin = try await backend.storage.mpin(id: id)
        guard let mpin, mpin.revokedAt == nil else {
            return Response(410, json: message("Revoked"), notes: notes)
        }
        if let refused = await refusal(ofPermitFor: mpinID) { return refused }
        let today = backend.effects.now().day
        let permit: [UInt8]
        do {
            permit = try await backend.timePermitShare(.first, of: mpin.description.id, date: today)
        } catch AuthorityError.refused {
            return Response(410, json: message("Revoked"), notes: notes)
        }
        let hash = hexText(id)
        let answer = TimePermitResponse(
            date: today, timePermit: permit, signature: try backend.secrets.application.signature(hash),
            storageId: hash)
        return Response(200, json: json(answer), notes: notes)
    }

    /// A foreign RPA's status where it does not allow a permit; 500 if it does not answer.
    private func refusal(ofPermitFor mpinID: [UInt8]) async -> Response? {
        guard let url = backend.settings.compatibility?.application?.permitURL else { return nil }
        let query = (url.contains("?") ? "&" : "?") + "mpin_id=" + hexText(mpinID)
        let response = await backend.outgoing(OutgoingRequest(.permit, url: url + query))
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
