// SPDX-License-Identifier: Apache-2.0
// Applications that let users in by an authorization code: their records, sessions and codes.

/// A registered application (docs/GLOSSARY.md): a client that obtains authorization codes.
package struct ApplicationRecord: Equatable, Sendable {
    /// 32 hex digits, public.
    package let clientID: String
    /// The name that administrators use; unique.
    package let name: String
    /// The addresses to which codes may be sent, compared octet by octet. The first one is used if a request
    /// names none.
    package let redirectURIs: [String]

    package init(clientID: String, name: String, redirectURIs: [String]) {
        (self.clientID, self.name, self.redirectURIs) = (clientID, name, redirectURIs)
    }
}

/// One login to one application, opened by an authorization request.
package struct ApplicationSession: Equatable, Sendable {
    /// The access code: 32 hex digits.
    package let wid: String
    package let clientID: String
    package let redirectURI: String
    /// Limits how many sessions one source, and one network, may have.
    package let requester: Requester

    package init(wid: String, clientID: String, redirectURI: String, requester: Requester) {
        (self.wid, self.clientID, self.redirectURI) = (wid, clientID, redirectURI)
        self.requester = requester
    }
}

/// A session that has not expired, with its application.
package struct LiveApplicationSession: Equatable, Sendable {
    package let session: ApplicationSession
    package let application: ApplicationRecord
    package let openedAt: UnixMilliseconds
    package let expiresAt: UnixMilliseconds
    /// The database's clock when this was read.
    package let readAt: UnixMilliseconds
    /// Where the request that opened it came from.
    package var source: String { session.requester.source }

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
    /// The identity that logged in, in its present state.
    package let identity: IdentityRecord
    /// True if the code was used before it expired.
    package let isLive: Bool

    package init(clientID: String, redirectURI: String, identity: IdentityRecord, isLive: Bool) {
        (self.clientID, self.redirectURI, self.identity, self.isLive) = (
            clientID, redirectURI, identity, isLive
        )
    }
}
