// SPDX-License-Identifier: Apache-2.0
// The record between the two passes of a login, and the try that pass 2 is.
import Octets

/// What y is bound to: the X of pass 1.
enum Binding: Equatable, Sendable {
    case nothing
    /// The hash A of a host's sealed question.
    case question(QuestionHash)
    /// The same for a question whose service is `change-pin`, and the account that it names.
    case changePIN(QuestionHash, account: [UInt8])
    /// SHA-256 of what a second device showed its user, and the wid of the session that it
    /// showed; empty if there was no session.
    case seen(PurposeHash, session: String)
}

/// How pass 2 finds its pass-1 record.
enum PassOneKey: Equatable, Sendable {
    /// For our clients: the n that was drawn for it, 32 octets. Every pass 1 has a record of its own.
    case n(ServerNonce)
    /// For Milagro clients: the peer's address. There is one record for each id and source, and a new one
    /// replaces it.
    case source(String)
}

/// A pass 1 that waits for its pass 2. An unknown id gets a record like any other.
struct PassOneRecord: Equatable, Sendable {
    let id: IdentityHash
    /// Where the login comes from, for notices and limits: host and address, host and caller's uid, or the
    /// peer's address.
    let source: String
    let u: [UInt8]
    let ut: [UInt8]
    let y: Challenge
    let binding: Binding
    /// The host whose sealed question came with it.
    let host: String?
    /// The epoch of that host's key that fits the question's tag.
    let hostEpoch: UInt32?
    let origin: TryOrigin
    /// True if it came with a host's seal or a right device tag. No record without one displaces it.
    var isTrusted: Bool = false
}

/// A pass 2 whose try has been counted and committed: only now may its proof be verified.
struct Verification: Equatable, Sendable {
    let passOne: PassOneRecord
    /// Nil for an unknown id.
    let identity: IdentityRecord?
    let counting: TryCounting
    /// If not nil, the counters refuse this try for so many seconds: nothing was counted, and the proof must
    /// be ignored.
    let lockedSeconds: UInt32?
    /// Tries that remain if this one is wrong.
    let triesLeft: UInt16
    /// The row of this try, which `finishVerification` removes if the proof is right.
    let tryNumber: Int64?
}

/// Returns the epoch of the device keys whose tag came with a pass 2; nil if there was no right tag.
typealias DeviceTagCheck = @Sendable (PassOneRecord, IdentityRecord) -> UInt32?

extension Metrics {
    /// Pass 2 verified a proof, whose try a lock may have refused.
    func verified(_ tried: Verification) {
        verifications.add()
        // A suspension refuses tries too, without any counter.
        guard tried.lockedSeconds != nil, tried.identity?.isSuspended != true,
            let counter = FailureCounter(tried.counting)
        else { return }
        triesRefused.add(counter)
    }
}
