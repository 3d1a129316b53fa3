// SPDX-License-Identifier: Apache-2.0
// The calls of a host that binds a phone, except the one that opens the session.
import MPinWire
import Octets

extension Session {
    /// The sealed answer that names the identity which approved. The server gives it only once, so the
    /// request is never repeated.
    func bindAnswer(_ a: QuestionHash, _ limit: Limit) throws(CallFailure) -> RelaySealedResponse {
        let response = try send(
            .post, AuthenticateRequest(a: a), to: try endpoints(limit).address(.authenticate), within: limit,
            isProof: true, as: AuthenticateResponse.self)
        guard let answer = response.bindAnswer, let tag = response.bindAnswerTag else {
            throw .notUnderstood
        }
        return RelaySealedResponse(answer: answer.octets, tag: tag.octets)
    }

    /// Confirms the binding. True if the identity may approve logins from now on.
    func bindDone(_ done: RelayBindDoneRequest, _ limit: Limit) throws(CallFailure) -> Bool {
        var message = AuthenticateRequest(a: done.a)
        message.bindDoneTag = HexOctets(done.tag)
        let response = try send(
            .post, message, to: try endpoints(limit).address(.authenticate), within: limit,
            as: AuthenticateResponse.self)
        guard let isConfirmed = response.confirmed else { throw .notUnderstood }
        return isConfirmed
    }
}
