// SPDX-License-Identifier: Apache-2.0
// Sentences that say why a text is not accepted as a new PIN.
import MPinProof

extension Failure {
    init(_ fault: PINFault) {
        let sentence =
            switch fault {
            case .tooShort:
                "A PIN has at least \(PINPolicy.shortest) characters, and at least "
                    + "\(PINPolicy.shortestRemote) with --remote."
            case .shorterThanAsked(let least): "This server requires a PIN of at least \(least) characters."
            case .tooLong: "A PIN has at most \(PINPolicy.longest) characters."
            case .foreignCharacter: "A PIN has only letters, digits, blanks and signs of ASCII."
            case .repeated: "That repeats itself; it is among the first to be guessed."
            case .counted: "That counts up or down; it is among the first to be guessed."
            case .year: "That reads as a year; it is among the first to be guessed."
            case .date: "That reads as a date, and this server accepts no dates as PINs."
            case .accountName: "That is the account's name; it is among the first to be guessed."
            case .readsAsCode:
                "That looks like a code of six or sixteen letters, and a login would read it as one."
            }
        self.init(.refused, sentence)
    }
}
