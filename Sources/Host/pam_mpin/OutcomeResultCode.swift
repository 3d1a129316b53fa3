// SPDX-License-Identifier: Apache-2.0
// The only table that maps the outcome of a login to PAM's result code; its last line is denial.
import CPAM
import MPinLogin
import MPinProof

extension Unasked {
    var resultCode: CInt { letsIn ? PAM_SUCCESS : PAM_IGNORE }
}

extension Outcome {
    /// - Parameter remote: in remote services every refusal has the same code, so that a stranger does not
    ///   learn who is enrolled, blocked or revoked.
    func resultCode(remote: Bool) -> CInt {
        switch self {
        case .granted: PAM_SUCCESS
        case .refused: PAM_AUTH_ERR
        case .blocked: remote ? PAM_AUTH_ERR : PAM_MAXTRIES
        case .revoked: remote ? PAM_AUTH_ERR : PAM_PERM_DENIED
        case .secretExpired: remote ? PAM_AUTH_ERR : PAM_CRED_EXPIRED
        case .notEnrolled(let why) where why.ignored: PAM_IGNORE
        case .notEnrolled: remote ? PAM_AUTH_ERR : PAM_USER_UNKNOWN
        // Whoever begins many logins at once brings this about.
        case .unavailable(let why) where why.status == 429: PAM_AUTH_ERR
        case .unavailable: PAM_AUTHINFO_UNAVAIL
        case .cancelled: PAM_ABORT
        case .conversationFailed: PAM_CONV_ERR
        case .failed: PAM_SERVICE_ERR
        }
    }

    var isGranted: Bool {
        if case .granted = self { true } else { false }
    }

    /// Whether the user was refused and may be guessing: such an outcome is delayed.
    var isRefusal: Bool {
        switch self {
        case .refused, .blocked, .revoked, .secretExpired: true
        case .notEnrolled(let why): !why.ignored
        case .granted, .unavailable, .cancelled, .conversationFailed, .failed: false
        }
    }
}
