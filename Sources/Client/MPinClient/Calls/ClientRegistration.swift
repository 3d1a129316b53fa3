// SPDX-License-Identifier: Apache-2.0
// The steps of a registration: start, restart, confirm, finish.
import MPin
import MPinProof
import MPinWire
import Secrets

extension Client {
    /// Begins the registration of a new user. The server may require a confirmation of who the user is, by
    /// mail for example; then the state becomes ``UserState/startedRegistration``, otherwise
    /// ``UserState/activated``.
    ///
    /// Throws ``Status/identityNotAuthorized`` if the server refuses the user. With HTTP status 429, which is
    /// ``Status/httpRequestError``, too many registrations wait already, see ``ClientFailure/retryAfter``.
    /// Throws ``Status/flowError`` for a user who is in the list already.
    ///
    /// - Parameters:
    ///   - user: a user from ``makeUser(_:deviceName:)``.
    ///   - activateCode: an activation code that the user was given beforehand; empty if there is none.
    ///   - userData: any text that helps the server to identify the user; may be empty.
    /// - Returns: The user, who is now in the list.
    public func startRegistration(
        _ user: User, activateCode: String = "", userData: String = ""
    ) throws(ClientFailure) -> User {
        let backend = try currentBackend()
        guard user.backend == backend.place.key else { throw .flow("the user belongs to another backend") }
        let isKnown = try userStore.records().contains {
            $0.backend == user.backend && $0.identity == user.identity
        }
        guard user.state == .invalid, !isKnown else { throw .flow("the user is known already") }
        var request = RegisterRequest(userId: user.identity, mobile: 1)
        request.deviceName = user.deviceName.isEmpty ? nil : user.deviceName
        request.activateCode = activateCode.isEmpty ? nil : activateCode
        return try register(request, userData, deviceName: user.deviceName, instead: nil)
    }

    /// Requests once more the confirmation that a registration waits for. If the server no longer knows the
    /// registration, it begins another: use only the returned user from then on.
    ///
    /// Throws as ``startRegistration(_:activateCode:userData:)``, and ``Status/flowError`` unless the user's
    /// state is ``UserState/startedRegistration``.
    ///
    /// - Parameters:
    ///   - user: the user whose registration waits.
    ///   - userData: any text that helps the server to identify the user; may be empty.
    /// - Returns: The user as it is in the list now.
    public func restartRegistration(_ user: User, userData: String = "") throws(ClientFailure) -> User {
        let record = try record(of: user, in: .startedRegistration)
        var request = RegisterRequest(userId: record.identity, mobile: 1)
        request.deviceName = record.deviceName.isEmpty ? nil : record.deviceName
        request.regOTT = record.regOTT
        return try register(request, userData, deviceName: record.deviceName, instead: record)
    }

    private func register(
        _ request: RegisterRequest, _ userData: String, deviceName: String, instead old: StoredRecord?
    ) throws(ClientFailure) -> User {
        let backend = try currentBackend()
        var request = request
        request.bound = 1
        request.userData = userData.isEmpty ? nil : .text(userData)
        var target = try backend.target(backend.settings.registerURL, "registration", trusting: trusted)
        if let old { target = target.appending("/" + hexText(old.mpinID)) }
        let answer = try exchange(
            .user, method: .put, to: target, message: request, as: RegisterResponse.self)
        let mpinID = answer.mpinId.octets
        guard !answer.regOTT.isEmpty, StoredRecord.identity(in: mpinID) == request.userId else {
            throw .answer("the server registered no user, or another one")
        }
        // The difference of two tokens of one M-Pin ID would reveal both PINs.
        let isTaken = try userStore.records().contains { $0.mpinID == mpinID && $0.name != old?.name }
        guard !isTaken else { throw .answer("the server gave the M-Pin ID of another user") }
        var record = StoredRecord(
            backend: backend.place.key, mpinID: mpinID, identity: request.userId,
            state: answer.active.isOn ? .activated : .startedRegistration)
        record.regOTT = answer.regOTT
        record.deviceName = deviceName
        record.isBound = answer.bound?.isOn ?? false
        try userStore.store(record)
        if let old {
            if old.name != record.name { try userStore.remove(old) }
            forget(old)
        }
        return record.user
    }

    /// Fetches the client secret of a confirmed user; ask for the PIN when this returns. The secret is only
    /// in memory, and the server gives it only once: if the program ends before
    /// ``finishRegistration(_:pin:)``, the user must be deleted and registered again.
    ///
    /// Throws ``Status/identityNotVerified`` if the user has not been confirmed yet; then nothing has
    /// changed. Throws ``Status/requestExpired`` if the second authority refuses the signed request as too
    /// old, and ``Status/responseParseError`` or ``Status/cryptoError`` for invalid shares.
    ///
    /// - Parameters:
    ///   - user: the user whose registration was begun.
    ///   - pushMessageIdentifier: the identifier by which the server may send push messages to this user; may
    ///     be empty.
    public func confirmRegistration(_ user: User, pushMessageIdentifier: String = "") throws(ClientFailure) {
        let record = try record(of: user, in: .startedRegistration, .activated)
        let backend = try currentBackend()
        let settings = backend.settings
        let path = SharePath.signature(
            mpinID: record.mpinID, regOTT: [UInt8](record.regOTT.utf8),
            pushToken: [UInt8](pushMessageIdentifier.utf8))
        let signature = try backend.target(settings.signatureURL, "signature", trusting: trusted)
        let authority = try backend.target(settings.certivoxURL, "second authority", trusting: trusted)
        let ours = try decoded(
            SignatureResponse.self,
            send(.signature, method: .get, to: signature.appending(path)))
        // Only login hosts get sealed shares, which need a host key.
        guard let first = ours.clientSecretShare?.octets,
            let next = SharePath.clientSecret(params: [UInt8](ours.params.utf8))
        else { throw .answer("the server gave no share") }
        let theirs = try decoded(
            ClientSecretResponse.self,
            send(.clientSecret, method: .get, to: authority.asFolder.appending(next)))
        guard let second = theirs.clientSecret?.octets else {
            throw .answer("the second authority gave no share")
        }
        let deviceKey = record.isBound ? try given(ours.deviceKey) : nil
        memory(of: record).shares = try Shares(first, second, deviceKey: deviceKey)
    }

    /// Makes the token for the PIN that the user chooses, and stores it. The state is
    /// ``UserState/registered`` from then on.
    ///
    /// Throws ``Status/incorrectPIN`` for a PIN that the server does not allow, see
    /// ``ClientFailure/refusedPIN``; then nothing has changed, and you can ask for another PIN. Throws
    /// ``Status/pinInputCancelled`` for an empty PIN, and ``Status/flowError`` unless
    /// ``confirmRegistration(_:pushMessageIdentifier:)`` has succeeded in this client.
    ///
    /// - Parameters:
    ///   - user: the confirmed user.
    ///   - pin: the new PIN as it was typed; the call wipes it.
    /// - Returns: The registered user.
    public func finishRegistration(_ user: User, pin: consuming PIN) throws(ClientFailure) -> User {
        var record = try record(of: user, in: .startedRegistration, .activated)
        guard let shares = memory(of: record).shares else { throw .flow("the registration is not confirmed") }
        guard !pin.isEmpty else { throw ClientFailure(.pinInputCancelled, "the PIN is empty") }
        let demand = try currentBackend().settings.pinDemand
        if let fault = PINPolicy.fault(of: pin.secret, by: demand), let failure = ClientFailure(fault) {
            throw failure
        }
        do throws(MPinError) {
            let rule = PINRule.scrypt(.standard, salt: try salt())
            let token = try shares.token(of: record.mpinID, factor: rule.factor(of: pin.secret))
            record.token = hexText(token.withOctets(copied))
            record.rule = rule
        } catch { throw ClientFailure(error) }
        switch shares.deviceKey {
        case .none: record.deviceKey = ""
        case .some(let key): record.deviceKey = hexText(key.withOctets(copied))
        }
        record.state = record.state.finished
        record.regOTT = ""
        try userStore.store(record)
        forget(record)
        return record.user
    }

    /// The device key that the server gave. Throws if it is missing: a server that binds proofs counts those
    /// without the key's tag as a stranger's.
    private func given(_ key: HexOctets?) throws(ClientFailure) -> DeviceKey {
        guard let key else { throw .answer("the server gave no device key") }
        do throws(SealFailure) { return try DeviceKey(copying: key.octets) } catch {
            throw error == .outOfMemory
                ? ClientFailure(.outOfMemory) : .answer("the server gave something that is not a device key")
        }
    }

    private func salt() throws(MPinError) -> [UInt8] {
        do { return try randomOctets(16) } catch { throw .noRandomness }
    }
}

func copied(_ octets: RawSpan) -> [UInt8] {
    (0..<octets.byteCount).map { unsafe octets.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
}
