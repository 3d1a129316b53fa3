// SPDX-License-Identifier: Apache-2.0
// The examples of the documentation, as an app would have them. They must be the same there, word for word.
import Foundation
import MPinClient

enum Examples {
    static func open(_ folder: String, _ address: String) throws(ClientFailure) -> Client {
        let client = try Client(
            secure: FileStorage(path: folder + "/tokens"),
            plain: FileStorage(path: folder + "/users"),
            settings: Configuration(backend: address))
        return client
    }

    /// An app's own place for its client: one call after the other, and none on the main thread.
    actor Door {
        private let client: Client

        init(_ folder: String, _ address: String) throws(ClientFailure) {
            client = try Examples.open(folder, address)
        }

        func logIn(_ identity: String, with pin: consuming PIN) throws(ClientFailure) -> String {
            guard let user = try client.users().first(where: { $0.identity == identity }) else { return "" }
            try client.startAuthentication(user)
            return try client.finishAuthentication(user, pin: pin)
        }
    }

    static func register(
        _ client: Client, confirmed: () -> Void, newPIN: () -> [UInt8]
    ) throws(ClientFailure) -> User {
        let made = try client.makeUser("alice@example.org", deviceName: "laptop")
        var user = try client.startRegistration(made)
        if user.state == .startedRegistration {
            // The server has sent a mail: go on when it is answered.
            confirmed()
        }
        do {
            try client.confirmRegistration(user)
        } catch {
            guard error.status == .identityNotVerified else { throw error }
            user = try client.restartRegistration(user)
            return user
        }
        var typed = newPIN()
        user = try client.finishRegistration(user, pin: PIN(wiping: &typed))
        return user
    }

    static func logIn(_ client: Client, as user: User, typed octets: [UInt8]) throws(ClientFailure) -> String
    {
        var typed = octets
        try client.startAuthentication(user)
        do {
            let result = try client.finishAuthentication(user, pin: PIN(wiping: &typed))
            return result
        } catch {
            if let seconds = error.retryAfter { return "Wrong PINs: try again in \(seconds) seconds." }
            guard error.status == .incorrectPIN else { throw error }
            if try client.state(of: user) == .blocked {
                try client.deleteUser(user)
                return "Too many wrong PINs: register anew."
            }
            return "Wrong PIN."
        }
    }

    static func logInABrowser(
        _ client: Client, as user: User, scanned: String, show: (SessionDetails) -> [UInt8],
        showCode: (String) -> Void
    ) throws(ClientFailure) {
        let accessCode = scanned.split(separator: "#").last.map(String.init) ?? scanned
        let details = try client.sessionDetails(accessCode: accessCode, for: user)
        // Somebody else may have begun this login: show who asks, and then ask for the PIN.
        var typed = show(details)
        guard !typed.isEmpty else {
            try client.abortSession(accessCode: accessCode, for: user)
            return
        }
        try client.startAuthentication(user, accessCode: accessCode)
        let login = try client.finishAuthentication(
            user, pin: PIN(wiping: &typed), accessNumber: accessCode)
        if let code = login.code { showCode(code) }
    }

    static func logInAsListed(
        _ client: Client, as user: User, choose: ([PendingLogin]) -> PendingLogin?,
        show: (LoginRequest) -> [UInt8], showCode: (String) -> Void
    ) throws(ClientFailure) {
        let logins = try client.waiting(for: user)
        guard let login = choose(logins) else { return }
        var typed = show(login.request)
        try client.startAuthentication(user, accessCode: login.accessCode)
        let done = try client.finishAuthentication(
            user, pin: PIN(wiping: &typed), accessNumber: login.accessCode)
        if let code = done.code { showCode(code) }
    }

    static func logOut(_ client: Client, _ user: User) -> Bool {
        let isOver = client.canLogout(user) && client.logout(user)
        return isOver
    }

    static func password(_ client: Client, for user: User, typed octets: [UInt8]) throws(ClientFailure)
        -> String?
    {
        var typed = octets
        try client.startAuthentication(user)
        let password = try client.finishAuthenticationOTP(user, pin: PIN(wiping: &typed))
        guard password.status == .ok else { return nil }
        return "\(password.otp), for \(password.ttlSeconds) seconds"
    }

    static func authorize(
        _ client: Client, _ user: User, authorizeURL: String, typed octets: [UInt8]
    ) throws(ClientFailure) -> String {
        var typed = octets
        try client.setClientID("0123456789abcdef")
        let accessCode = try client.accessCode(authorizeURL: authorizeURL)
        _ = try client.sessionDetails(accessCode: accessCode)
        try client.startAuthentication(user, accessCode: accessCode)
        let code = try client.finishAuthenticationCode(
            user, pin: PIN(wiping: &typed), accessCode: accessCode)
        return code
    }
}
