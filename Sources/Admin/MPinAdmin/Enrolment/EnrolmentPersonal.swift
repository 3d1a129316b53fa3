// SPDX-License-Identifier: Apache-2.0
// `mpin enroll --personal`: enrols this device, so that it can approve logins elsewhere.
import MPinCurl
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

extension Enrolment {
    /// Enrols a personal token on this device.
    func enrolPersonally() throws(Failure) -> PersonalReport {
        let home = PersonalBackend(
            alsoOrigins: alsoOrigins.map { [UInt8](serverAddress($0).utf8) }, caFile: server.caFile)
        let settings = try personalSettings([UInt8]((server.backends.first ?? "").utf8), home)
        let tokens = try PersonalStore.make(server.store)
        let before = try tokens.identities()
        let identity = name ?? ""
        let label = [UInt8](identity.utf8)
        // The part before the @ is a likely guess at the PIN, so the PIN policy gets it as the account's
        // name.
        let account = Account(
            uid: tokens.account.uid, gid: tokens.account.gid, name: [UInt8](label.prefix { $0 != 0x40 }))
        let demand = try pinDemand(personal: settings)
        guard try isOurs(settings) else { throw Failure(personal: .seal(.missing), settings) }
        let secret = try newPIN(
            dialogue.pin, for: label, account: account.name, remote: false, demand: demand)
        let code = try activationCode(dialogue, of: identity, isOurs: true)
        dialogue.progress("Computing a slow hash of the PIN ...")
        let request = try request(
            settings, account, named: identity, from: machineName(), among: before,
            asking: demand, resuming: tokens.pending(), code: code, personal: home)
        var registration: Registration
        do {
            registration = try Registration(request, pin: secret, hostKey: nil, nonce: freshNonce)
        } catch { throw Failure(error, settings) }
        let outcome = drive(
            &registration, of: tokens.account, host: [], in: tokens.store,
            progress: { step in if let words = step.words(settings) { dialogue.progress(words) } },
            connect: { () throws(TransportError) in try connected(settings) })
        let stored = try stored(outcome, of: identity, settings, hasCode: !code.isEmpty) {
            Failure(personal: $0, settings)
        }
        let after = try tokens.identities().map(\.id)
        return PersonalReport(
            stored.identity, at: settings, replaced: before.map(\.id).filter { !after.contains($0) },
            unproved: stored.unproved)
    }
}

/// Whether the server says that it is mpind: only mpind binds the proofs of a device to what its user sees. A
/// Milagro server is not asked to register anybody, which would send a mail.
private func isOurs(_ settings: Settings) throws(Failure) -> Bool {
    let response = try personalAnswer(to: .service, settings)
    guard case .service(_, _, _, let isOurs)? = response.body else {
        guard response.status == 404 || response.status == 403 else {
            throw Failure(response.status, settings)
        }
        return false
    }
    return isOurs
}
