// SPDX-License-Identifier: Apache-2.0
// Who is asked for the PIN of a proof, and what came of the proof.
import MPin
import MPinConsole
import MPinProof
import MPinWire
import Secrets

/// Who looks at what is to be proved and types the PIN.
struct Approver {
    let dialogue: Dialogue
    let prompt: String
    /// Where nothing came of it.
    let nothing: Failure
    private(set) var shown: ApprovalDetails?
    /// Why there was no answer.
    private(set) var failure: Failure?

    init(_ dialogue: Dialogue, prompt: String, nothing: Failure) {
        self.dialogue = dialogue
        self.prompt = prompt
        self.nothing = nothing
    }

    /// nil: broken off, with nothing proved.
    mutating func answer(_ seen: ApprovalDetails?) -> Secret? {
        shown = seen
        let asked = dialogue.pin
        if asked.isTyped, let seen { for line in seen.lines { dialogue.tell(line) } }
        do throws(Failure) { return try asked.answer(prompt) } catch {
            failure = error.trouble == .cancelled ? nothing : error
            return nil
        }
    }
}

/// What came of a proof.
struct Proved {
    let outcome: ApprovalOutcome
    let seen: ApprovalDetails?
    /// Of the console, if one waits.
    let attempt: [UInt8]
    let logout: Logout?
    let tries: Tries?
    let hasNoNotice: Bool

    /// What the owner of the token is told of wrong PINs.
    var notices: [String] {
        if hasNoNotice {
            return [
                "The server's notice of wrong PINs since your last login is missing or not authentic. "
                    + "Somebody may be in between."
            ]
        }
        return tries.map { $0.sentences(on: .server) } ?? []
    }
}
