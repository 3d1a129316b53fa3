// SPDX-License-Identifier: Apache-2.0
// `mpin otp`: gets a one-time password for a console that asks for one.
import MPinProof
import MPinWire

/// A one-time password and how long it is valid.
package struct OTPReport: Report {
    let otp: String
    /// For how long it is valid; nil if the server did not say.
    let seconds: Int?
    let identity: String

    /// The digits in two groups, and how long they are valid.
    package var lines: [String] {
        let time = seconds.map { "\($0) seconds" } ?? "a short time"
        return ["\(otp.prefix(3)) \(otp.dropFirst(3)), good once and for \(time)."]
    }
}

extension TokenChoice {
    /// Asks for the PIN of the chosen token and gets a one-time password. Throws if there is none.
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
        return OTPReport(
            otp: text(digits), seconds: seconds > 0 ? seconds : nil, identity: hexText(identity.id))
    }
}
