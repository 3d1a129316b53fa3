// SPDX-License-Identifier: Apache-2.0
// `mpin enroll --personal`: makes this device one that approves logins elsewhere.
import MPinLogin
import MPinProof
import MPinWire

extension EnrollCommand {
    func enrolPersonally() throws(Failure) -> PersonalReport {
        let home = PersonalBackend(
            alsoOrigins: alsoOrigin.map { [UInt8]($0.utf8) }, caFile: server.caFile.map(absolute))
        let settings = try personalSettings([UInt8]((server.backend.first ?? "").utf8), home)
        let tokens = try PersonalStore.make(store.store)
        let before = try tokens.identities()
        let name = [UInt8](identity.utf8)
        // What stands before the @ is the first guess at somebody's PIN.
        let account = Account(
            uid: tokens.account.uid, gid: tokens.account.gid, name: [UInt8](name.prefix { $0 != 0x40 }))
        let demand = try pinDemand(personal: settings)
        let secret = try newPIN(.pin(pin), for: name, account: account.name, remote: false, demand: demand)
        let letters = try activationCode(code, isOurs: true)
        progress("Computing a slow hash of the PIN ...")
        let request = try request(
            settings, account, named: identity, from: machineName(), among: before,
            asking: demand, resuming: tokens.pending(), letters, home)
        var registration: Registration
        do {
            registration = try Registration(request, pin: secret, hostKey: nil, nonce: freshNonce)
        } catch { throw Failure(error, settings) }
        let outcome = drive(
            &registration, of: tokens.account, host: [], in: tokens.store,
            progress: { step in if let words = step.words(settings) { progress(words) } },
            connect: { () throws(TransportError) in try connected(settings) })
        let stored = try stored(outcome, settings, hasCode: !letters.isEmpty) {
            Failure(personal: $0, settings)
        }
        let after = try tokens.identities().map(\.id)
        return PersonalReport(
            stored.identity, at: settings, replaced: before.map(\.id).filter { !after.contains($0) },
            unproved: stored.unproved)
    }
}

struct PersonalReport: Report {
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

    var failures: [Failure] { failure.map { [$0] } ?? [] }

    var lines: [String] {
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
