// SPDX-License-Identifier: Apache-2.0
// How a login ends: one case for each row of the table of outcomes, with what a sentence or a log line needs.
package import MPin
package import MPinWire
import Octets

/// How a login ends. pam_mpin(8), RESULTS, gives the PAM result of each case.
package enum Outcome: Equatable, Sendable {
    case granted(Grant)
    case refused(Refusal)
    /// Too many wrong PINs; seconds until the lock ends by itself, nil if an administrator must end it or
    /// nobody said.
    case blocked(releaseAfter: UInt32?)
    case revoked
    /// The client secret is of a finished epoch: the identity must be enrolled again.
    case secretExpired
    case notEnrolled(NotEnrolled)
    case unavailable(Unavailable)
    /// The person broke the login off.
    case cancelled
    /// The caller could not put the question, or had no answer to give.
    case conversationFailed
    /// Settings, store, relay, seal, or anything else that is not as it must be.
    case failed(Reason)
}

/// What somebody was let in by. Only this target can make one, and does so on one line
/// (`Decision.outcome`).
package struct Grant: Equatable, Sendable {
    /// The proof that let somebody in.
    package enum Basis: Equatable, Sendable {
        case identity(Proven)
        /// A backup code, how many are left, and what the server said of the account. It is the account's; no
        /// identity proved itself.
        case backupCode(left: Int, CodeStanding)
    }
    package let proof: Basis
    /// Of the PIN or device that let in; nil for a backup code and with a Milagro server.
    package let tries: Tries?

    init(_ proof: Basis, _ tries: Tries?) { (self.proof, self.tries) = (proof, tries) }

    /// nil: a backup code.
    package var proven: Proven? {
        if case .identity(let proven) = proof { proven } else { nil }
    }
}

/// What the server said of an account that was let in by a backup code.
package enum CodeStanding: Equatable, Sendable {
    /// mpind sealed that the account is not revoked.
    case confirmed
    /// A Milagro server, which nobody can ask.
    case unasked
    /// No sealed answer came, but this status: the code stood alone.
    case unanswered(status: UInt16)
}

/// An identity that the backend found to be who it says.
package struct Proven: Equatable, Sendable {
    /// From root's file, never from an answer.
    package let label: [UInt8]
    /// Hash of the identity, 32 octets.
    package let id: [UInt8]
    package let way: AuthenticationMethod
    /// Whether the verdict was sealed for this host; false with a Milagro server alone.
    package let sealed: Bool

    init(_ identity: Identity, by way: AuthenticationMethod, sealed: Bool) {
        (label, id) = (identity.label, identity.id)
        self.way = way
        self.sealed = sealed
    }
}

/// Somebody who may try again, now or later.
package enum Refusal: Equatable, Sendable {
    /// The server found the proof wrong; tries left if it says.
    case wrongPIN(triesLeft: UInt16?)
    /// What was typed is no PIN; nothing was sent.
    case noPIN
    /// What was typed is no approval code; nothing was sent.
    case noCode
    /// An approval code, and not that of this session; nothing was sent.
    case wrongCode
    /// Six digits, and no living one-time password of the account; what was typed was not sent.
    case wrongOTP
    /// What was typed is no six digits; nothing was sent.
    case noOTP
    /// Sixteen letters, and no unused backup code of the account.
    case wrongBackupCode
    /// What was typed is no backup code, and nothing else was asked for.
    case noBackupCode
    /// The second device has not approved the session, or has denied it.
    case notApproved
    /// The proof came too late, or its session is over.
    case expired
    /// `remote-pin` lets nobody type a PIN here: no public key was accepted before, or never at all.
    case remotePINRefused
    /// The person took longer than the deadline allows; nothing was sent.
    case tooLate
}

/// Why somebody has no way in here. `ignored` is true in one case alone: the store proves that nobody with
/// this uid is enrolled, and `unenrolled = ignore`.
package struct NotEnrolled: Equatable, Sendable {
    /// What is missing, or which rule stands in the way.
    package enum Cause: Equatable, Sendable {
        /// No passwd entry has this name.
        case unknownAccount
        /// The store has no file of this uid.
        case noFile
        /// The file lists no identity with a PIN on this host.
        case noPINHere
        /// The file lists no second device.
        case noPhone
        /// No backup codes were made, or none is left.
        case noBackupCodes
        /// `remote-pin = long`, and the PIN was not enrolled for that.
        case notForRemote
        /// A rule of mpin.conf leaves the account out.
        case excluded(Rule)

        /// For logs and programs.
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

/// The backend could not be reached. `ignored` is true only where nothing came in this login but the
/// network's word that the server is away, and `unavailable = ignore`.
package struct Unavailable: Equatable, Sendable {
    /// The status of the relay's answer; nil where the deadline ended the wait.
    package let status: UInt16?
    package let ignored: Bool

    /// Why the other end was not trusted; nil where that was not the reason.
    package var distrust: Distrust? { status.flatMap { Distrust(status: $0) } }

    package init(status: UInt16?, ignored: Bool) {
        self.status = status
        self.ignored = ignored
    }
}
