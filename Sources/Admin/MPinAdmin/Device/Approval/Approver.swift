// SPDX-License-Identifier: Apache-2.0
// The user who types the PIN of a proof, and the result of that proof.
import MPin
import MPinConsole
import MPinProof
import MPinWire
import Secrets

/// Shows the user what they are about to prove, and asks for the PIN.
struct Approver {
    let dialogue: Dialogue
    let prompt: String
    /// The failure if the user cancels.
    let nothing: Failure
    private(set) var shown: ApprovalDetails?
    /// Why the user gave no PIN; nil if they did.
    private(set) var failure: Failure?

    init(_ dialogue: Dialogue, prompt: String, nothing: Failure) {
        self.dialogue = dialogue
        self.prompt = prompt
        self.nothing = nothing
    }

    /// The PIN; nil if the user cancels or it cannot be read: then nothing is proved and `failure` says why.
    mutating func answer(_ seen: ApprovalDetails?) -> Secret? {
        shown = seen
        let asked = dialogue.pin
        if asked.isTyped, let seen { for line in seen.lines { dialogue.tell(line) } }
        do throws(Failure) { return try asked.answer(prompt) } catch {
            failure = error.kind == .cancelled ? nothing : error
            return nil
        }
    }
}

/// The result of a proof.
struct Proved {
    let outcome: ApprovalOutcome
    /// Whether the proof was sent to be redeemed.
    let isRedeemed: Bool
    let seen: ApprovalDetails?
    /// The attempt id of the console's login, if one waits.
    let attempt: [UInt8]
    let logout: Logout?
    let tries: Tries?
    let hasNoNotice: Bool

    /// The sentences about wrong PINs that the owner of the token reads.
    var notices: [String] {
        if hasNoNotice {
            return [
                "The server's notice of wrong PINs since your last login is missing or not authentic. "
                    + "The connection may be intercepted."
            ]
        }
        return tries.map { $0.sentences(on: .server) } ?? []
    }
}
