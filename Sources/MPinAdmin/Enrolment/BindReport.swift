// SPDX-License-Identifier: Apache-2.0
// What came of `mpin enroll --phone`: a phone that may approve logins as an account.
import MPinWire

/// A phone and the account that it is bound to.
package struct BindReport: Report {
    let user: String
    let uid: UInt32
    let identity: IdentityReport
    /// Whether the server lets the phone approve logins; if not, it waits for `mpind user confirm`.
    let confirmed: Bool

    init(_ report: AllowReport, isConfirmed: Bool) {
        (user, uid, identity) = (report.user, report.uid, report.identity)
        confirmed = isConfirmed
    }

    /// That it may, or how it is confirmed.
    package var lines: [String] {
        let bound = AllowReport(user: user, uid: uid, identity: identity).lines
        guard confirmed else {
            return bound + [
                "It was enrolled by a picture, and must be confirmed before it approves logins. On the "
                    + "server:",
                "    sudo mpind user confirm \(shellWord(shown(identity.label))) --id \(identity.id)",
            ]
        }
        return bound + ["Try it now: sudo mpin test \(shellWord(shown(user)))"]
    }
}
