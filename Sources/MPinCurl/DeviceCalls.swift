// SPDX-License-Identifier: Apache-2.0
// The calls of a second device: who waits in a session, and the proof that approves or refuses it.
import FoundationEssentials
package import MPinWire

extension CurlTransport: DeviceTransport {
    package mutating func exchange(_ question: DeviceQuestion) throws(TransportError) -> DeviceAnswer {
        try open().answer(question)
    }
}

extension Session {
    fileprivate func answer(_ question: DeviceQuestion) -> DeviceAnswer {
        let limit = network.due()
        do {
            return DeviceAnswer(status: 200, body: try body(question, limit))
        } catch {
            return DeviceAnswer(status: error.status)
        }
    }

    private func body(
        _ question: DeviceQuestion, _ limit: Limit
    ) throws(Failure) -> DeviceAnswer.Body {
        switch question {
        case .look(let wid): try look(wid, limit)
        case .choose(let wid, let userID): try choose(wid, userID, limit)
        case .approve(let ticket, let denies): try approve(ticket, denies, limit)
        }
    }

    /// What follows belongs to the console's login, and the log of the server is told so.
    private func look(_ wid: [UInt8], _ limit: Limit) throws(Failure) -> DeviceAnswer.Body {
        let message = CodeStatusRequest(status: "wid", wid: text(wid))
        let response = try send(
            .post, message, to: try endpoints(limit).address(.codeStatus), limit, as: CodeStatusResponse.self)
        guard let seen = response.seen?.octets else { return .look(seen: [], attempt: []) }
        guard let attempt = octets(fromHex: [UInt8]((response.attempt ?? "").utf8)), attempt.count == 8 else {
            throw .notUnderstood
        }
        network.attempt = attempt
        return .look(seen: seen, attempt: attempt)
    }

    private func choose(
        _ wid: [UInt8], _ userID: [UInt8], _ limit: Limit
    ) throws(Failure) -> DeviceAnswer.Body {
        var message = CodeStatusRequest(status: "user", wid: text(wid))
        message.userId = text(userID)
        _ = try send(
            .post, message, to: try endpoints(limit).address(.codeStatus), limit, as: CodeStatusResponse.self)
        return .chosen
    }

    private func approve(
        _ ticket: [UInt8], _ denies: Bool, _ limit: Limit
    ) throws(Failure) -> DeviceAnswer.Body {
        let message = AuthenticateRequest(
            mpinResponse: PassTwoResponse(authOTT: text(ticket)), deny: denies ? true : nil)
        let response = try send(
            .post, message, to: try endpoints(limit).address(.device), limit, isProof: true,
            as: AuthenticateResponse.self)
        return .approved(code: [UInt8]((response.code ?? "").utf8))
    }
}
