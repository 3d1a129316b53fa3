// SPDX-License-Identifier: Apache-2.0
// Sessions that a user may answer for from here: who asks, how to say no, and how an app gets one of its own.
import MPin
import MPinCurl
import MPinWire
import Octets

extension Client {
    /// Who wants to log in in the session of a code or number. The backend is told that the code has arrived.
    ///
    /// Show what it says before you ask for the PIN: a proof for this session holds for exactly that.
    ///
    /// - Parameters:
    ///   - accessCode: the seven digits, or the 32 hexadecimal digits that were scanned.
    ///   - user: who will answer, if that is known already. mpind answers ten look-ups by seven digits a
    ///     minute: to this user's device then, and otherwise to all strangers at this device's address
    ///     together.
    public func sessionDetails(accessCode: String, for user: User? = nil) throws(Failure) -> SessionDetails {
        details[accessCode] = nil
        var record: StoredRecord?
        if let user { record = try self.record(of: user, in: .registered) }
        let answer = try decoded(CodeStatusResponse.self, tell("wid", accessCode, by: record))
        var request: LoginRequest?
        if let octets = answer.seen?.octets {
            let place = try currentBackend().place
            guard let read = ApprovalDetails(decoding: octets), read.wid == [UInt8](accessCode.utf8),
                read.origin == [UInt8](place.seenOrigin.utf8)
            else { throw .answer("what the server shows belongs to another session or server") }
            details[accessCode] = read
            request = LoginRequest(read)
        }
        return SessionDetails(
            prerollID: answer.prerollID ?? answer.serverPrerollID ?? "",
            appName: answer.appName ?? answer.serverAppName ?? "",
            appIconURL: answer.appLogoURL ?? answer.serverAppLogoURL ?? "", request: request)
    }

    /// Tells the backend that the user will not answer for this session, which ends a browser's session at
    /// once: whoever scanned its picture may say so. A console of mpind hears it from a device that may
    /// answer for it, and from nobody else.
    ///
    /// - Parameters:
    ///   - accessCode: the 32 hexadecimal digits that were scanned, or the seven digits.
    ///   - user: who would have answered.
    public func abortSession(accessCode: String, for user: User? = nil) throws(Failure) {
        details[accessCode] = nil
        var record: StoredRecord?
        if let user { record = try self.record(of: user, in: .registered) }
        _ = try tell("abort", accessCode, by: record)
    }

    /// Refuses the login that waits in a session, by a proof that this is the user: console or browser hear
    /// it at once. Begin with ``startAuthentication(_:accessCode:)``.
    ///
    /// Throws ``Status/incorrectAccessNumber`` for a session that is over, or that somebody else approved.
    ///
    /// - Parameters:
    ///   - user: who was asked.
    ///   - pin: as it was typed; wiped.
    ///   - accessCode: the 32 hexadecimal digits that were scanned, or the seven digits.
    ///   - isForeign: the user says that somebody else began this login. For an hour mpind then shows the
    ///     user no logins from there, and its audit trail says so.
    public func deny(
        _ user: User, pin: consuming PIN, accessCode: String, isForeign: Bool = false
    ) throws(Failure) {
        let backend = try currentBackend()
        let target = try backend.target(
            backend.settings.mobileAuthenticateURL, "logins for browsers", trusting: trusted)
        let proof = try prove(user, pin, for: PassPurpose(wid: accessCode))
        _ = try redeem(proof, .mobileAuthenticate, at: target, denies: true, isForeign: isForeign)
        details[accessCode] = nil
    }

    /// Opens a session for the app itself, at the address that the app's server gave it.
    ///
    /// - Parameter authorizeURL: an address of the backend or of a trusted domain.
    /// - Returns: The session's access code.
    public func accessCode(authorizeURL: String) throws(Failure) -> String {
        let target = try currentBackend().place.target(named: authorizeURL, trusting: trusted)
        let answer = JSON(try send(.codeStatus, method: .post, to: target))
        guard let address = answer?["qrURL"]?.text, let hash = address.lastIndex(of: "#"),
            hash != address.index(before: address.endIndex)
        else { throw .answer("the server opened no session") }
        return String(address[address.index(after: hash)...])
    }

    /// Says to the backend how far a session has come here.
    func tell(_ status: String, _ accessCode: String, by record: StoredRecord? = nil) throws(Failure)
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

/// What a backend says of a session, see ``Client/sessionDetails(accessCode:for:)``. Any of the texts may be
/// empty.
public struct SessionDetails: Equatable, Sendable {
    /// The user who is expected.
    public let prerollID: String
    /// Where the user will be logged in.
    public let appName: String
    /// The URL of a picture that stands for it.
    public let appIconURL: String
    /// What a console or browser of mpind asks for; nil where the backend is another, or the session has
    /// ended.
    public let request: LoginRequest?
}

/// Who asks to be let in, as mpind knows it. Each text has at most 64 octets, with a question mark for every
/// sign that does not show; show it as it is, and nothing in it as a link.
public struct LoginRequest: Equatable, Sendable {
    /// The host's name.
    public let host: String
    /// What is logged in to there, `sshd` for example.
    public let service: String
    /// Empty for a web page.
    public let account: String
    /// What a web page says about itself; empty for a console. Nobody vouches for it: whoever opened the
    /// session wrote it. Show it apart from the other texts, in quotation marks, as what the page says.
    public let page: String
    /// A numeric address, or `local:` and a user id. For a web page that id is one of the server's machine, a
    /// proxy's perhaps.
    public let source: String
    /// In seconds since 1970-01-01 UTC.
    public let time: UInt64

    init(_ details: ApprovalDetails) {
        let texts = [details.host, details.service, details.account, details.source, details.page].map {
            presentable(String(decoding: $0, as: UTF8.self), limit: 64)
        }
        (host, service, account, source, page) = (texts[0], texts[1], texts[2], texts[3], texts[4])
        time = details.seconds
    }
}
