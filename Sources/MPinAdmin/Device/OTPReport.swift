// SPDX-License-Identifier: Apache-2.0
// `mpin otp`: a one-time password, for consoles that ask for one.
import MPinProof
import MPinWire

/// A one-time password and how long it is good.
package struct OTPReport: Report {
    let otp: String
    let seconds: Int
    let identity: String

    /// The digits in two groups, and for how long.
    package var lines: [String] {
        ["\(otp.prefix(3)) \(otp.dropFirst(3)), good once and for \(seconds) seconds."]
    }
}

extension TokenChoice {
    /// Asks for the PIN of the token that is meant and takes a password. Throws why there is none.
    package func password(_ dialogue: Dialogue) throws(Failure) -> OTPReport {
        let token = try token()
        let (identity, settings) = (token.identity, token.settings)
        try dialogue.pin.checkServer(personal: settings)
        var line = try token.connected()
        let person = Approver(
            dialogue, prompt: "PIN for \(text(identity.label)): ",
            nothing: Failure(.cancelled, "No password was taken."))
        let proved = try token.prove(.password, over: &line, person)
        guard case .password(let digits, let seconds) = proved.outcome else {
            throw Failure(proved.outcome, settings, nothing: "There is no password.")
        }
        for notice in proved.notices { dialogue.tell(notice) }
        return OTPReport(otp: text(digits), seconds: seconds, identity: hexText(identity.id))
    }
}
