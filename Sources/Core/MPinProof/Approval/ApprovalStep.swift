// SPDX-License-Identifier: Apache-2.0
// The purposes, steps, events and outcomes of an approval.
package import MPin
package import MPinWire
package import Secrets

/// What a user wants from their second device.
package enum ApprovalPurpose: Equatable, Sendable {
    case console(Scanned, denies: Bool)
    /// A login to an application; `wid` is its session, 32 hexadecimal digits.
    case application(wid: [UInt8])
    case password
}

/// What the driver of an approval must do next.
package enum ApprovalStep: Equatable, Sendable {
    case ask(DeviceRequest)
    /// Show these details, if there are any, and ask for the PIN.
    case show(ApprovalDetails?)
    case exchange(RelayRequest)
    case finished(ApprovalOutcome)
}

/// The result of a step, which the driver passes to the approval.
package enum ApprovalEvent: ~Copyable {
    case begin
    case told(DeviceResponse)
    /// The typed PIN; an empty one declines.
    case typed(Secret)
    case declined
    case received(RelayResponse)
    case transportBroken(TransportError)
}

/// How an approval ends.
package enum ApprovalOutcome: Equatable, Sendable {
    /// The approval code, for the console; empty for a browser and a Milagro server.
    case approved(code: [UInt8])
    /// The authorization code, for an application.
    case authorised(code: [UInt8])
    /// The one-time password, six digits, and for how many seconds it is valid; 0 if the server did not say.
    case password([UInt8], seconds: Int)
    /// The user refused the login, with a proof: the console's login is over.
    case denied
    /// The user did not answer; the console continues to wait.
    case declined
    /// The session is unknown, over, or another user's: the server does not distinguish these.
    case noSession
    /// The approval details name another server than the one that sent them.
    case otherOrigin
    /// The approval details name another session.
    case otherSession
    /// The session is an application's, and only the application's own client may finish its login. No PIN
    /// was asked for.
    case application(named: [UInt8])
    /// The user wanted to refuse, but the token's server does not bind proofs, and would take the proof for
    /// an approval. No PIN was asked for.
    case noRefusal
    /// The number of tries before the next lock, if the server reports it.
    case wrongPIN(triesLeft: Int?)
    /// The server refuses the device for a time; the number of seconds, if the server reports it.
    case locked(seconds: Int?)
    /// The server refuses the device until an administrator unlocks it or the user sets a new PIN.
    case blocked
    case secretExpired
    /// The server sent an unexpected response with this status.
    case notUnderstood(status: UInt16)
    /// The proof failed for a reason that can occur in every login.
    case unproved(Outcome)
}
