// SPDX-License-Identifier: Apache-2.0
// Applications that let users in by an authorization code: their records, sessions and codes.
import MPinDatabase

/// A registered application (docs/GLOSSARY.md): a client that obtains authorization codes.
struct ApplicationRecord: Equatable, Sendable {
    /// 32 hex digits, public.
    let clientID: String
    /// The name that administrators use; unique.
    let name: String
    /// The addresses to which codes may be sent, compared octet by octet. The first one is used if a request
    /// names none.
    let redirectURIs: [String]
}

/// One login to one application, opened by an authorization request.
struct ApplicationSession: Equatable, Sendable {
    /// The access code: 32 hex digits.
    let wid: String
    let clientID: String
    let redirectURI: String
    /// Limits how many sessions one source, and one network, may have.
    let requester: Requester
}

/// A session that has not expired, with its application.
package struct LiveApplicationSession: Equatable, Sendable {
    let session: ApplicationSession
    let application: ApplicationRecord
    let openedAt: UnixMilliseconds
    let expiresAt: UnixMilliseconds
    /// The database's clock when this was read.
    let readAt: UnixMilliseconds
    /// Where the request that opened it came from.
    var source: String { session.requester.source }
}

/// What an authorization code is made for.
enum CodePlace: Equatable, Sendable {
    /// The live session with this wid, which it uses up.
    case session(String)
    /// The application with this client id, and its first redirect URI.
    case application(String)
}

/// An authorization code that was used up.
struct AuthorizationCode: Equatable, Sendable {
    let clientID: String
    let redirectURI: String
    /// The identity that logged in, in its present state.
    let identity: IdentityRecord
    /// True if the code was used before it expired.
    let isLive: Bool
}
