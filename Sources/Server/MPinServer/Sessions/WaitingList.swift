// SPDX-License-Identifier: Apache-2.0
// POST waiting tells a device which logins wait for it, without a scan (seal-waiting.md).
import MPin
import MPinDatabase
import MPinWire
import Octets

struct WaitingList: Sendable {
    let context: ServiceContext

    /// The list of a device: of a confirmed identity that may log in, with a right tag of about now.
    /// Everybody else hears what a device hears for which nothing waits, after the same work, so a stranger
    /// does not learn whether an account logs in now. 429 after 60 questions in a minute, which only the
    /// device's own use up.
    func answer(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(WaitingRequest.self, from: request.body),
            let time = UInt64(exactly: asked.time.value)
        else { return Response(400) }
        let pass = DevicePass(id: asked.id, waitingAt: time)
        let device = try await context.device(asked.id, asked.deviceTag.octets, pass)
        guard let device, context.isNear(time), !device.isUnconfirmed, !device.isOut else {
            // Nobody has an id that is made of another one, so its list is empty.
            _ = try await context.storage.sessions(waitingFor: identityHash(asked.id.octets))
            return answer([])
        }
        let notes = [LogField("id", id8(asked.id))]
        let pause = context.listRate.pause(of: asked.id, at: context.effects.now())
        guard pause == 0 else { return Response.tooManyLists(notes: notes).retrying(after: pause) }
        let sessions = try await context.storage.sessions(waitingFor: asked.id)
        // A page asks again and again, so only what it finds has a line of the log for certain.
        return try answer(sessions.compactMap { try context.entry(of: $0, request) }, notes: notes)
            .proven(!sessions.isEmpty)
    }

    private func answer(_ waiting: [WaitingLogin], notes: [LogField] = []) -> Response {
        Response(200, json: json(WaitingResponse(waiting)), notes: notes)
    }
}

extension Response {
    fileprivate static func tooManyLists(notes: [LogField]) -> Response {
        Response(429, json: message("Too many requests"), notes: notes + [LogField("refused", "often")])
    }
}
