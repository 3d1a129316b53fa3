// SPDX-License-Identifier: Apache-2.0
// `mpin change-pin`: a new PIN on this host, authorised by a login with the old one.
import CPlatform
import FoundationEssentials
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Secrets

/// Replaces the PIN of an account by a new one, at the same server.
package struct PINChange {
    private let server: ServerChoice
    private let dialogue: Dialogue

    /// A change at a server; the dialogue gives the old PIN and the new one.
    package init(at server: ServerChoice, _ dialogue: Dialogue) {
        (self.server, self.dialogue) = (server, dialogue)
    }

    /// Asks for both PINs and changes the PIN of an account; nil: of the one that runs sudo. Throws if the
    /// PIN was not changed, or if there is no account: the PIN of a personal token cannot be changed.
    package func run(of user: String?) throws(Failure) -> EnrollReport {
        let caller = String(decoding: variable("SUDO_USER"), as: UTF8.self)
        let user = user ?? caller
        guard !user.isEmpty else { throw .personalChange }
        let settings = try server.settings(enrolment: true)
        guard settings.answer == .sealed else { throw .needsSeal(user) }
        let account = try findAccount(user)
        _ = try openStore(settings.store)
        let place = try AccountStore(settings, account)
        let before = try place.identities()
        var registration = try registration(place, before)
        let outcome = place.run(&registration) { dialogue.progress($0) }
        if outcome == .notVerified { throw .oldPINRefused }
        return try EnrollReport(outcome, of: user, at: place, before: before, hasCode: false)
    }

    /// The registration of a change, or of the rest of one that was interrupted.
    private func registration(
        _ place: borrowing AccountStore, _ identities: [Identity]
    ) throws(Failure) -> Registration {
        let current = try place.credential()
        let label = current.identity.label
        let demand = try pinDemand(place.settings)
        let isBroken = identities.count { $0.pin != nil } > 1
        if isBroken {
            dialogue.tell(
                "mpin: An earlier change of this PIN was interrupted. Finish it first: type the new PIN of "
                    + "that change."
            )
            // A program gives both PINs, perhaps on one descriptor, so the old one must be read first.
            if !dialogue.pin.isTyped { _ = try dialogue.pin.answer("") }
            let typed = try known(dialogue.newPIN, "The new PIN of that change, for \(text(label)): ")
            let request = try request(at: place, for: current.identity, among: identities, asking: demand)
            do { return try Registration(request, finishing: current, pin: typed, nonce: freshNonce) } catch {
                throw Failure(error, place.settings)
            }
        }
        let old = try known(dialogue.pin, "Old PIN for \(text(label)): ")
        let fresh = try newPIN(
            dialogue.newPIN, for: label, account: place.account.name,
            remote: current.identity.pin?.remote == true, demand: demand)
        guard !constantTimeEqual(old, fresh) else { throw .samePIN }
        dialogue.progress("Computing slow hashes of the PINs ...")
        let request = try request(at: place, for: current.identity, among: identities, asking: demand)
        guard let key = try place.hostKey() else { throw .needsSeal(text(place.account.name)) }
        do {
            return try Registration(
                request, pin: fresh, hostKey: key, replacing: current, oldPIN: old, nonce: freshNonce)
        } catch { throw Failure(error, place.settings) }
    }

    /// Asks for an existing PIN. Text that cannot be a PIN is never sent, so it does not count as a try.
    private func known(_ asked: SecretInput, _ prompt: String) throws(Failure) -> Secret {
        let typed = try asked.answer(prompt)
        guard typed.count > 0 || !asked.isTyped else { throw .cancelled }
        guard PINPolicy.canBePIN(typed) else { throw .impossiblePIN }
        return typed
    }

    private func request(
        at place: borrowing AccountStore, for current: Identity, among identities: [Identity],
        asking demand: PINDemand
    ) throws(Failure) -> RegistrationRequest {
        let salt: [UInt8]
        do { salt = try randomOctets(16) } catch { throw .noRandomness }
        let context = LoginContext(
            service: place.settings.service, askedFor: place.account, realUID: getuid())
        return RegistrationRequest(
            context: context, userID: try userID(current), activationCode: [], deviceName: place.host,
            backend: place.settings.backends.first?.address ?? [], enrolled: currentTime(),
            remote: current.pin?.remote == true, rule: .scrypt(.standard, salt: salt),
            known: identities.map(\.id), pending: nil, label: current.label, demand: demand)
    }

    /// The user's name at the server, from the mpinId.
    private func userID(_ identity: Identity) throws(Failure) -> [UInt8] {
        struct Name: Decodable { let userID: String }
        do {
            let name = try JSONDecoder().decode(Name.self, from: Data(identity.pin?.mpinID ?? []))
            return [UInt8](name.userID.utf8)
        } catch {
            throw Failure(.store, "The file of this account has no name in it. Enrol the account again.")
        }
    }
}

extension Failure {
    fileprivate static let personalChange = Failure(
        .refused,
        "Name an account. To change the PIN of your own device, enrol it again, with a new code: 'mpin "
            + "enroll --personal --identity NAME --backend ADDRESS'.")
    fileprivate static func needsSeal(_ user: String) -> Failure {
        Failure(
            .settings,
            "A Milagro server cannot change a PIN by means of the old one. Enrol the account again: 'sudo "
                + "mpin enroll \(shellWord(shown(user))) --identity NAME'.")
    }
    fileprivate static let oldPINRefused = Failure(
        .refused,
        "The server does not take the old PIN: it was wrong, or is locked or blocked. Nothing was changed.")
    fileprivate static let samePIN = Failure(.refused, "That is your current PIN. Choose another one.")
}
