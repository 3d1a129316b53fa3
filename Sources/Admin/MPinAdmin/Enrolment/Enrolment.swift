// SPDX-License-Identifier: Apache-2.0
// `mpin enroll`: enrols a PIN of an account on this host, a second device of an account, or a token of the
// user's own on this device.
import MPinLogin
import MPinProof
import MPinHostStore
import Secrets

/// What the command line says about an enrolment, and the dialogue that asks for the rest.
package struct Enrolment {
    /// The account; nil for a personal token.
    package var user: String?
    /// The user's name at the server; nil: it is made from account and host.
    package var name: String?
    /// Whether the server runs on this machine, so that root gets the activation code from it.
    package var isHere = false
    /// Whether the PIN alone is to be enough for remote logins.
    package var isRemote = false
    /// The name of this registration in the server's list; nil: the host's name.
    package var device: String?
    /// Whether to enrol a personal token on this device.
    package var isPersonal = false
    /// Whether to enrol a phone or another second device.
    package var isPhone = false
    /// Whether the phone is enrolled already.
    package var isBound = false
    /// Whether to show addresses as text instead of QR codes.
    package var isText = false
    /// The https origins that the server of a personal token may use beside its own.
    package var alsoOrigins: [String] = []
    let server: ServerChoice
    let dialogue: Dialogue

    /// An enrolment at a server.
    package init(at server: ServerChoice, _ dialogue: Dialogue) {
        (self.server, self.dialogue) = (server, dialogue)
    }

    /// A sentence that says why the options contradict each other; nil if they do not.
    package var contradiction: String? {
        if name == nil, isPersonal { return "Name the identity: --identity ID." }
        if isHere, isPersonal || isPhone || dialogue.hasCode {
            return "--here is for a PIN on this host, and takes its code from the server."
        }
        if (user == nil) != isPersonal || isPersonal && isPhone {
            return "Name an account, or use --personal."
        }
        if isPersonal, server.backends.count != 1 {
            return "With --personal, name one server: --backend ADDRESS."
        }
        if isRemote, isPersonal || isPhone { return "--remote is for a PIN on this host." }
        if isText, !isPhone { return "--print is for --phone and --bind." }
        if isBound, dialogue.hasCode {
            return "With --bind the phone is enrolled already, and needs no code."
        }
        return alsoOrigins.isEmpty || isPersonal ? nil : "--also-origin is for --personal."
    }

    /// Enrols the user. Throws if nothing was enrolled.
    package func run() throws(Failure) -> any Report {
        if let name { _ = try readLabel(name) }
        guard let user else { return try enrolPersonally() }
        return isPhone ? try bindPhone(to: user) : try enrolHere(user)
    }
}

extension Enrolment {
    /// Enrols a PIN of an account on this host.
    /// - Parameter seen: gets the PIN before the registration consumes it.
    func enrolHere(
        _ user: String, seen: (borrowing Secret) throws(Failure) -> Void = { _ in }
    ) throws(Failure) -> EnrollReport {
        let settings = try server.settings(enrolment: true)
        let account = try findAccount(user)
        let place = try AccountStore(settings, account)
        // Only an administrator knows how users are called at a Milagro server.
        guard let name = name ?? (settings.answer == .sealed ? usualIdentity(of: user, on: place.host) : nil)
        else { throw Failure(.settings, "Name the identity at the Milagro server: --identity ID.") }
        let before = try place.identities()
        for old in before where old.pin != nil {
            dialogue.progress(
                "\(text(old.label)) has a PIN here already; it ends when the new one has been proved.")
        }
        let demand = try pinDemand(settings)
        let secret = try newPIN(
            dialogue.pin, for: account.name, account: account.name, remote: isRemote, demand: demand)
        try seen(secret)
        let code =
            isHere
            ? try LocalServer().activationCode(name)
            : try activationCode(dialogue, of: name, isOurs: settings.answer == .sealed)
        dialogue.progress("Computing a slow hash of the PIN ...")
        let request = try request(
            settings, account, named: name, from: place.host, among: before,
            asking: demand, resuming: place.pending(), code: code)
        let key = try place.hostKey()
        var registration: Registration
        do {
            registration = try Registration(request, pin: secret, hostKey: key, nonce: freshNonce)
        } catch { throw Failure(error, settings) }
        let outcome = place.run(&registration) { dialogue.progress($0) }
        return try EnrollReport(outcome, of: name, at: place, before: before, hasCode: !code.isEmpty)
    }
}
