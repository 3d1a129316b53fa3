// SPDX-License-Identifier: Apache-2.0
// The outcomes of a login, with the values that messages and log lines need.
package import MPin
package import MPinWire
package import Octets

/// How a login ends. pam_mpin(8), RESULTS, gives the PAM result of each case.
package enum Outcome: Equatable, Sendable {
    case granted(Grant)
    case refused(Refusal)
    /// There were too many wrong PINs. The seconds until the lock ends by itself; nil if it does not end by
    /// itself, or if the server did not report that.
    case blocked(releaseAfter: UInt32?)
    case revoked
    /// The client secret belongs to an older master secret: the user must enrol again.
    case secretExpired
    case notEnrolled(NotEnrolled)
    case unavailable(Unavailable)
    /// The user cancelled the login.
    case cancelled
    /// The PAM application could not ask the question, or gave no answer.
    case conversationFailed
    /// Settings, store, relay, seal or something else is not as it must be.
    case failed(Reason)
}

/// Why a user was let in. Only this target can make one, and it does so on one line (`Decision.outcome`).
package struct Grant: Equatable, Sendable {
    /// The proof that let the user in.
    package enum Basis: Equatable, Sendable {
        case identity(Proven)
        /// A backup code, how many are left, and what the server reported about the account. The code belongs
        /// to the account; it proves no identity.
        case backupCode(left: Int, CodeStanding)
    }
    package let proof: Basis
    /// The wrong tries of the PIN or device; nil for a backup code and without a sealed verdict.
    package let tries: Tries?

    init(_ proof: Basis, _ tries: Tries?) { (self.proof, self.tries) = (proof, tries) }

    /// The identity; nil for a backup code.
    package var proven: Proven? {
        if case .identity(let proven) = proof { proven } else { nil }
    }
}

/// What the server reported about an account that was let in by a backup code.
package enum CodeStanding: Equatable, Sendable {
    /// mpind sealed that the account is not revoked.
    case confirmed
    /// A Milagro server, which cannot be asked.
    case unasked
    /// There was no sealed answer now; the last one, which this host keeps, was good that many seconds ago.
    case kept(age: Int)
}

/// An identity whose proof the backend verified.
package struct Proven: Equatable, Sendable {
    /// From root's file, never from a response.
    package let label: [UInt8]
    /// The identity hash.
    package let id: IdentityHash
    package let way: AuthenticationMethod
    /// Whether the verdict was sealed for this host; false with a Milagro server and on a user's own device.
    package let sealed: Bool

    init(_ identity: Identity, by way: AuthenticationMethod, sealed: Bool) {
        (label, id) = (identity.label, identity.id)
        self.way = way
        self.sealed = sealed
    }
}

/// Why a user was refused who may try again, now or later.
package enum Refusal: Equatable, Sendable {
    /// The server found the proof wrong; the number of tries left, if it reports it.
    case wrongPIN(triesLeft: UInt16?)
    /// The typed text cannot be a PIN; nothing was sent.
    case noPIN
    /// The typed text cannot be an approval code; nothing was sent.
    case noCode
    /// The typed text is not the approval code of this session; nothing was sent.
    case wrongCode
    /// The six typed digits are not a valid one-time password of the account; the digits were not sent.
    case wrongOTP
    /// The typed text is not six digits; nothing was sent.
    case noOTP
    /// The sixteen typed letters are not an unused backup code of the account.
    case wrongBackupCode
    /// The typed text cannot be a backup code, and only a backup code was asked for.
    case noBackupCode
    /// The second device has not approved the session, or has denied it.
    case notApproved
    /// The proof came too late, or its session is over.
    case expired
    /// `remote-pin` permits no PIN here: never, or only after sshd has accepted a public key.
    case remotePINRefused
    /// The user took longer than the deadline permits; nothing was sent.
    case tooLate
}

/// Why a user has no login method here. `ignored` is true only if the store proves that this uid has no
/// enrolment and `unenrolled = ignore` is set.
package struct NotEnrolled: Equatable, Sendable {
    /// What is missing, or which rule prevents the login.
    package enum Cause: Equatable, Sendable {
        /// No passwd entry has this name.
        case unknownAccount
        /// The store has no file for this uid.
        case noFile
        /// The file lists no identity with a PIN on this host.
        case noPINHere
        /// The file lists no second device.
        case noPhone
        /// No backup codes were made, or none is left.
        case noBackupCodes
        /// `remote-pin = long` is set, and the PIN was not enrolled for remote logins.
        case notForRemote
        /// A rule of mpin.conf excludes the account.
        case excluded(Rule)

        /// The cause as a word for logs and programs.
        package var word: [UInt8] {
            switch self {
            case .unknownAccount: ascii("no-such-account")
            case .noFile: ascii("no-file")
            case .noPINHere: ascii("no-pin-here")
            case .noPhone: ascii("no-phone-here")
            case .noBackupCodes: ascii("no-backup-codes")
            case .notForRemote: ascii("no-remote-pin")
            case .excluded(.never): ascii("never")
            case .excluded(.users): ascii("users")
            case .excluded(.groups): ascii("groups")
            case .excluded(.networks): ascii("networks")
            }
        }
    }
    package let cause: Cause
    package let ignored: Bool

    package init(cause: Cause, ignored: Bool) {
        self.cause = cause
        self.ignored = ignored
    }
}

/// The backend could not be reached, or failed.
package struct Unavailable: Equatable, Sendable {
    /// The status of the relay's response; nil if the deadline ended the wait.
    package let status: UInt16?

    /// Why the other end was not trusted; nil if that was not the reason.
    package var distrust: Distrust? { status.flatMap { Distrust(status: $0) } }

    package init(status: UInt16?) { self.status = status }
}
