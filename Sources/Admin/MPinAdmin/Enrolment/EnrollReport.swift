// SPDX-License-Identifier: Apache-2.0
// The report of an enrolment of a PIN on this host.
import MPinProof
import MPinHostStore
import MPinWire

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
