// SPDX-License-Identifier: Apache-2.0
// A web browser's session, which a second device approves: Milagro's own, without a host and without a seal.

package struct BrowserOpening: Equatable, Sendable {
    /// 32 hex digits.
    package let wid: String
    /// Nil for a session that is shown as a QR alone.
    package let number: String?
    /// What the page said that it is about; for people.
    package let account: String
    package let source: String
    /// SHA-256 of what the browser polls with, and of what it redeems once a device has approved; 32 octets.
    package let webOTTHash: [UInt8]
    package let authOTTHash: [UInt8]
    package let life: UnixMilliseconds

    package init(
        wid: String, number: String?, account: String, source: String, webOTTHash: [UInt8],
        authOTTHash: [UInt8], life: UnixMilliseconds
    ) {
        (self.wid, self.number, self.account, self.source) = (wid, number, account, source)
        (self.webOTTHash, self.authOTTHash, self.life) = (webOTTHash, authOTTHash, life)
    }
}

/// How a browser's session is named.
package enum BrowserName: Equatable, Sendable {
    case session(SessionName)
    /// SHA-256 of what the browser polls with, 32 octets.
    case webOTT([UInt8])
}

/// Where a browser's session stands; it moves forward only.
package enum BrowserState: UInt8, Equatable, Sendable {
    case new = 0
    /// A device has read the number or the QR.
    case scanned = 1
    /// Its user has chosen himself, and will be asked for his PIN.
    case chosen = 2
    /// By a good proof; the browser has not redeemed it yet.
    case approved = 3
    case redeemed = 4
    case loggedOut = 5
    /// Refused, or revoked before it was redeemed.
    case ended = 6
}

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
    /// As he stands now.
    package let approver: MpinRecord?
    /// What the RPA said of the login, for the device that waits to hear it.
    package let result: LoginResult

    package init(
        wid: String, account: String, source: String, openedAt: UnixMilliseconds,
        expiresAt: UnixMilliseconds, readAt: UnixMilliseconds, state: BrowserState,
        approvedAt: UnixMilliseconds?, approver: MpinRecord?, result: LoginResult
    ) {
        (self.wid, self.account, self.source, self.state) = (wid, account, source, state)
        (self.openedAt, self.expiresAt, self.readAt) = (openedAt, expiresAt, readAt)
        (self.approvedAt, self.approver, self.result) = (approvedAt, approver, result)
    }

    /// A device may still do something about it.
    package var isLive: Bool { state.rawValue <= BrowserState.approved.rawValue && expiresAt > readAt }

    /// The browser may redeem the approval, for a minute from the proof.
    package var isRedeemable: Bool {
        state == .approved && approvedAt.map { $0 + Limits.verdictLife > readAt } ?? false
    }
}

/// What an RPA made of a login, and what the device may end it with.
package struct LoginResult: Equatable, Sendable {
    /// An HTTP status; nil until the RPA has said it.
    package let status: Int?
    package let logoutURL: String?
    /// JSON, as the RPA wrote it.
    package let logoutData: String?

    package init(status: Int?, logoutURL: String? = nil, logoutData: String? = nil) {
        (self.status, self.logoutURL, self.logoutData) = (status, logoutURL, logoutData)
    }
}

/// Who waits behind a number or a wid.
package enum Waiting: Equatable, Sendable {
    case console(SessionRecord)
    case browser(BrowserRecord)
    case application(LiveApplicationSession)
}
