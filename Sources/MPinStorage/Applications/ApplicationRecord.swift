// SPDX-License-Identifier: Apache-2.0
// Applications that let people in by an authorization code: who they are, their sessions, their codes.

package struct ApplicationRecord: Equatable, Sendable {
    /// 32 hex digits, public.
    package let clientID: String
    /// For people; no two applications have the same.
    package let name: String
    /// Where codes may be sent; compared octet by octet. The first stands where none was named.
    package let redirectURIs: [String]

    package init(clientID: String, name: String, redirectURIs: [String]) {
        (self.clientID, self.name, self.redirectURIs) = (clientID, name, redirectURIs)
    }
}

/// What a request to authorize opened: one login to one application.
package struct ApplicationSession: Equatable, Sendable {
    /// The access code: 32 hex digits.
    package let wid: String
    package let clientID: String
    package let redirectURI: String
    /// Where the request came from.
    package let source: String

    package init(wid: String, clientID: String, redirectURI: String, source: String) {
        (self.wid, self.clientID, self.redirectURI, self.source) = (wid, clientID, redirectURI, source)
    }
}

/// A session that lives, with its application.
package struct LiveApplicationSession: Equatable, Sendable {
    package let session: ApplicationSession
    package let application: ApplicationRecord
    package let openedAt: UnixMilliseconds
    package let expiresAt: UnixMilliseconds
    /// The database's clock when this was read.
    package let readAt: UnixMilliseconds

    package init(
        session: ApplicationSession, application: ApplicationRecord, openedAt: UnixMilliseconds,
        expiresAt: UnixMilliseconds, readAt: UnixMilliseconds
    ) {
        (self.session, self.application) = (session, application)
        (self.openedAt, self.expiresAt, self.readAt) = (openedAt, expiresAt, readAt)
    }
}

/// What an authorization code is made for.
package enum CodePlace: Equatable, Sendable {
    /// The live session with this wid, which it uses up.
    case session(String)
    /// The application with this client id, and its first redirect URI.
    case application(String)
}

/// An authorization code that was used up.
package struct AuthorizationCode: Equatable, Sendable {
    package let clientID: String
    package let redirectURI: String
    /// Who proved himself, as he stands now.
    package let mpin: MpinRecord
    /// It was used within its life.
    package let isLive: Bool

    package init(clientID: String, redirectURI: String, mpin: MpinRecord, isLive: Bool) {
        (self.clientID, self.redirectURI, self.mpin, self.isLive) = (clientID, redirectURI, mpin, isLive)
    }
}
