// SPDX-License-Identifier: Apache-2.0
// What a second device asks beside the questions of a login. It runs no relay, so no frame carries these.

/// A request to the server on behalf of a second device.
package enum DeviceRequest: Equatable, Sendable {
    /// Who wants to log in: the session by its 32 hex digits or its number.
    case look(wid: [UInt8], by: DeviceTag? = nil)
    /// Somebody is about to answer for that session.
    case choose(wid: [UInt8], userID: [UInt8], by: DeviceTag? = nil)
    /// Redeems a proof for its session, or refuses that session with it.
    case approve(ticket: [UInt8], denies: Bool)
    /// Redeems a proof for nothing of a console's: a one-time password lives then, or an application lets in.
    case redeem(ticket: [UInt8])
    /// Ends what was approved.
    case logOut(Logout)
    /// Begins a login at an application by its authorize URL.
    case authorize(url: [UInt8])
    /// What the server says of itself.
    case service
}

/// Which device asks, and what shows that it is this device.
package struct DeviceTag: Equatable, Sendable {
    /// Hash of the identity, 32 octets.
    package let id: [UInt8]
    package let tag: [UInt8]

    package init(id: [UInt8], tag: [UInt8]) {
        self.id = id
        self.tag = tag
    }
}

/// Where and with what a second device ends what it approved.
package struct Logout: Equatable, Sendable {
    /// A path at the backend, or a URL of its origin.
    package let url: [UInt8]
    package let userID: [UInt8]
    package let token: [UInt8]

    package init(url: [UInt8], userID: [UInt8], token: [UInt8]) {
        self.url = url
        self.userID = userID
        self.token = token
    }
}

/// The server's answer to one of them.
package struct DeviceResponse: Equatable, Sendable {
    /// An HTTP status, or one of the four of `RelayResponse`.
    package let status: UInt16
    /// There at status 200 alone.
    package let body: Body?
    /// What the server says about the device's tries, at any status.
    package let word: DeviceWord

    package init(status: UInt16, body: Body? = nil, word: DeviceWord = DeviceWord()) {
        self.status = status
        self.body = body
        self.word = word
    }

    /// What a good answer holds, a case for each request.
    package enum Body: Equatable, Sendable {
        /// `seen` as it is to be shown and proved, and the console's attempt id (8 octets), empty for
        /// an application; both empty where nobody waits.
        case look(seen: [UInt8], attempt: [UInt8])
        case chosen
        /// The approval code that the console waits for, empty where it was refused; and how to end what was
        /// approved, where the server says.
        case approved(code: [UInt8], logout: Logout? = nil)
        /// How many seconds a one-time password lives, 0 if there is none; an application's authorization
        /// code, empty if there is none.
        case redeemed(seconds: Int, code: [UInt8])
        case loggedOut
        /// The session, 32 hex digits.
        case authorizing(wid: [UInt8])
        case service(name: [UInt8], url: [UInt8], isOnline: Bool)
    }
}

/// What mpind says beside its verdict on a device's proof, once the proof's tag was right.
package struct DeviceWord: Equatable, Sendable {
    /// Wrong tries that are left: in a row, or, with a grant, of the hundred.
    package var triesLeft: Int?
    /// For how many seconds a lock lasts.
    package var retryAfter: Int?
    package var isRevoked = false
    /// The wrong tries since the last login, and the tag of the device key over them; empty without.
    package var notice: [UInt8] = []
    package var noticeTag: [UInt8] = []
    /// The device key of a new epoch, and the tag of the old one over it; empty without.
    package var deviceKey: [UInt8] = []
    package var deviceKeyTag: [UInt8] = []

    package init() {}
}

/// A line that carries these requests beside those of a login.
package protocol DeviceTransport: ~Copyable, Transport {
    mutating func exchange(_ question: DeviceRequest) throws(TransportError) -> DeviceResponse
}
