// SPDX-License-Identifier: Apache-2.0
// The reports of `mpin enroll`: a PIN on this host, a phone, or a token on this device.
import MPinHostStore
import MPinLogin
import MPinProof
import MPinWire
import Octets

/// An account and its new PIN.
package struct EnrollReport: Report {
    let user: String
    let uid: UInt32
    let identity: IdentityReport
    /// Whether a login has shown that token and PIN match.
    let proved: Bool
    /// Ids of the identities whose PINs ended.
    let replaced: [String]
    private let failure: Failure?

    enum CodingKeys: CodingKey { case user, uid, identity, proved, replaced }

    /// Throws unless the enrolment stored a PIN: only then there is a report.
    /// - Parameter name: the user's name at the server.
    init(
        _ outcome: RegistrationOutcome, of name: String, at place: borrowing AccountStore, before: [Identity],
        hasCode: Bool
    ) throws(Failure) {
        let settings = place.settings
        // mpind lets every host register that it knows.
        if outcome == .notAuthorized, settings.answer == .sealed {
            throw Failure(.refused, ServerPlace(settings).unknownHost)
        }
        let account = text(place.account.name)
        let stored = try stored(outcome, of: name, settings, hasCode: hasCode) {
            Failure($0, settings, of: account)
        }
        identity = IdentityReport(stored.identity)
        failure = stored.unproved
        let after = try place.identities().map(\.id)
        user = String(decoding: place.account.name, as: UTF8.self)
        uid = place.account.uid
        proved = failure == nil
        replaced = before.map(\.id).filter { !after.contains($0) }.map { hexText($0) }
    }

    /// Why no login has proved the PIN.
    package var failures: [Failure] { failure.map { [$0] } ?? [] }

    /// The new PIN, and the PINs that ended.
    package var lines: [String] {
        var lines = ["\(shown(user)) has a PIN for \(shown(identity.label)) (\(identity.id8)) on this host."]
        if proved { lines[0] += " One login has proved it." }
        return lines + replaced.map { "The older PIN \($0.prefix(8)) has ended on this host." }
    }
}

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
