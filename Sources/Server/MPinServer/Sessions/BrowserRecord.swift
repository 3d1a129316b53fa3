// SPDX-License-Identifier: Apache-2.0
// A web browser's session, which a second device approves: Milagro's kind, without a host and a seal.
import MPinDatabase

/// What a web page opens.
struct BrowserOpening: Equatable, Sendable {
    /// 32 hex digits.
    let wid: String
    /// The access number; nil for a session that is shown as a QR code only.
    let number: String?
    /// The account that the page named, for people to read.
    let account: String
    let requester: Requester
    /// The text that the browser polls with, and the ticket that it redeems after a device has approved.
    let webOTTHash: WebTicketHash
    let authOTTHash: TicketHash
    /// How long the session lives, in milliseconds.
    let life: UnixMilliseconds
}

/// How a browser's session is found.
enum BrowserName: Equatable, Sendable {
    case session(SessionName)
    /// By the text that the browser polls with.
    case webOTT(WebTicketHash)
}

/// The state of a browser's session; it only moves forward.
enum BrowserState: UInt8, Equatable, Sendable {
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
struct BrowserRecord: Equatable, Sendable {
    let wid: String
    let account: String
    let source: String
    let openedAt: UnixMilliseconds
    let expiresAt: UnixMilliseconds
    /// The database's clock when this was read.
    let readAt: UnixMilliseconds
    let state: BrowserState
    let approvedAt: UnixMilliseconds?
    /// The approver's identity in its present state.
    let approver: IdentityRecord?
    /// The RPA's result of the login, for the device that waits for it.
    let result: LoginResult

    /// Whether a device can still advance, approve or end it.
    var isLive: Bool { state.rawValue <= BrowserState.approved.rawValue && expiresAt > readAt }

    /// Whether the browser may redeem the approval: for a minute from the proof.
    var isRedeemable: Bool {
        state == .approved && approvedAt.map { $0 + Limits.verdictLife > readAt } ?? false
    }
}

/// The RPA's result of a login, and where and with what data the device can log out.
struct LoginResult: Equatable, Sendable {
    /// An HTTP status; nil until the RPA has reported it.
    let status: Int?
    var logoutURL: String? = nil
    /// JSON, as the RPA wrote it.
    var logoutData: String? = nil
}

/// The session that an access number or a wid names.
enum Waiting: Equatable, Sendable {
    case console(SessionRecord)
    case browser(BrowserRecord)
    case application(LiveApplicationSession)
}
