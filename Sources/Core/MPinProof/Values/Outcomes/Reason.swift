// SPDX-License-Identifier: Apache-2.0
// The reasons for which a login fails without a decision: for the log, never for the user at the prompt.
package import MPin
package import MPinWire
package import Octets

/// What was not as it must be. A login that ends with such a reason is denied.
package enum Reason: Error, Equatable, Sendable {
    case settings(SettingsError)
    case store(StoreError)
    case account(AccountError)
    /// The calling process is not root's, so it cannot read M-Pin's files, and it asks for an account that it
    /// does not run as, or more than that account's rights are at stake.
    case callerNotRoot
    /// The relay could not start, died, or broke a frame.
    case transport(TransportError)
    /// A response with an unexpected status, or without a usable body.
    case answer(Kind, status: UInt16)
    case seal(SealFault)
    case mathematics(MPinError)
    case deviceKey(DeviceKeyFault)
    /// A text is too long for a sealed question.
    case questionTooLong
    case outOfMemory
    case noRandomness
    /// The state machine got an event that it did not expect.
    case outOfTurn
}

/// Why a second device has no device key, without which its proofs count as a stranger's.
package enum DeviceKeyFault: Equatable, Sendable {
    /// The server sent none at the registration, or one of another length than 32 octets.
    case notGiven
    /// It is no longer stored with the token.
    case lost
}

/// What is wrong with something that the backend should have sealed, or bound, for this question.
package enum SealFault: Equatable, Sendable {
    case missing
    /// Something is sealed or bound although this client expects no seal, for example with `answer =
    /// unsealed`.
    case unexpected
    case malformed
    case wrongTag
    /// The tag is right, but the verdict answers another question of this host.
    case otherQuestion
    /// The verdict is for another authentication method.
    case otherWay
    /// The verdict grants to an identity that may not log in here by this method.
    case otherIdentity
    /// y is not bound to the purpose of this proof.
    case wrongChallenge
    /// This host's key cannot decrypt a share of a client secret.
    case wrongShare
    /// A grant has no valid notice of wrong tries for this question.
    case noNotice
}
