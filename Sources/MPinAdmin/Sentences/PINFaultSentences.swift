// SPDX-License-Identifier: Apache-2.0
// Why something typed is not taken as a new PIN.
import MPinProof

extension Failure {
    init(_ fault: PINFault) {
        let sentence =
            switch fault {
            case .tooShort:
                "A PIN has \(PINPolicy.shortest) characters at least, and \(PINPolicy.shortestRemote) with "
                    + "--remote."
            case .shorterThanAsked(let least): "This server asks for a PIN of \(least) characters at least."
            case .tooLong: "A PIN has \(PINPolicy.longest) characters at most."
            case .foreignCharacter: "A PIN has letters, digits, blanks and signs of ASCII only."
            case .repeated: "That repeats itself; it is among the first to be guessed."
            case .counted: "That counts up or down; it is among the first to be guessed."
            case .year: "That reads as a year; it is among the first to be guessed."
            case .date: "That reads as a date, and this server takes no dates as PINs."
            case .accountName: "That is the account's name; it is among the first to be guessed."
            case .readsAsCode: "That reads as a code of six or sixteen letters, and would be taken for one."
            }
        self.init(.refused, sentence)
    }
}
