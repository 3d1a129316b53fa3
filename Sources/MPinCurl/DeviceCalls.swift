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
        case .redeem(let ticket): try redeem(ticket, limit)
        case .logOut(let logout): try logOut(logout, limit)
        case .authorize(let url): try authorize(url, limit)
        case .service: try service(limit)
        }
    }

    /// What follows belongs to the console's login, and the log of the server is told so.
    private func look(_ wid: [UInt8], _ limit: Limit) throws(Failure) -> DeviceAnswer.Body {
        let message = CodeStatusRequest(status: "wid", wid: text(wid))
        let response = try send(
            .post, message, to: try endpoints(limit).address(.codeStatus), limit, as: CodeStatusResponse.self)
        guard let seen = response.seen?.octets else { return .look(seen: [], attempt: []) }
        // An application's session is no console's login, and has none.
        guard let text = response.attempt else { return .look(seen: seen, attempt: []) }
        guard let attempt = octets(fromHex: [UInt8](text.utf8)), attempt.count == 8 else {
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
        return .approved(code: [UInt8]((response.code ?? "").utf8), logout: Logout(response))
    }

    private func redeem(_ ticket: [UInt8], _ limit: Limit) throws(Failure) -> DeviceAnswer.Body {
        let message = AuthenticateRequest(mpinResponse: PassTwoResponse(authOTT: text(ticket)))
        let response = try send(
            .post, message, to: try endpoints(limit).address(.authenticate), limit, isProof: true,
            as: AuthenticateResponse.self)
        return .redeemed(
            seconds: max(0, response.ttlSeconds ?? 0), code: [UInt8]((response.code ?? "").utf8))
    }

    private func logOut(_ logout: Logout, _ limit: Limit) throws(Failure) -> DeviceAnswer.Body {
        let message = LogoutData(userId: text(logout.userID), sessionToken: text(logout.token))
        guard let address = network.backend.address(text(logout.url), also: []) else { throw .notUnderstood }
        let response = try raw(.post, message, to: address, limit, isProof: true)
        guard response.status == 200 else { throw Failure(status: response.status) }
        return .loggedOut
    }

    /// An authorize URL leads to the backend itself, and nowhere else.
    private func authorize(_ url: [UInt8], _ limit: Limit) throws(Failure) -> DeviceAnswer.Body {
        guard let address = network.backend.address(text(url), also: []) else { throw .notUnderstood }
        let response = try send(
            .post, [String: String](), to: address, limit, isProof: true, as: AuthorizeResponse.self)
        guard let hash = response.qrURL.lastIndex(of: "#") else { throw .notUnderstood }
        return .authorizing(wid: [UInt8](response.qrURL[response.qrURL.index(after: hash)...].utf8))
    }

    private func service(_ limit: Limit) throws(Failure) -> DeviceAnswer.Body {
        let response = try network.atBackend(limit) {
            Request(method: .get, address: $0.address(route: Route.service))
        }
        let details = try decoded(ServiceDetails.self, response)
        return .service(
            name: [UInt8](details.name.utf8), url: [UInt8](details.url.utf8),
            isOnline: details.type == "online")
    }
}

extension Logout {
    /// nil where the server names none.
    fileprivate init?(_ response: AuthenticateResponse) {
        guard let url = response.logoutURL, let data = response.logoutData else { return nil }
        self.init(
            url: [UInt8](url.utf8), userID: [UInt8](data.userId.utf8), token: [UInt8](data.sessionToken.utf8))
    }
}
