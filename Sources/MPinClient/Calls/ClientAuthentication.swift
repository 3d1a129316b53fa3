// SPDX-License-Identifier: Apache-2.0
// The ends of a login: at this device, with a one-time password, with an authorization code, in a browser or
// console.
import MPinWire
import Octets

extension Client {
    /// Logs the user in from here.
    ///
    /// Throws ``Status/incorrectPIN`` for a wrong PIN; ask ``state(of:)`` whether it was the last one.
    ///
    /// - Returns: What the server says to a login, JSON as it came; may be empty.
    public func finishAuthentication(_ user: User, pin: consuming PIN) throws(Failure) -> String {
        String(decoding: try redeemed(prove(user, pin, for: PassPurpose())), as: UTF8.self)
    }

    /// Logs the user in for a one-time password, to be typed elsewhere. None is given out unless the login
    /// was good.
    ///
    /// - Returns: The password, with a status of its own: not every server makes them.
    public func finishAuthenticationOTP(_ user: User, pin: consuming PIN) throws(Failure) -> OneTimePassword {
        let proof = try prove(user, pin, for: PassPurpose(wantsOTP: true))
        return OneTimePassword(proof.answer.otp ?? "", life: JSON(try redeemed(proof)))
    }

    /// Logs the user in for an authorization code, by which the app's own server makes sure of who that is.
    ///
    /// - Parameters:
    ///   - user: whose login was begun.
    ///   - pin: as it was typed; wiped.
    ///   - accessCode: of the session that the app's server opened, from ``accessCode(authorizeURL:)``; empty
    ///     where the client id (``setClientID(_:)``) says all.
    /// - Returns: The code. It is good once, for a short time.
    public func finishAuthenticationCode(
        _ user: User, pin: consuming PIN, accessCode: String = ""
    ) throws(Failure) -> String {
        let proof = try prove(
            user, pin, for: PassPurpose(wid: accessCode.isEmpty ? PassPurpose.here : accessCode))
        guard let code = JSON(try redeemed(proof))?["code"]?.text, !code.isEmpty else {
            throw .answer("the server gave no authorization code")
        }
        return code
    }

    /// Logs the user in in the browser, or at the console, that shows a number or a picture. Ask
    /// ``sessionDetails(accessCode:for:)`` first and show what it says, before you ask for the PIN: a proof
    /// for a session of mpind is bound to that. Where nobody did, this call asks, and the user sees nothing.
    ///
    /// Throws ``Status/incorrectAccessNumber`` for a number that nobody waits at.
    ///
    /// - Parameters:
    ///   - user: whose login was begun.
    ///   - pin: as it was typed; wiped.
    ///   - accessNumber: what was typed, or the 32 hexadecimal digits that were scanned.
    /// - Returns: What there is to do afterwards.
    public func finishAuthentication(
        _ user: User, pin: consuming PIN, accessNumber: String
    ) throws(Failure) -> SessionLogin {
        _ = try record(of: user, in: .registered)
        if !Client.isCode(accessNumber) { try checkAccessNumber(accessNumber) }
        let backend = try currentBackend()
        let target = try backend.target(
            backend.settings.mobileAuthenticateURL, "logins for browsers", trusting: trusted)
        let proof = try prove(user, pin, for: PassPurpose(wid: accessNumber))
        let answer = JSON(try redeem(proof, .mobileAuthenticate, at: target))
        let memory = memory(of: proof.record)
        memory.logout = answer?["logoutURL"]?.text.flatMap { $0.isEmpty ? nil : $0 }.map {
            Logout(url: $0, data: answer?["logoutData"])
        }
        details[accessNumber] = nil
        return SessionLogin(code: answer?["code"]?.text)
    }

    /// Whether a number can be one that a browser or console shows, before any server is bothered with it. It
    /// has seven digits, of which the last checks the others, unless the backend says that its numbers have
    /// none.
    ///
    /// Throws ``Status/incorrectAccessNumber``. No backend need be set.
    public func checkAccessNumber(_ number: String) throws(Failure) {
        let isChecked = backend?.checksNumbers ?? true
        guard !number.isEmpty, !isChecked || AccessNumber.isValid([UInt8](number.utf8)) else {
            throw Failure(.incorrectAccessNumber, "no server gives such a number out")
        }
    }

    /// Whether this reads as the code behind the `#` of a scanned address.
    private static func isCode(_ text: String) -> Bool {
        text.utf8.count == 32 && octets(fromHex: [UInt8](text.utf8)) != nil
    }

    private func redeemed(_ proof: SentProof) throws(Failure) -> [UInt8] {
        let backend = try currentBackend()
        let target = try backend.target(backend.settings.authenticateURL, "logins", trusting: trusted)
        return try redeem(proof, .authenticate, at: target)
    }

    /// Whether the session that this user opened in a browser can be ended from here.
    public func canLogout(_ user: User) -> Bool { logout(of: user) != nil }

    /// Ends the session that this user opened in a browser. It can be ended once.
    ///
    /// - Returns: Whether the server ended it.
    public func logout(_ user: User) -> Bool {
        guard let (record, logout) = logout(of: user), let backend,
            let target = try? backend.place.target(named: logout.url, trusting: trusted)
        else { return false }
        let body = logout.data.flatMap(\.octets) ?? []
        guard (try? send(.authenticate, method: .post, to: target, body: body)) != nil else { return false }
        memory(of: record).logout = nil
        return true
    }

    private func logout(of user: User) -> (StoredRecord, Logout)? {
        guard let record = try? record(of: user, in: .registered), let logout = memory(of: record).logout
        else {
            return nil
        }
        return (record, logout)
    }
}

/// A login in a browser or at a console, see ``Client/finishAuthentication(_:pin:accessNumber:)``.
public struct SessionLogin: Equatable, Sendable {
    /// The approval code that the console waits for: show it, for the user to type there. nil for a browser.
    public let code: String?
}

/// A password for one use, see ``Client/finishAuthenticationOTP(_:pin:)``.
public struct OneTimePassword: Equatable, Sendable {
    /// Decimal digits, as they are to be typed; empty where the server made none.
    public let otp: String
    /// When it ends, in seconds since 1970-01-01 UTC by the server's clock; 0 where the server did not say.
    public let expireTime: Int
    /// How long it lives, in seconds; 0 where the server did not say.
    public let ttlSeconds: Int
    /// The server's clock, in seconds since 1970-01-01 UTC; 0 where the server did not say.
    public let nowTime: Int
    /// ``Status/ok`` for a password that can be used, ``Status/flowError`` where the server made none,
    /// ``Status/responseParseError`` where it did not say how long it lives.
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
