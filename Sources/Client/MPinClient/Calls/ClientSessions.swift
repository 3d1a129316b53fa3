// SPDX-License-Identifier: Apache-2.0
// Sessions that a user may approve from here: their details, which of them wait, how to refuse one, and how
// an app opens its own.
import FoundationEssentials
import MPin
import MPinCurl
import MPinWire
import Octets

extension Client {
    /// The login that waits in the session of a code or number. The backend learns that the code was read.
    ///
    /// Show the result before you ask for the PIN: a proof for this session is valid only for exactly that.
    ///
    /// Throws ``Status/responseParseError`` if the details belong to another session or server.
    ///
    /// - Parameters:
    ///   - accessCode: the seven digits, or the 32 hexadecimal digits that were scanned.
    ///   - user: the registered user who will answer, if known already. mpind answers ten look-ups by seven
    ///     digits a minute: with a user, to this user's device; without one, to all strangers at this
    ///     device's address together.
    /// - Returns: The details of the session; ``SessionDetails/request`` is nil if there is no such session.
    public func sessionDetails(accessCode: String, for user: User? = nil) throws(ClientFailure)
        -> SessionDetails
    {
        details[accessCode] = nil
        var record: StoredRecord?
        if let user { record = try self.record(of: user, in: .registered) }
        let answer = try decoded(CodeStatusResponse.self, tell("wid", accessCode, by: record))
        var request: LoginRequest?
        if let octets = answer.seen?.octets { request = try loginRequest(octets, of: accessCode) }
        return SessionDetails(
            prerollID: answer.prerollID ?? answer.serverPrerollID ?? "",
            appName: answer.appName ?? answer.serverAppName ?? "",
            appIconURL: answer.appLogoURL ?? answer.serverAppLogoURL ?? "", request: request)
    }

    /// The logins that wait for this user at consoles, the newest first: with them a user need neither scan
    /// nor type anything. A login of a web page is not among them.
    ///
    /// Others can begin logins in the user's name, too. Show each with its number, which also stands on its
    /// console, and let the user choose. Then go on with ``PendingLogin/accessCode`` as after a scan.
    ///
    /// Throws ``Status/flowError`` for a user who was not registered at mpind with this library, and
    /// ``Status/responseParseError`` if a login belongs to another server. If the device's clock differs from
    /// the server's by more than ten minutes, there are none. mpind answers 60 times a minute.
    ///
    /// - Parameter user: a registered user.
    public func waiting(for user: User) throws(ClientFailure) -> [PendingLogin] {
        let record = try record(of: user, in: .registered)
        let time = UInt64(clamping: Int(Date().timeIntervalSince1970))
        guard let device = try record.tag(waitingAt: time) else {
            throw .flow("the user's server does not tell which logins wait")
        }
        let response = try exchange(
            .codeStatus, method: .post, to: currentBackend().place.target(path: Route.waiting),
            message: WaitingRequest(time: time, by: device), as: WaitingResponse.self)
        var logins: [PendingLogin] = []
        for login in response.waiting {
            guard AccessNumber.isValid([UInt8](login.number.utf8)) else {
                throw .answer("a login that waits has an invalid number")
            }
            logins.append(
                PendingLogin(
                    request: try loginRequest(login.seen.octets, of: login.wid), accessCode: login.wid,
                    number: login.number, life: login.life))
        }
        return logins
    }

    /// Reads the details of a session, and keeps them for the proof.
    private func loginRequest(_ seen: [UInt8], of accessCode: String) throws(ClientFailure) -> LoginRequest {
        let place = try currentBackend().place
        guard let read = ApprovalDetails(decoding: seen), read.wid == [UInt8](accessCode.utf8),
            read.origin == [UInt8](place.seenOrigin.utf8)
        else { throw .answer("what the server shows belongs to another session or server") }
        details[accessCode] = read
        return LoginRequest(read)
    }

    /// Tells the backend that the user will not approve this session. At mpind a browser's session ends at
    /// once: every device that scanned its QR code may end it. A console's session ends only if `user` is one
    /// that may approve it. Milagro's server only tells the browser's page, and a proof can still log the
    /// browser in until the session expires.
    ///
    /// - Parameters:
    ///   - accessCode: the 32 hexadecimal digits that were scanned, or the seven digits.
    ///   - user: the registered user who would have approved.
    public func abortSession(accessCode: String, for user: User? = nil) throws(ClientFailure) {
        details[accessCode] = nil
        var record: StoredRecord?
        if let user { record = try self.record(of: user, in: .registered) }
        _ = try tell("abort", accessCode, by: record)
    }

    /// Refuses the login that waits in a session, with a proof of the user's PIN. The session ends at once.
    /// Call ``startAuthentication(_:accessCode:)`` first.
    ///
    /// Throws ``ClientFailure/noRefusal`` for a user who was not registered at mpind with this library, and
    /// sends nothing: a server that does not bind proofs, as Milagro's, would take the proof for an approval.
    /// Call ``abortSession(accessCode:for:)`` then. Throws otherwise as ``finishAuthentication(_:pin:)``, and
    /// ``Status/incorrectAccessNumber`` for a session that has ended or that another user approved.
    ///
    /// - Parameters:
    ///   - user: the registered user who was asked.
    ///   - pin: the PIN as it was typed; the call wipes it.
    ///   - accessCode: the 32 hexadecimal digits that were scanned, or the seven digits.
    ///   - isForeign: whether the user says that somebody else began this login. mpind records that in its
    ///     audit trail, and shows the user no logins from the same source for an hour.
    public func deny(
        _ user: User, pin: consuming PIN, accessCode: String, isForeign: Bool = false
    ) throws(ClientFailure) {
        guard try record(of: user, in: .registered).isBound else { throw .noRefusal }
        let backend = try currentBackend()
        let target = try backend.target(
            backend.settings.mobileAuthenticateURL, "logins for browsers", trusting: trusted)
        let proof = try prove(user, pin, for: PassPurpose(wid: accessCode))
        _ = try redeem(proof, .mobileAuthenticate, at: target, denies: true, isForeign: isForeign)
        details[accessCode] = nil
    }

    /// Opens a session for the app itself, at the address that the app's server gave it.
    ///
    /// Throws ``Status/networkError`` with ``ClientFailure/untrustedURL`` for an address that is not trusted,
    /// and ``Status/responseParseError`` if the server opened no session.
    ///
    /// - Parameter authorizeURL: an address of the backend or of a trusted domain.
    /// - Returns: The access code of the session.
    public func accessCode(authorizeURL: String) throws(ClientFailure) -> String {
        let target = try currentBackend().place.target(named: authorizeURL, trusting: trusted)
        let answer = JSON(try send(.codeStatus, method: .post, to: target))
        guard let address = answer?["qrURL"]?.text, let hash = address.lastIndex(of: "#"),
            hash != address.index(before: address.endIndex)
        else { throw .answer("the server opened no session") }
        return String(address[address.index(after: hash)...])
    }

    /// Reports the state of a session at this device to the backend, and returns the body of its answer.
    func tell(_ status: String, _ accessCode: String, by record: StoredRecord? = nil) throws(ClientFailure)
        -> [UInt8]
    {
        let backend = try currentBackend()
        let target = try backend.target(backend.settings.codeStatusURL, "sessions", trusting: trusted)
        var message = CodeStatusRequest(status: status, wid: accessCode)
        if status == "user" { message.userId = record?.identity }
        let device = try record?.tag(status: status, wid: accessCode)
        return try send(.codeStatus, method: .post, to: target, body: written(message.tagged(device)))
    }
}

/// What a backend says about a session, see ``Client/sessionDetails(accessCode:for:)``. Any of the texts may
/// be empty.
public struct SessionDetails: Equatable, Sendable {
    /// The user whom the session expects.
    public let prerollID: String
    /// Where the user will be logged in, for display.
    public let appName: String
    /// The URL of an icon to show with it.
    public let appIconURL: String
    /// The login that waits at a console or browser; nil if the backend is not mpind, or if the session has
    /// ended.
    public let request: LoginRequest?
}

/// A login that waits for an approval, as mpind describes it. Each text has at most 64 octets, with a
/// question mark for every character that cannot be shown. Show the texts unchanged, and nothing in them as a
/// link.
public struct LoginRequest: Equatable, Sendable {
    /// The name of the login host.
    public let host: String
    /// The service that the user logs in to, `sshd` for example.
    public let service: String
    /// The account on the host; empty for a web page.
    public let account: String
    /// What a web page says about itself; empty for a console. It is not verified: the client that opened the
    /// session wrote it. Show it apart from the other texts, in quotation marks, as what the page says.
    public let page: String
    /// From where the login comes: a numeric address, or `local:` and a uid. For a web page the uid is one of
    /// the server's machine, for example a proxy's.
    public let source: String
    /// When the login began, in seconds since 1970-01-01 UTC by the server's clock.
    public let time: UInt64

    init(_ details: ApprovalDetails) {
        let texts = [details.host, details.service, details.account, details.source, details.page].map {
            presentable(String(decoding: $0, as: UTF8.self), limit: 64)
        }
        (host, service, account, source, page) = (texts[0], texts[1], texts[2], texts[3], texts[4])
        time = details.seconds
    }
}

/// A login that waits at a console for this user, see ``Client/waiting(for:)``.
public struct PendingLogin: Equatable, Sendable {
    /// Who wants to log in where.
    public let request: LoginRequest
    /// The 32 hexadecimal digits that the console's QR code has, for the calls that answer the login.
    public let accessCode: String
    /// The seven digits that the console shows.
    public let number: String
    /// How many seconds the login waits in all, from ``LoginRequest/time`` on.
    public let life: Int
}
