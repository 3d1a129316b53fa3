// SPDX-License-Identifier: Apache-2.0
// The seventeen statuses and five states of Milagro's core, and which HTTP status of which call means which.

/// What a call of the client came to, numbered as Milagro's core numbers it.
///
/// Calls of ``Client`` return when they succeed and throw a ``Failure`` otherwise, so ``ok`` stands in no
/// failure; it is the status of a ``OneTimePassword`` that was made.
public enum Status: UInt8, Equatable, Sendable, CaseIterable {
    case ok = 0
    /// The PIN was empty: whoever was asked gave none.
    case pinInputCancelled
    /// A token, share or challenge is not what it must be; nothing was sent that was made with it.
    case cryptoError
    /// A storage cannot be read or written, or what it holds makes no sense.
    case storageError
    /// The request was not carried out, was redirected, or leads to an address or server that is not trusted.
    /// With ``CurlHTTP`` the failure's message says why a server is not trusted: its certificate has expired,
    /// is self-signed, is for another name, and so on.
    case networkError
    /// The answer is not the JSON that this call is answered with.
    case responseParseError
    /// The call does not fit the user's state, or what must come before it did not.
    case flowError
    /// The server refuses the user.
    case identityNotAuthorized
    /// The user has not been verified yet, or the registration is unknown by now.
    case identityNotVerified
    case requestExpired
    /// The server has withdrawn the user's registration or suspends it for a while, and says so to a login or
    /// gives no time permit. Keep the token: only an administrator knows which it is.
    case revoked
    /// The PIN was wrong; where the user's state is ``UserState/blocked`` since then, once too often. Or a
    /// new PIN is refused, see ``Failure/refusedPIN``.
    case incorrectPIN
    case incorrectAccessNumber
    /// An HTTP status of 500 and more.
    case httpServerError
    /// Any other HTTP status of 400 and more.
    case httpRequestError
    /// The server does not serve this program any more.
    case badUserAgent
    /// The server's master secret is another by now: the user must register anew.
    case clientSecretExpired
}

/// How far a user's registration has come.
public enum UserState: Equatable, Sendable, CaseIterable {
    /// Made, and unknown to the server; or deleted.
    case invalid
    /// The server waits for somebody to confirm who the user is.
    case startedRegistration
    /// The server asks for no confirmation.
    case activated
    /// The token is there: the user can log in.
    case registered
    /// Too many wrong PINs: the token is erased, and the user can only be deleted.
    case blocked
}

/// The calls whose HTTP statuses mean different things.
public enum Call: Equatable, Sendable, CaseIterable {
    case clientSettings, service, codeStatus, passOne, passTwo
    case user
    case signature
    /// Of D-TA 2.
    case clientSecret
    /// Of the RPS and of D-TA 2.
    case timePermit
    case authenticate, mobileAuthenticate
}

extension Status {
    /// What an HTTP status means as the answer to a call.
    public init(_ call: Call, http status: Int) {
        switch status {
        case 200: self = .ok
        case 500...: self = .httpServerError
        case 400...499:
            self = Status.exception(call, status) ?? (status == 406 ? .badUserAgent : .httpRequestError)
        case 300...399, ..<100: self = .networkError
        default: self = .responseParseError
        }
    }

    /// Where a call departs from the rule that holds for all.
    private static func exception(_ call: Call, _ status: Int) -> Status? {
        switch call {
        case .clientSettings, .service, .codeStatus, .passOne, .passTwo: nil
        case .user: status == 403 ? .identityNotAuthorized : nil
        case .signature: status == 400 || status == 401 ? .identityNotVerified : nil
        case .clientSecret: status == 408 ? .requestExpired : nil
        case .timePermit: status == 410 ? .revoked : nil
        case .authenticate, .mobileAuthenticate:
            switch status {
            case 401, 410: .incorrectPIN
            case 403: .identityNotAuthorized
            case 408: .requestExpired
            case 409: .clientSecretExpired
            case 412: .incorrectAccessNumber
            default: nil
            }
        }
    }
}

extension UserState {
    /// The state after a call; whatever is not said here changes nothing.
    public func after(_ call: Call, http status: Int, active: Bool = false) -> UserState {
        let redeems = call == .authenticate || call == .mobileAuthenticate
        if self == .registered, redeems, status == 410 { return .blocked }
        let begins = self == .invalid || self == .startedRegistration
        if begins, call == .user, status == 200 { return active ? .activated : .startedRegistration }
        return self
    }

    /// The state after the token was made and stored.
    public var finished: UserState {
        switch self {
        case .startedRegistration, .activated: .registered
        case .invalid, .registered, .blocked: self
        }
    }
}
