// SPDX-License-Identifier: Apache-2.0
// The statuses and user states of Milagro's core, and what the HTTP status of each call means.

/// The result of a call. The raw values are the numbers of Milagro's core, 0 to 16.
///
/// Calls of ``Client`` return if they succeed and throw a ``ClientFailure`` otherwise, so no failure has the
/// status ``ok``; it is the status of a ``OneTimePassword`` that was made.
public enum Status: UInt8, Equatable, Sendable, CaseIterable {
    /// Success.
    case ok = 0
    /// The PIN was empty: the user typed none.
    case pinInputCancelled
    /// A token, share or challenge is invalid, or there is no memory or randomness for a secret. Nothing that
    /// was made with the value was sent.
    case cryptoError
    /// A storage cannot be read or written, or its content is invalid.
    case storageError
    /// The request was not carried out, was redirected, or leads to an address or server that is not trusted.
    /// With ``CurlHTTP`` the failure's message says why a server is not trusted: its certificate has expired,
    /// is self-signed, is for another name, and so on.
    case networkError
    /// The answer is not the JSON that this call requires.
    case responseParseError
    /// An argument is malformed, the call does not fit the user's state, or an earlier step is missing.
    case flowError
    /// The server refuses the user; mpind also does so during a lock.
    case identityNotAuthorized
    /// The user has not been confirmed yet, or the server does not know the registration any more.
    case identityNotVerified
    /// The server does not know the request any more: it came too late, or was used before.
    case requestExpired
    /// The user's registration is revoked, or suspended for a while: the server said so at a login, or gave
    /// no time permit. Keep the token: only an administrator knows which it is.
    case revoked
    /// The PIN was wrong; if the user's state is now ``UserState/blocked``, it was wrong too often. Or a new
    /// PIN is refused, see ``ClientFailure/refusedPIN``.
    case incorrectPIN
    /// The access number is malformed, no login waits at it, or this user may not approve that login.
    case incorrectAccessNumber
    /// An HTTP status of 500 or more.
    case httpServerError
    /// Any other HTTP status from 400 to 499.
    case httpRequestError
    /// The server no longer serves this program (HTTP status 406).
    case badUserAgent
    /// The server has a new master secret: the user must register again.
    case clientSecretExpired
}

/// The state of a user's registration.
public enum UserState: Equatable, Sendable, CaseIterable {
    /// The user was made but is unknown to the server, or was deleted.
    case invalid
    /// The server waits for a confirmation of who the user is.
    case startedRegistration
    /// The server requires no further confirmation.
    case activated
    /// The token is stored: the user can log in.
    case registered
    /// There were too many wrong PINs: the token is erased, and the user can only be deleted.
    case blocked
}

/// The HTTP calls of protocol 0.3 whose statuses have different meanings.
public enum Call: Equatable, Sendable, CaseIterable {
    /// Calls without statuses of their own.
    case clientSettings, service, codeStatus, passOne, passTwo
    /// PUT user, which begins a registration.
    case user
    /// GET signature, for the share of D-TA 1.
    case signature
    /// GET clientSecret of D-TA 2.
    case clientSecret
    /// GET timePermit of the RPS or of D-TA 2.
    case timePermit
    /// The redemption of a proof: for a login at this device, or for a session of a browser or console.
    case authenticate, mobileAuthenticate
}

extension Status {
    /// The meaning of an HTTP status as the answer to a call.
    ///
    /// - Parameters:
    ///   - call: the call that was answered.
    ///   - status: the HTTP status; 200 is ``Status/ok``.
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

    /// The meaning of a status from 400 to 499 that is special to a call; nil if there is none.
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
    /// The state after the answer to a call. Only two cases change it: the redemption of a registered user's
    /// proof with status 410, and a successful ``Call/user``.
    ///
    /// - Parameters:
    ///   - call: the call that was answered.
    ///   - status: the HTTP status.
    ///   - active: for ``Call/user``, whether the server requires no confirmation.
    public func after(_ call: Call, http status: Int, active: Bool = false) -> UserState {
        let redeems = call == .authenticate || call == .mobileAuthenticate
        if self == .registered, redeems, status == 410 { return .blocked }
        let begins = self == .invalid || self == .startedRegistration
        if begins, call == .user, status == 200 { return active ? .activated : .startedRegistration }
        return self
    }

    /// The state after the token was made and stored: ``UserState/registered`` for a user in registration,
    /// otherwise unchanged.
    public var finished: UserState {
        switch self {
        case .startedRegistration, .activated: .registered
        case .invalid, .registered, .blocked: self
        }
    }
}
