// SPDX-License-Identifier: Apache-2.0
// The calls of a login: time permits, pass 1, pass 2, authenticate; sessions and one-time passwords.
import FoundationEssentials
import MPinWire

/// The purpose of a session.
enum RelaySessionPurpose { case login, bind }

extension Session {
    /// Both shares of a time permit. The store of permits that clientSettings may name is not used: D-TA 2
    /// has the share itself, and the store would learn who logs in when.
    func permits(_ mpinID: [UInt8], _ limit: Limit) throws(CallFailure) -> PermitShares {
        let endpoints = try endpoints(limit)
        let ours = try get(
            TimePermitResponse.self,
            from: try endpoints.address(.timePermit).appending("/" + HexOctets(mpinID).text), within: limit)
        let path = SharePath.timePermit(
            storageID: [UInt8](ours.storageId.utf8), appID: [UInt8](endpoints.appID.utf8),
            signature: [UInt8](ours.signature.utf8))
        let theirs = try get(
            DTATimePermitResponse.self,
            from: try endpoints.address(.authority).asFolder.appending(text(path)), within: limit)
        return PermitShares(
            date: ours.date, share1: ours.timePermit.octets, share2: theirs.timePermit.octets)
    }

    /// With a sealed question the server is mpind, whose paths are fixed: clientSettings are not needed.
    func passOne(_ pass: RelayPassOneRequest, _ limit: Limit) throws(CallFailure) -> RelayPassOneResponse {
        isSealed = !pass.sealed.isNone
        let message = PassOneRequest(pass)
        guard !isSealed else {
            return RelayPassOneResponse(
                try post(message, toRoute: Route.passOne, limit, as: PassOneResponse.self))
        }
        return RelayPassOneResponse(
            try send(
                .post, message, to: try endpoints(limit).address(.passes).appending("/pass1"), within: limit,
                as: PassOneResponse.self))
    }

    func passTwo(_ pass: RelayPassTwoRequest, _ limit: Limit) throws(CallFailure) -> RelayPassTwoResponse {
        let message = PassTwoRequest(pass)
        let response =
            isSealed
            ? try post(message, toRoute: Route.passTwo, limit, isProof: true, as: PassTwoResponse.self)
            : try send(
                .post, message, to: try endpoints(limit).address(.passes).appending("/pass2"), within: limit,
                isProof: true, as: PassTwoResponse.self)
        return RelayPassTwoResponse(
            authOTT: [UInt8](response.authOTT.utf8), otp: [UInt8]((response.otp ?? "").utf8))
    }

    /// Redeems a ticket, an approval or a one-time password. The sealed verdict is in the body at every
    /// status; the rest of a body is ignored unless the status is 200, and a Milagro server's body may be
    /// empty.
    func authenticate(_ request: RelayAuthenticateRequest, _ limit: Limit) throws(CallFailure)
        -> RelayResponse
    {
        let message = AuthenticateRequest(
            mpinResponse: request.authOTT.isEmpty ? nil : PassTwoResponse(authOTT: text(request.authOTT)),
            a: request.a, id: request.id)
        let response =
            request.a != nil
            ? try raw(message, toRoute: Route.authenticate, limit, isProof: true)
            : try raw(
                .post, message, to: try endpoints(limit).address(.authenticate), within: limit, isProof: true)
        let body = MPinCurl.message(AuthenticateResponse.self, response)
        guard body != nil || response.status != 200 else { throw .notUnderstood }
        let sealed = RelaySealedResponse(
            answer: body?.answer?.octets ?? [], tag: body?.answerTag?.octets ?? [],
            notice: body?.notice?.octets ?? [], noticeTag: body?.noticeTag?.octets ?? [])
        return RelayResponse(kind: .authenticate, status: response.status, body: .authenticate(sealed))
    }

    func session(
        _ sealed: TaggedQuestion, for purpose: RelaySessionPurpose, within limit: Limit
    ) throws(CallFailure) -> RelaySessionResponse {
        let response =
            switch purpose {
            case .login:
                try post(
                    SealedRequest(ask: sealed.question, askTag: sealed.tag), toRoute: Route.getQrUrl, limit,
                    as: SessionResponse.self)
            case .bind:
                try post(
                    BindRequest(bind: sealed.question, bindTag: sealed.tag), toRoute: Route.getQrUrl, limit,
                    as: SessionResponse.self)
            }
        guard let url = response.qrUrl, let hash = url.lastIndex(of: "#"),
            let life = UInt16(exactly: response.ttlSeconds), let number = response.accessNumber,
            let tag = response.sessionTag
        else { throw .notUnderstood }
        let wid = url[url.index(after: hash)...]
        return RelaySessionResponse(
            wid: [UInt8](wid.utf8), number: [UInt8](number.utf8), life: life, tag: tag.octets)
    }

    func end(_ end: RelayEndRequest, _ limit: Limit) throws(CallFailure) {
        let message = CodeStatusRequest(status: "abort", wid: text(end.wid), a: end.a)
        let response = try raw(message, toRoute: Route.codeStatus, limit)
        guard response.status == 200 else { throw CallFailure(status: response.status) }
    }

    func standing(_ sealed: TaggedQuestion, _ limit: Limit) throws(CallFailure) -> RelaySealedResponse {
        let response = try post(
            SealedRequest(ask: sealed.question, askTag: sealed.tag), toRoute: Route.standing, limit,
            isSecret: false, as: StandingResponse.self)
        let answer = RelaySealedResponse(answer: response.standing.octets, tag: response.standingTag.octets)
        guard answer.answer.count == 49, answer.tag.count == 32 else { throw .notUnderstood }
        return answer
    }

    func otpTags(_ password: RelayOTPRequest, _ limit: Limit) throws(CallFailure) -> [UInt8] {
        let sealed = password.sealed
        return try post(
            OTPTagsRequest(ask: sealed.question, askTag: sealed.tag, otpTags: password.tags),
            toRoute: Route.otp,
            limit, isSecret: false, as: OTPTagsResponse.self
        ).otpTags.octets
    }
}

func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }
