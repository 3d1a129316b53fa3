// SPDX-License-Identifier: Apache-2.0
// The messages of an enrolment: registration, client secret, host key.
package import Octets

/// Begins a registration, or repeats a pending one.
package struct RelayRegisterRequest: Equatable, Sendable {
    package let userID: [UInt8]
    /// Empty if the `authOTT` of a login replaces the code.
    package let activationCode: [UInt8]
    package let deviceName: [UInt8]
    /// `regOTT` and `mpinID` of the registration that is repeated; otherwise both are empty.
    package let regOTT: [UInt8]
    package let mpinID: [UInt8]
    package let sealed: TaggedQuestion
    /// The ticket of the login with the old PIN, if it replaces the code; otherwise empty.
    package let authOTT: [UInt8]
    /// Whether the registration is for a user's own device. Frames do not carry it.
    package let isPersonal: Bool

    package init(
        userID: [UInt8], activationCode: [UInt8], deviceName: [UInt8], regOTT: [UInt8] = [],
        mpinID: [UInt8] = [], sealed: TaggedQuestion, authOTT: [UInt8] = [], isPersonal: Bool = false
    ) {
        self.userID = userID
        self.activationCode = activationCode
        self.deviceName = deviceName
        self.regOTT = regOTT
        self.mpinID = mpinID
        self.sealed = sealed
        self.authOTT = authOTT
        self.isPersonal = isPersonal
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayRegisterRequest {
        guard !isPersonal else { throw .badField }
        let new = RelayRegisterRequest(
            userID: try fields.text(userID, 1...Bound.name),
            activationCode: try fields.text(activationCode, 0...Bound.code),
            deviceName: try fields.text(deviceName, 0...Bound.name),
            regOTT: try fields.text(regOTT, 0...Bound.ticket),
            mpinID: try fields.octets(mpinID, 0...Bound.mpinID),
            sealed: try sealed.passed(through: &fields, isOptional: true),
            authOTT: try fields.text(authOTT, 0...Bound.ticket))
        guard new.regOTT.isEmpty == new.mpinID.isEmpty else { throw .badField }
        return new
    }
}

/// A registration that the server began; `active` means that the client may fetch its secret.
package struct RelayRegisterResponse: Equatable, Sendable {
    package let mpinID: [UInt8]
    package let regOTT: [UInt8]
    package let active: Bool
    /// Whether the server will bind each challenge to its purpose and issues a device key. Frames do not
    /// carry it.
    package let isBound: Bool

    package init(mpinID: [UInt8], regOTT: [UInt8], active: Bool, isBound: Bool = false) {
        self.mpinID = mpinID
        self.regOTT = regOTT
        self.active = active
        self.isBound = isBound
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayRegisterResponse {
        RelayRegisterResponse(
            mpinID: try fields.mpinID(mpinID), regOTT: try fields.text(regOTT, 1...Bound.ticket),
            active: try fields.flag(active))
    }
}

/// Requests both shares of the client secret of an active registration.
package struct RelayClientSecretRequest: Equatable, Sendable {
    package let mpinID: [UInt8]
    package let regOTT: [UInt8]
    /// The hash A of the question that sealed the registration, or nil.
    package let a: QuestionHash?

    package init(mpinID: [UInt8], regOTT: [UInt8], a: QuestionHash?) {
        self.mpinID = mpinID
        self.regOTT = regOTT
        self.a = a
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayClientSecretRequest {
        RelayClientSecretRequest(
            mpinID: try fields.mpinID(mpinID), regOTT: try fields.text(regOTT, 1...Bound.ticket),
            a: try fields.optional(a))
    }
}

/// The shares of a client secret from D-TA 1 and D-TA 2: each has 65 octets, or 81 if it is sealed for the
/// host.
package struct ClientSecretShares: Equatable, Sendable {
    package let share1: [UInt8]
    package let share2: [UInt8]
    /// The device key of a second device that was registered as bound; otherwise empty. Frames do not carry
    /// it.
    package let deviceKey: [UInt8]

    package init(share1: [UInt8], share2: [UInt8], deviceKey: [UInt8] = []) {
        self.share1 = share1
        self.share2 = share2
        self.deviceKey = deviceKey
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> ClientSecretShares {
        ClientSecretShares(
            share1: try fields.octets(share1, 65, or: 81), share2: try fields.octets(share2, 65, or: 81))
    }
}

/// Requests the host key with a join code.
package struct RelayJoinRequest: Equatable, Sendable {
    package let host: [UInt8]
    /// 16 octets (`OneTimeCode.joinID`).
    package let joinID: [UInt8]

    package init(host: [UInt8], joinID: [UInt8]) {
        self.host = host
        self.joinID = joinID
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayJoinRequest {
        RelayJoinRequest(
            host: try fields.text(host, 1...Bound.name), joinID: try fields.octets(joinID, 16))
    }
}

/// A host key, sealed under the join code, and its epoch.
package struct RelayJoinResponse: Equatable, Sendable {
    package let epoch: UInt32
    /// 48 octets.
    package let sealedKey: [UInt8]

    package init(epoch: UInt32, sealedKey: [UInt8]) {
        self.epoch = epoch
        self.sealedKey = sealedKey
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayJoinResponse {
        RelayJoinResponse(
            epoch: try fields.number(epoch), sealedKey: try fields.octets(sealedKey, 48))
    }
}
