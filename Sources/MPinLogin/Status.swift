// SPDX-License-Identifier: Apache-2.0
// The seventeen statuses and five states of Milagro's core, and which HTTP status of which call means which.

/// Numbered as Milagro's core numbers them.
package enum Status: UInt8, Equatable, Sendable, CaseIterable {
    case ok = 0
    case pinInputCancelled, cryptoError, storageError, networkError, responseParseError, flowError
    case identityNotAuthorized, identityNotVerified, requestExpired, revoked, incorrectPIN
    case incorrectAccessNumber, httpServerError, httpRequestError, badUserAgent, clientSecretExpired
}

package enum UserState: Equatable, Sendable, CaseIterable {
    case invalid, startedRegistration, activated, registered, blocked
}

/// The calls whose HTTP statuses mean different things.
package enum Call: Equatable, Sendable, CaseIterable {
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
    /// What an HTTP status means, or one of the four that no server sent (`Answer`).
    package init(_ call: Call, http status: UInt16) {
        switch status {
        case 200: self = .ok
        case 500...: self = .httpServerError
        case 400...499:
            self = Status.exception(call, status) ?? (status == 406 ? .badUserAgent : .httpRequestError)
        case 300...399, 0...2: self = .networkError
        default: self = .responseParseError
        }
    }

    /// Where a call departs from the rule that holds for all.
    private static func exception(_ call: Call, _ status: UInt16) -> Status? {
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
    package func after(_ call: Call, http status: UInt16, active: Bool = false) -> UserState {
        let redeems = call == .authenticate || call == .mobileAuthenticate
        if self == .registered, redeems, status == 410 { return .blocked }
        let begins = self == .invalid || self == .startedRegistration
        if begins, call == .user, status == 200 { return active ? .activated : .startedRegistration }
        return self
    }

    /// The state after the token was made and stored.
    package var finished: UserState {
        switch self {
        case .startedRegistration, .activated: .registered
        case .invalid, .registered, .blocked: self
        }
    }
}
