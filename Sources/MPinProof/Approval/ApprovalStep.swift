// SPDX-License-Identifier: Apache-2.0
// What an approval is for, what it asks of its driver, and how it ends.
package import MPin
package import MPinWire
package import Secrets

/// What somebody wants of their own device.
package enum ApprovalPurpose: Equatable, Sendable {
    case console(Scanned, denies: Bool)
    /// A login at an application: its session, 32 hex digits.
    case application(wid: [UInt8])
    case password
}

/// What an approval asks of its driver next.
package enum ApprovalStep: Equatable, Sendable {
    case ask(DeviceRequest)
    /// Show this, if there is something, and ask for the PIN.
    case show(ApprovalDetails?)
    case exchange(RelayRequest)
    case finished(ApprovalOutcome)
}

/// What the driver brings back from a step.
package enum ApprovalEvent: ~Copyable {
    case begin
    case told(DeviceResponse)
    /// The PIN; nothing typed approves nothing.
    case typed(Secret)
    case declined
    case received(RelayResponse)
    case transportBroken(TransportError)
}

/// How an approval ends.
package enum ApprovalOutcome: Equatable, Sendable {
    /// The approval code, for the console.
    case approved(code: [UInt8])
    /// For an application.
    case authorised(code: [UInt8])
    /// Six digits, and how long they are good.
    case password([UInt8], seconds: Int)
    /// Refused, with a proof: the console's login is over.
    case denied
    /// Nobody answered; the console goes on waiting.
    case declined
    /// Unknown, over, or somebody else's: the server tells no difference.
    case noSession
    /// What the server wants approved is not of the server asked, or not of this session.
    case otherOrigin
    case otherSession
    /// Tries left before a lock, where the server says.
    case wrongPIN(triesLeft: Int?)
    /// A lock that ends by itself, or a token that the server refuses; seconds, where the server says.
    case locked(seconds: Int?)
    /// Until an administrator ends it.
    case blocked
    case secretExpired
    /// The status of an answer that there should not be.
    case notUnderstood(status: UInt16)
    /// The proof did not come about, for a reason that every login may have.
    case unproved(Outcome)
}
