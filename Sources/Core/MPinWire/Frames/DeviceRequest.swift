// SPDX-License-Identifier: Apache-2.0
// The requests of a second device beyond those of a login. A device runs no relay, so there are no frames for
// them.
package import Octets

/// A request to the server on behalf of a second device.
package enum DeviceRequest: Equatable, Sendable {
    /// Asks which login waits; `wid` is the session's 32 hexadecimal digits or its access number.
    case look(wid: [UInt8], by: DeviceTag? = nil)
    /// Reports that this user is about to answer for that session.
    case choose(wid: [UInt8], userID: [UInt8], by: DeviceTag? = nil)
    /// Redeems the ticket of a proof to approve its session, or to refuse it.
    case approve(ticket: [UInt8], denies: Bool)
    /// Redeems the ticket of a proof without a session of a host: it activates a one-time password or logs in
    /// to an application.
    case redeem(ticket: [UInt8])
    /// Ends a login that the device approved.
    case logOut(Logout)
    /// Begins a login to an application by its authorize URL.
    case authorize(url: [UInt8])
    /// Asks for the server's description of itself.
    case service
}

/// Which device sends the request, and the tag that proves it.
package struct DeviceTag: Equatable, Sendable {
    /// The identity hash.
    package let id: IdentityHash
    /// 32 octets, made with the device key.
    package let tag: [UInt8]

    package init(id: IdentityHash, tag: [UInt8]) {
        self.id = id
        self.tag = tag
    }
}

/// The address and the values with which a second device ends a login that it approved.
package struct Logout: Equatable, Sendable {
    /// A path at the backend, or a URL with the backend's origin.
    package let url: [UInt8]
    package let userID: [UInt8]
    package let token: [UInt8]

    package init(url: [UInt8], userID: [UInt8], token: [UInt8]) {
        self.url = url
        self.userID = userID
        self.token = token
    }
}

/// The server's response to such a request.
package struct DeviceResponse: Equatable, Sendable {
    /// An HTTP status, or a status of `RelayResponse` or `Distrust`.
    package let status: UInt16
    /// Only at status 200.
    package let body: Body?
    /// What the server reports about the device's tries, at any status.
    package let word: DeviceWord

    package init(status: UInt16, body: Body? = nil, word: DeviceWord = DeviceWord()) {
        self.status = status
        self.body = body
        self.word = word
    }

    /// The content of a successful response, a case for each request.
    package enum Body: Equatable, Sendable {
        /// `seen`, which the device shows and to which it binds its proof, and the console's attempt id (8
        /// octets; empty for an application). Both are empty if no login waits.
        case look(seen: [UInt8], attempt: [UInt8])
        case chosen
        /// The approval code that the console waits for (empty after a refusal), and how to end the approved
        /// login, if the server reports that.
        case approved(code: [UInt8], logout: Logout? = nil)
        /// How many seconds the one-time password is valid, 0 if there is none; an application's
        /// authorization code, empty if there is none.
        case redeemed(seconds: Int, code: [UInt8])
        case loggedOut
        /// The session, 32 hexadecimal digits.
        case authorizing(wid: [UInt8])
        /// `isOurs`: whether it is mpind.
        case service(name: [UInt8], url: [UInt8], isOnline: Bool, isOurs: Bool)
    }
}

/// What mpind reports beside its verdict on a device's proof if the proof's tag was right (seal-devices.md,
/// section 14).
package struct DeviceWord: Equatable, Sendable {
    /// How many wrong tries remain: after a refusal, before the next lock; after a grant, before the block.
    package var triesLeft: Int?
    /// The seconds that a lock still lasts.
    package var retryAfter: Int?
    package var isRevoked = false
    /// The notice of wrong tries and its tag under the device key; both are empty if there is none.
    package var notice: [UInt8] = []
    package var noticeTag: [UInt8] = []
    /// The device key of a newer epoch and its tag under the old key; both are empty if there is none.
    package var deviceKey: [UInt8] = []
    package var deviceKeyTag: [UInt8] = []

    package init() {}
}

/// A transport that also carries these requests.
package protocol DeviceTransport: ~Copyable, Transport {
    mutating func exchange(_ request: DeviceRequest) throws(TransportError) -> DeviceResponse
}
