// SPDX-License-Identifier: Apache-2.0
// The report of `mpin enroll --personal`.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets

/// A personal token, for approvals.
package struct PersonalReport: Report {
    let identity: IdentityReport
    /// Whether a login has shown that token and PIN match.
    let proved: Bool
    /// Ids of the tokens that this one replaced.
    let replaced: [String]
    private let origin: String
    private let failure: Failure?

    enum CodingKeys: CodingKey { case identity, proved, replaced, origin }

    init(_ identity: Identity, at settings: Settings, replaced: [IdentityHash], unproved: Failure?) {
        self.identity = IdentityReport(identity)
        self.replaced = replaced.map(hexText)
        proved = unproved == nil
        origin = text(settings.backends.first?.origin ?? [])
        failure = unproved
    }

    /// The account that the identity is named after, as `mpin setup` names them.
    private var account: String {
        shellWord(shown(String(identity.label.split(separator: "@").first ?? "ACCOUNT")))
    }

    /// Why no login has proved the PIN.
    package var failures: [Failure] { failure.map { [$0] } ?? [] }

    /// What the device can do, which tokens it replaced, and how an administrator binds it at a host.
    package var lines: [String] {
        var lines = ["This device can approve logins of \(shown(identity.label)) at \(origin)."]
        if proved { lines[0] += " One login has proved it." }
        for old in replaced {
            lines += [
                "The older token \(old.prefix(8)) was removed from this device. Copies of it stay valid "
                    + "until you run this on the server:", "    sudo mpind user revoke --id \(old)",
            ]
        }
        return lines + [
            "", "Its id, for the administrator of a host (\(identity.id8) for short):", "    \(identity.id)",
            "who binds it there by: sudo mpin enroll \(account) --bind --identity "
                + shellWord(shown(identity.label)),
        ]
    }
}
