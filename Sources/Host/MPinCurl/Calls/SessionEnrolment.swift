// SPDX-License-Identifier: Apache-2.0
// The calls of an enrolment: register, client secret, host join. None of them is sent over plain http.
import MPinWire

extension Session {
    func register(_ new: RelayRegisterRequest, _ limit: Limit) throws(CallFailure) -> RelayRegisterResponse {
        var message = RegisterRequest(userId: text(new.userID))
        message.deviceName = new.deviceName.isEmpty ? nil : text(new.deviceName)
        message.regOTT = new.regOTT.isEmpty ? nil : text(new.regOTT)
        message.activateCode = new.activationCode.isEmpty ? nil : text(new.activationCode)
        message.ask = HexOctets(unlessEmpty: new.sealed.question)
        message.askTag = HexOctets(unlessEmpty: new.sealed.tag)
        message.bound = new.isPersonal ? Number(1) : nil
        message.authOTT = new.authOTT.isEmpty ? nil : text(new.authOTT)
        let users = try endpoints(limit).address(.register)
        let address = new.mpinID.isEmpty ? users : users.appending("/" + HexOctets(new.mpinID).text)
        let response = try send(
            .put, message, to: try protected(address), within: limit, as: RegisterResponse.self)
        return RelayRegisterResponse(
            mpinID: response.mpinId.octets, regOTT: [UInt8](response.regOTT.utf8),
            active: response.active.isOn, isBound: response.bound?.isOn ?? false)
    }

    /// Both shares as the servers send them: plain, or sealed for this host, so that the relay cannot open
    /// them.
    func clientSecret(_ request: RelayClientSecretRequest, _ limit: Limit) throws(CallFailure)
        -> ClientSecretShares
    {
        let endpoints = try endpoints(limit)
        let signature = try endpoints.address(.signature).appending(
            text(SharePath.signature(mpinID: request.mpinID, regOTT: request.regOTT, a: request.a)))
        let authority = try protected(try endpoints.address(.authority)).asFolder
        let ours = try get(SignatureResponse.self, from: try protected(signature), within: limit)
        guard let path = SharePath.clientSecret(params: [UInt8](ours.params.utf8)) else {
            throw .notUnderstood
        }
        let theirs = try get(
            ClientSecretResponse.self, from: authority.appending(text(path)), within: limit)
        guard let share1 = ours.sealedShare ?? ours.clientSecretShare,
            let share2 = theirs.sealedShare ?? theirs.clientSecret
        else { throw .notUnderstood }
        return ClientSecretShares(
            share1: share1.octets, share2: share2.octets, deviceKey: ours.deviceKey?.octets ?? [])
    }

    func join(_ join: RelayJoinRequest, _ limit: Limit) throws(CallFailure) -> RelayJoinResponse {
        let response = try post(
            HostJoinRequest(host: text(join.host), joinId: join.joinID), toRoute: Route.host, limit,
            isSecret: true, as: HostJoinResponse.self)
        return RelayJoinResponse(epoch: response.epoch, sealedKey: response.sealedKey.octets)
    }
}
