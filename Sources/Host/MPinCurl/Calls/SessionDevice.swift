// SPDX-License-Identifier: Apache-2.0
// The calls of a second device: the details of a session, and the proof that approves or refuses it.
import FoundationEssentials
package import MPinWire
import Octets

extension CurlTransport: DeviceTransport {
    package mutating func exchange(_ request: DeviceRequest) throws(TransportError) -> DeviceResponse {
        try open().answer(request)
    }

    /// The logins that wait for a device; none unless the status is 200.
    /// - Parameter time: the one in the device's tag.
    package mutating func waiting(
        for device: DeviceTag, at time: UInt64
    ) throws(TransportError) -> (status: UInt16, logins: [WaitingLogin]) {
        let session = try open()
        do {
            let response = try session.post(
                WaitingRequest(time: time, by: device), toRoute: Route.waiting, session.client.due(),
                as: WaitingResponse.self)
            return (200, response.waiting)
        } catch { return (error.status, []) }
    }
}

extension Session {
    fileprivate func answer(_ request: DeviceRequest) -> DeviceResponse {
        let limit = client.due()
        do {
            switch request {
            case .approve(let ticket, let denies): return try approve(ticket, denies: denies, within: limit)
            case .redeem(let ticket): return try redeem(ticket, limit)
            case .look(let wid, let device):
                return DeviceResponse(status: 200, body: try look(at: wid, device: device, within: limit))
            case .choose(let wid, let userID, let device):
                return DeviceResponse(
                    status: 200, body: try choose(wid, userID: userID, device: device, within: limit))
            case .logOut(let logout): return DeviceResponse(status: 200, body: try logOut(logout, limit))
            case .authorize(let url): return DeviceResponse(status: 200, body: try authorize(url, limit))
            case .service: return DeviceResponse(status: 200, body: try service(limit))
            }
        } catch {
            return DeviceResponse(status: error.status)
        }
    }

    /// The details of a session. Later requests carry the attempt id of the console's login, so that the
    /// server's log joins them.
    private func look(
        at wid: [UInt8], device: DeviceTag?, within limit: Limit
    ) throws(CallFailure) -> DeviceResponse.Body {
        let message = CodeStatusRequest(status: "wid", wid: text(wid)).tagged(device)
        let response = try send(
            .post, message, to: try endpoints(limit).address(.codeStatus), within: limit,
            as: CodeStatusResponse.self)
        guard let seen = response.seen?.octets else {
            guard response.status == nil else { return .look(seen: [], attempt: []) }
            throw CallFailure(status: RelayResponse.bindsNothing)
        }
        // An application's session has no attempt id.
        guard let text = response.attempt else { return .look(seen: seen, attempt: []) }
        guard let attempt = octets(fromHex: [UInt8](text.utf8)), attempt.count == 8 else {
            throw .notUnderstood
        }
        client.attempt = attempt
        return .look(seen: seen, attempt: attempt)
    }

    private func choose(
        _ wid: [UInt8], userID: [UInt8], device: DeviceTag?, within limit: Limit
    ) throws(CallFailure) -> DeviceResponse.Body {
        var message = CodeStatusRequest(status: "user", wid: text(wid)).tagged(device)
        message.userId = text(userID)
        _ = try send(
            .post, message, to: try endpoints(limit).address(.codeStatus), within: limit,
            as: CodeStatusResponse.self)
        return .chosen
    }

    private func approve(
        _ ticket: [UInt8], denies: Bool, within limit: Limit
    ) throws(CallFailure) -> DeviceResponse {
        let message = AuthenticateRequest(
            mpinResponse: PassTwoResponse(authOTT: text(ticket)), deny: denies ? true : nil)
        return try verdict(message, at: .device, within: limit) { response in
            .approved(code: [UInt8]((response.code ?? "").utf8), logout: Logout(response))
        }
    }

    private func redeem(_ ticket: [UInt8], _ limit: Limit) throws(CallFailure) -> DeviceResponse {
        let message = AuthenticateRequest(mpinResponse: PassTwoResponse(authOTT: text(ticket)))
        return try verdict(message, at: .authenticate, within: limit) { response in
            .redeemed(
                seconds: max(0, response.ttlSeconds ?? 0), code: [UInt8]((response.code ?? "").utf8))
        }
    }

    /// Redeems a proof. A refusal may also say how many tries are left.
    private func verdict(
        _ message: AuthenticateRequest, at endpoint: Endpoints.Name, within limit: Limit,
        _ body: (AuthenticateResponse) -> DeviceResponse.Body
    ) throws(CallFailure) -> DeviceResponse {
        let response = try raw(
            .post, message, to: try endpoints(limit).address(endpoint), within: limit, isProof: true)
        let said = MPinCurl.message(AuthenticateResponse.self, response)
        guard response.status == 200 else {
            return DeviceResponse(status: response.status, word: said.map(DeviceWord.init) ?? DeviceWord())
        }
        guard let said else { throw .notUnderstood }
        return DeviceResponse(status: 200, body: body(said), word: DeviceWord(said))
    }

    private func logOut(_ logout: Logout, _ limit: Limit) throws(CallFailure) -> DeviceResponse.Body {
        let message = LogoutData(userId: text(logout.userID), sessionToken: text(logout.token))
        guard let address = client.backend.address(text(logout.url), also: []) else { throw .notUnderstood }
        let response = try raw(.post, message, to: address, within: limit, isProof: true)
        guard response.status == 200 else { throw CallFailure(status: response.status) }
        return .loggedOut
    }

    /// Opens an application's session. The authorize URL must be at the backend itself.
    private func authorize(_ url: [UInt8], _ limit: Limit) throws(CallFailure) -> DeviceResponse.Body {
        guard let address = client.backend.address(text(url), also: []) else { throw .notUnderstood }
        let response = try send(
            .post, [String: String](), to: address, within: limit, isProof: true, as: AuthorizeResponse.self)
        guard let hash = response.qrURL.lastIndex(of: "#") else { throw .notUnderstood }
        return .authorizing(wid: [UInt8](response.qrURL[response.qrURL.index(after: hash)...].utf8))
    }

    private func service(_ limit: Limit) throws(CallFailure) -> DeviceResponse.Body {
        let response = try client.atBackend(limit) {
            BackendRequest(method: .get, address: $0.address(route: Route.service))
        }
        let details = try decoded(ServiceDetails.self, response)
        return .service(
            name: [UInt8](details.name.utf8), url: [UInt8](details.url.utf8),
            isOnline: details.type == "online", isOurs: details.server == "mpind")
    }
}

extension DeviceWord {
    /// Reads what the server tells a device. Numbers out of range count as missing.
    package init(_ response: AuthenticateResponse) {
        self.init()
        triesLeft = response.triesLeft.flatMap { (0...65_535).contains($0) ? $0 : nil }
        retryAfter = response.retryAfter.flatMap { (1...Int(UInt32.max)).contains($0) ? $0 : nil }
        isRevoked = response.revoked ?? false
        notice = response.notice?.octets ?? []
        noticeTag = response.noticeTag?.octets ?? []
        deviceKey = response.deviceKey?.octets ?? []
        deviceKeyTag = response.deviceKeyTag?.octets ?? []
    }
}

extension Logout {
    /// nil if the server names no logout.
    fileprivate init?(_ response: AuthenticateResponse) {
        guard let url = response.logoutURL, let data = LogoutData(response.logoutData) else { return nil }
        self.init(
            url: [UInt8](url.utf8), userID: [UInt8](data.userId.utf8), token: [UInt8](data.sessionToken.utf8))
    }
}
