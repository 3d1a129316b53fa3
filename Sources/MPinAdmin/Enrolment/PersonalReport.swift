// SPDX-License-Identifier: Apache-2.0
// What came of `mpin enroll --personal`.
import MPinLogin
import MPinProof
import MPinStore
import MPinWire

/// A token of one's own, for approvals.
package struct PersonalReport: Report {
    let identity: IdentityReport
    /// Whether one login has shown that token and PIN fit.
    let proved: Bool
    /// Ids of the tokens that ended.
    let replaced: [String]
    private let origin: String
    private let failure: Failure?

    enum CodingKeys: CodingKey { case identity, proved, replaced, origin }

    init(_ identity: Identity, at settings: Settings, replaced: [[UInt8]], unproved: Failure?) {
        self.identity = IdentityReport(identity)
        self.replaced = replaced.map(hexText)
        proved = unproved == nil
        origin = text(settings.backends.first?.origin ?? [])
        failure = unproved
    }

    /// Why no login has proved the PIN.
    package var failures: [Failure] { failure.map { [$0] } ?? [] }

    /// What the device can do, and how a host binds it.
    package var lines: [String] {
        var lines = ["This device can approve logins of \(shown(identity.label)) at \(origin)."]
        if proved { lines[0] += " One login has proved it." }
        for old in replaced {
            lines += [
                "The older token \(old.prefix(8)) is gone from this device. Copies of it stay valid until "
                    + "this runs at the server:", "    sudo mpind user revoke --id \(old)",
            ]
        }
        return lines + [
            "", "Its id, for the administrator of a host (\(identity.id8) for short):", "    \(identity.id)",
            "who binds it there by: sudo mpin enroll USER --bind --identity "
                + shellWord(shown(identity.label)),
        ]
    }
}
