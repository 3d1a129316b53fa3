// SPDX-License-Identifier: Apache-2.0
// POST standing: a host asks whether an account is revoked or suspended before it accepts a backup code.
import MPin
import MPinDatabase
import MPinWire

struct Standings: Sendable {
    let context: ServiceContext

    /// Reports only a revocation or a suspension, and both alike: a lock or a block does not forbid backup
    /// codes. It leaves a line in the log and no record: a host's question does not prove that anybody logged
    /// in, and hosts ask often.
    func answer(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(SealedRequest.self, from: request.body) else {
            return .notOfHost
        }
        let question = try await context.question(
            asked.ask, asked.askTag, for: SealedQuestion.standingService)
        guard question.sealed.service == SealedQuestion.standingService else {
            return context.forAnotherCall(question.host)
        }
        let standing = try await context.storage.standing(of: question.sealed.ids)
        let isOut = standing.isRevoked || standing.isSuspended
        let sealed = SealedStanding(a: question.sealed.a, isRevoked: isOut)
        let verdict = standing.isRevoked ? Verdict.revoked : .granted
        let words = standing.isSuspended ? VerdictWords.suspended : verdict.words
        let opened = try await context.hostKey(question.host, question.epoch)
        let answer = StandingResponse(standing: sealed.octets, standingTag: try opened.key.tag(of: sealed))
        return Response(
            200, json: json(answer),
            notes: [
                LogField("host", question.host), LogField("session", question.attempt),
                LogField("standing", words.log),
            ])
    }
}
