// SPDX-License-Identifier: Apache-2.0
// Why a login failed that should have been decided: for the log, never for the person at the prompt.
package import MPin
package import MPinWire

/// What was not as it must be. A login that ends with one is denied.
package enum Reason: Error, Equatable, Sendable {
    case settings(SettingsError)
    case store(StoreError)
    case account(AccountError)
    /// The relay could not start, died, or broke a frame.
    case transport(TransportError)
    /// An answer with this status, or without its body, where the machine cannot use it.
    case answer(Kind, status: UInt16)
    case seal(SealFault)
    case mathematics(MPinError)
    case deviceKey(DeviceKeyFault)
    /// A text of the question is longer than a sealed question may hold.
    case questionTooLong
    case outOfMemory
    case noRandomness
    /// An event that the machine did not wait for.
    case outOfTurn
}

/// Why a second device has no device key, without which its proofs count as a stranger's.
package enum DeviceKeyFault: Equatable, Sendable {
    /// The server gave none at the registration, or not 32 octets.
    case notGiven
    /// None stands beside the token any more.
    case lost
}

/// What is wrong with something that the backend should have sealed, or bound, for this question.
package enum SealFault: Equatable, Sendable {
    case missing
    /// A seal came although the settings say `answer = unsealed`.
    case unexpected
    case malformed
    case wrongTag
    /// The tag is right, but the answer is to another question of this host.
    case otherQuestion
    case otherWay
    /// Granted to an identity other than the one that proved itself.
    case otherIdentity
    /// y is not the hash of what this proof is for.
    case wrongChallenge
    /// A share of a client secret that this host's key does not open.
    case wrongShare
    /// A grant without the notice of wrong tries, or with one of another question.
    case noNotice
}
