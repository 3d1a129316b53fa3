// SPDX-License-Identifier: Apache-2.0
// What a proof is made for.
package import MPin
import MPinWire
import Octets

/// What a proof is made for, and how that is said to the server.
package struct ProofPurpose: Sendable {
    /// X in y (seal.md, section 4); nil where a Milagro server draws y as it likes.
    let x: [UInt8]?
    /// The server must say how it made y. Where it need not, what it says must still be right.
    private(set) var isPromised = true
    private(set) var sealed = TaggedQuestion.none
    /// What the second device showed; else empty.
    private(set) var seen: [UInt8] = []
    /// The session; `0` is this login itself.
    private(set) var wid = ascii("0")
    private(set) var wantsOTP = false

    static func question(_ a: [UInt8], _ sealed: TaggedQuestion) -> ProofPurpose {
        ProofPurpose(x: a, sealed: sealed)
    }
    /// The session that somebody was shown.
    static func session(_ details: ApprovalDetails) -> ProofPurpose {
        ProofPurpose(x: details.purpose, seen: details.octets, wid: details.wid)
    }
    /// Nothing but the proof itself: it opens no console.
    static var itself: ProofPurpose { ProofPurpose(x: noPurpose) }
    /// The same, for a one-time password.
    static var password: ProofPurpose { ProofPurpose(x: noPurpose, wantsOTP: true) }
    /// As Milagro's clients prove, of whose proofs the WID alone says what they are for.
    static func unbound(wid: [UInt8] = ascii("0"), wantsOTP: Bool = false) -> ProofPurpose {
        ProofPurpose(x: nil, wid: wid, wantsOTP: wantsOTP)
    }
    /// As an app proves, whoever its server is: for what its user was shown, or for nothing but itself.
    ///
    /// - Parameters:
    ///   - shown: what the server says of the session; nil where there is none, or the server says nothing.
    ///   - wid: the session as it was typed or scanned; `0` for this login itself.
    ///   - isPromised: the server said at the registration that it would tell how it makes y. One that did
    ///     not may be a Milagro server, or an mpind that a user of Milagro's app was moved to.
    package static func app(
        shown: ApprovalDetails?, wid: [UInt8], wantsOTP: Bool, isPromised: Bool
    ) -> ProofPurpose {
        ProofPurpose(
            x: shown?.purpose ?? noPurpose, isPromised: isPromised, seen: shown?.octets ?? [], wid: wid,
            wantsOTP: wantsOTP)
    }
}
