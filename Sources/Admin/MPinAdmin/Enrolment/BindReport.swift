// SPDX-License-Identifier: Apache-2.0
// The report of `mpin enroll --phone`: a phone that may approve logins as an account.
import MPinWire

/// A phone and the account that it is bound to.
package struct BindReport: Report {
    let user: String
    let uid: UInt32
    let identity: IdentityReport
    /// Whether the server lets the phone approve logins now. If not, `mpind user confirm` must come first.
    let confirmed: Bool

    init(_ report: AllowReport, isConfirmed: Bool) {
        (user, uid, identity) = (report.user, report.uid, report.identity)
        confirmed = isConfirmed
    }

    /// The binding, and what to do next: confirm the phone, or try it.
    package var lines: [String] {
        let bound = AllowReport(user: user, uid: uid, identity: identity).lines
        guard confirmed else {
            return bound + [
                "It was enrolled by a QR code, and must be confirmed before it approves logins. On the "
                    + "server:",
                "    sudo mpind user confirm \(shellWord(shown(identity.label))) --id \(identity.id)",
            ]
        }
        return bound + ["Try it now: sudo mpin test \(shellWord(shown(user)))"]
    }
}
