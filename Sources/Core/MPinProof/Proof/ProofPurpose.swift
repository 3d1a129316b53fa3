// SPDX-License-Identifier: Apache-2.0
// The purpose of a proof.
package import MPin
import MPinWire
import Octets

/// The purpose of a proof, and the values by which the server learns it.
package struct ProofPurpose: Sendable {
    /// X in y (seal.md, section 4); nil with a Milagro server, which draws y at random.
    let x: PurposeHash?
    /// Whether the server must send n, so that y can be checked. If it sends n without having to, y must
    /// still be right.
    private(set) var isPromised = true
    private(set) var sealed = TaggedQuestion.none
    /// What the second device showed; otherwise empty.
    private(set) var seen: [UInt8] = []
    /// The session; `0` if the proof is not for a session.
    private(set) var wid = ascii("0")
    private(set) var wantsOTP = false

    static func question(_ a: QuestionHash, _ sealed: TaggedQuestion) -> ProofPurpose {
        ProofPurpose(x: PurposeHash(a), sealed: sealed)
    }
    /// For the session whose approval details the user saw.
    static func session(_ details: ApprovalDetails) -> ProofPurpose {
        ProofPurpose(x: details.purpose, seen: details.octets, wid: details.wid)
    }
    /// For the device itself; the proof opens no session.
    static var itself: ProofPurpose { ProofPurpose(x: noPurpose) }
    /// For a one-time password.
    static var password: ProofPurpose { ProofPurpose(x: noPurpose, wantsOTP: true) }
    /// The purpose of proofs like those of Milagro's clients: only the WID names it.
    static func unbound(wid: [UInt8] = ascii("0"), wantsOTP: Bool = false) -> ProofPurpose {
        ProofPurpose(x: nil, wid: wid, wantsOTP: wantsOTP)
    }
    /// The purpose of a proof by an app with any server: what its user was shown, or the device itself.
    ///
    /// - Parameters:
    ///   - shown: the approval details of the session; nil if there is no session or the server sent none.
    ///   - wid: the session as typed or scanned; `0` if the proof is not for a session.
    ///   - wantsOTP: whether the app requests a one-time password.
    ///   - isPromised: whether the server announced at the registration that it binds y. If it did not, it
    ///     may be a Milagro server, or an mpind to which a user of Milagro's app was moved.
    package static func app(
        shown: ApprovalDetails?, wid: [UInt8], wantsOTP: Bool, isPromised: Bool
    ) -> ProofPurpose {
        ProofPurpose(
            x: shown?.purpose ?? noPurpose, isPromised: isPromised, seen: shown?.octets ?? [], wid: wid,
            wantsOTP: wantsOTP)
    }
}
