// SPDX-License-Identifier: Apache-2.0
// The calls that finish a login: at this device, with a one-time password, with an authorization code, in a
// browser or at a console.
import MPinWire
import Octets

extension Client {
    /// Logs the user in at this device.
    ///
    /// Throws ``Status/incorrectPIN`` for a wrong PIN; ``state(of:)`` says whether it blocked the user.
    /// Throws ``Status/identityNotAuthorized`` for a locked user, ``Status/revoked`` for a revoked or
    /// suspended one, ``Status/clientSecretExpired`` if the server has a new master secret,
    /// ``Status/requestExpired`` if the proof came too late, ``Status/pinInputCancelled`` for an
    /// empty PIN, and ``Status/flowError`` if the server uses time permits and
    /// ``startAuthentication(_:accessCode:)`` was not called.
    ///
    /// - Parameters:
    ///   - user: a registered user.
    ///   - pin: the PIN as it was typed; the call wipes it.
    /// - Returns: The server's answer to the login: JSON, unchanged; may be empty.
    public func finishAuthentication(_ user: User, pin: consuming PIN) throws(ClientFailure) -> String {
        String(decoding: try redeemed(prove(user, pin, for: PassPurpose())), as: UTF8.self)
    }

    /// Logs the user in for a one-time password, which the user types elsewhere. There is none unless the
    /// login succeeds.
    ///
    /// Throws as ``finishAuthentication(_:pin:)``.
    ///
    /// - Parameters:
    ///   - user: a registered user.
    ///   - pin: the PIN as it was typed; the call wipes it.
    /// - Returns: The password, with a status of its own, because not every server makes passwords.
    public func finishAuthenticationOTP(_ user: User, pin: consuming PIN) throws(ClientFailure)
        -> OneTimePassword
    {
        let proof = try prove(user, pin, for: PassPurpose(wantsOTP: true))
        return OneTimePassword(proof.answer.otp ?? "", life: JSON(try redeemed(proof)))
    }

    /// Logs the user in for an authorization code, with which the app's own server checks who the user is.
    ///
    /// Throws as ``finishAuthentication(_:pin:)``, and ``Status/responseParseError`` if the server gave no
    /// code.
    ///
    /// - Parameters:
    ///   - user: a registered user.
    ///   - pin: the PIN as it was typed; the call wipes it.
    ///   - accessCode: the access code of the app's session, from ``accessCode(authorizeURL:)``; empty if the
    ///     server needs only the client id (``setClientID(_:)``).
    /// - Returns: The code, which is valid once and for a short time.
    public func finishAuthenticationCode(
        _ user: User, pin: consuming PIN, accessCode: String = ""
    ) throws(ClientFailure) -> String {
        let proof = try prove(
            user, pin, for: PassPurpose(wid: accessCode.isEmpty ? PassPurpose.here : accessCode))
        guard let code = JSON(try redeemed(proof))?["code"]?.text, !code.isEmpty else {
            throw .answer("the server gave no authorization code")
        }
        return code
    }

    /// Logs the user in to the browser or console that shows a number or a QR code.
    ///
    /// Call ``sessionDetails(accessCode:for:)`` first and show its result before you ask for the PIN: at
    /// mpind a proof for a session is bound to it. Otherwise this call requests the details itself, and the
    /// user does not see them.
    ///
    /// Throws as ``finishAuthentication(_:pin:)``, and ``Status/incorrectAccessNumber`` for a malformed
    /// number and for one at which no login waits.
    ///
    /// - Parameters:
    ///   - user: a registered user.
    ///   - pin: the PIN as it was typed; the call wipes it.
    ///   - accessNumber: the number that was typed, or the 32 hexadecimal digits that were scanned.
    /// - Returns: What the user has to do next.
    public func finishAuthentication(
        _ user: User, pin: consuming PIN, accessNumber: String
    ) throws(ClientFailure) -> SessionLogin {
        _ = try record(of: user, in: .registered)
        if !Client.isCode(accessNumber) { try checkAccessNumber(accessNumber) }
        let backend = try currentBackend()
        let target = try backend.target(
            backend.settings.mobileAuthenticateURL, "logins for browsers", trusting: trusted)
        let proof = try prove(user, pin, for: PassPurpose(wid: accessNumber))
        let answer = JSON(try redeem(proof, .mobileAuthenticate, at: target))
        let memory = memory(of: proof.record)
        memory.logout = answer?["logoutURL"]?.text.flatMap { $0.isEmpty ? nil : $0 }.map {
            BrowserLogout(url: $0, data: answer?["logoutData"])
        }
        details[accessNumber] = nil
        return SessionLogin(code: answer?["code"]?.text)
    }

    /// Checks a number of a browser or console without contacting a server. It must have seven digits, of
    /// which the last checks the others. If the backend's numbers have no check digit, any text but an empty
    /// one is accepted.
    ///
    /// Throws ``Status/incorrectAccessNumber``. No backend need be set.
    public func checkAccessNumber(_ number: String) throws(ClientFailure) {
        let isChecked = backend?.checksNumbers ?? true
        guard !number.isEmpty, !isChecked || AccessNumber.isValid([UInt8](number.utf8)) else {
            throw ClientFailure(.incorrectAccessNumber, "the number is malformed or mistyped")
        }
    }

    /// Whether this has the form of the code after the `#` of a scanned address.
    private static func isCode(_ text: String) -> Bool {
        text.utf8.count == 32 && octets(fromHex: [UInt8](text.utf8)) != nil
    }

    private func redeemed(_ proof: SentProof) throws(ClientFailure) -> [UInt8] {
        let backend = try currentBackend()
        let target = try backend.target(backend.settings.authenticateURL, "logins", trusting: trusted)
        return try redeem(proof, .authenticate, at: target)
    }

    /// Whether ``logout(_:)`` can end the login that this user finished in a browser with this client.
    public func canLogout(_ user: User) -> Bool { logout(of: user) != nil }

    /// Ends the login that this user finished in a browser. This works once.
    ///
    /// - Returns: Whether the server ended it; false also if there is nothing to end.
    public func logout(_ user: User) -> Bool {
        guard let (record, logout) = logout(of: user), let backend,
            let target = try? backend.place.target(named: logout.url, trusting: trusted)
        else { return false }
        let body = logout.data.flatMap(\.octets) ?? []
        guard (try? send(.authenticate, method: .post, to: target, body: body)) != nil else { return false }
        memory(of: record).logout = nil
        return true
    }

    private func logout(of user: User) -> (StoredRecord, BrowserLogout)? {
        guard let record = try? record(of: user, in: .registered), let logout = memory(of: record).logout
        else {
            return nil
        }
        return (record, logout)
    }
}

/// A finished login to a browser or console, see ``Client/finishAuthentication(_:pin:accessNumber:)``.
public struct SessionLogin: Equatable, Sendable {
    /// The approval code, six letters: show it to the user, who types it at the console. nil for a browser.
    public let code: String?
}

/// A password for one use, see ``Client/finishAuthenticationOTP(_:pin:)``.
public struct OneTimePassword: Equatable, Sendable {
    /// The decimal digits, as the user types them; empty if the server made no password.
    public let otp: String
    /// When it expires, in seconds since 1970-01-01 UTC by the server's clock; 0 if the server did not say.
    public let expireTime: Int
    /// How long it is valid, in seconds; 0 if the server did not say.
    public let ttlSeconds: Int
    /// The server's clock, in seconds since 1970-01-01 UTC; 0 if the server did not say.
    public let nowTime: Int
    /// ``Status/ok`` for a password that can be used, ``Status/flowError`` if the server made none,
    /// ``Status/responseParseError`` if one of the three times is missing.
    public let status: Status

    /// - Parameter life: the server's answer to the login, whose times are in milliseconds.
    init(_ otp: String, life: JSON?) {
        let times = ["expireTime", "nowTime"].map { (life?[$0]?.whole ?? 0) / 1000 }
        let ttl = life?["ttlSeconds"]?.whole ?? 0
        self.otp = otp
        (expireTime, nowTime, ttlSeconds) = (times[0], times[1], ttl)
        let isDated = times[0] > 0 && times[1] > 0 && ttl > 0
        status = otp.isEmpty ? .flowError : isDated ? .ok : .responseParseError
    }
}
