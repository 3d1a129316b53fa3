// SPDX-License-Identifier: Apache-2.0
// A web browser's session, which a second device approves: Milagro's kind, without a host and a seal.

/// What a web page opens.
package struct BrowserOpening: Equatable, Sendable {
    /// 32 hex digits.
    package let wid: String
    /// The access number; nil for a session that is shown as a QR code only.
    package let number: String?
    /// The account that the page named, for people to read.
    package let account: String
    package let requester: Requester
    /// The text that the browser polls with, and the ticket that it redeems after a device has approved.
    package let webOTTHash: WebTicketHash
    package let authOTTHash: TicketHash
    /// How long the session lives, in milliseconds.
    package let life: UnixMilliseconds

    package init(
        wid: String, number: String?, account: String, requester: Requester, webOTTHash: WebTicketHash,
        authOTTHash: TicketHash, life: UnixMilliseconds
    ) {
        (self.wid, self.number, self.account, self.requester) = (wid, number, account, requester)
        (self.webOTTHash, self.authOTTHash, self.life) = (webOTTHash, authOTTHash, life)
    }
}

/// How a browser's session is found.
package enum BrowserName: Equatable, Sendable {
    case session(SessionName)
    /// By the text that the browser polls with.
    case webOTT(WebTicketHash)
}

/// The state of a browser's session; it only moves forward.
package enum BrowserState: UInt8, Equatable, Sendable {
    case new = 0
    /// A device has read the number or the QR code.
    case scanned = 1
    /// The device's user has chosen an identity and will be asked for the PIN.
    case chosen = 2
    /// A good proof has approved it; the browser has not redeemed it yet.
    case approved = 3
    case redeemed = 4
    case loggedOut = 5
    /// Refused by the device, or the approver was revoked or suspended before it was redeemed.
    case ended = 6
}

/// A browser's session as the database has it.
package struct BrowserRecord: Equatable, Sendable {
    package let wid: String
    package let account: String
    package let source: String
    package let openedAt: UnixMilliseconds
    package let expiresAt: UnixMilliseconds
    /// The database's clock when this was read.
    package let readAt: UnixMilliseconds
    package let state: BrowserState
    package let approvedAt: UnixMilliseconds?
    /// The approver's identity in its present state.
    package let approver: IdentityRecord?
    /// The RPA's result of the login, for the device that waits for it.
    package let result: LoginResult

    package init(
        wid: String, account: String, source: String, openedAt: UnixMilliseconds,
        expiresAt: UnixMilliseconds, readAt: UnixMilliseconds, state: BrowserState,
        approvedAt: UnixMilliseconds?, approver: IdentityRecord?, result: LoginResult
    ) {
        (self.wid, self.account, self.source, self.state) = (wid, account, source, state)
        (self.openedAt, self.expiresAt, self.readAt) = (openedAt, expiresAt, readAt)
        (self.approvedAt, self.approver, self.result) = (approvedAt, approver, result)
    }

    /// Whether a device can still advance, approve or end it.
    package var isLive: Bool { state.rawValue <= BrowserState.approved.rawValue && expiresAt > readAt }

    /// Whether the browser may redeem the approval: for a minute from the proof.
    package var isRedeemable: Bool {
        state == .approved && approvedAt.map { $0 + Limits.verdictLife > readAt } ?? false
    }
}

/// The RPA's result of a login, and where and with what data the device can log out.
package struct LoginResult: Equatable, Sendable {
    /// An HTTP status; nil until the RPA has reported it.
    package let status: Int?
    package let logoutURL: String?
    /// JSON, as the RPA wrote it.
    package let logoutData: String?

    package init(status: Int?, logoutURL: String? = nil, logoutData: String? = nil) {
        (self.status, self.logoutURL, self.logoutData) = (status, logoutURL, logoutData)
    }
}

/// The session that an access number or a wid names.
package enum Waiting: Equatable, Sendable {
    case console(SessionRecord)
    case browser(BrowserRecord)
    case application(LiveApplicationSession)
}
