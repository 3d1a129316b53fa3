// SPDX-License-Identifier: Apache-2.0
// `mpin enroll`: a PIN on this host for an account, a second device for one, or this device for oneself.
import MPinLogin
import MPinProof
import MPinStore
import Secrets

/// What was said of an enrolment, and the dialogue in which the rest is asked.
package struct Enrolment {
    /// The account; nil with a token of one's own.
    package var user: String?
    /// The person's name at the server; nil: it is made of account and host.
    package var name: String?
    /// Whether the server runs on this machine, so that root takes the code from it.
    package var isHere = false
    /// Whether the PIN is enough over the network.
    package var isRemote = false
    /// The name of this registration in the server's list; nil: this host.
    package var device: String?
    /// Whether it is for this device of one's own.
    package var isPersonal = false
    /// Whether it is for a phone, or another second device.
    package var isPhone = false
    /// Whether the phone is enrolled already.
    package var isBound = false
    /// Whether addresses are shown as text, in place of pictures.
    package var isText = false
    /// The https origins that the server of one's own token may name beside its own.
    package var alsoOrigins: [String] = []
    let server: ServerChoice
    let dialogue: Dialogue

    /// An enrolment at a server.
    package init(at server: ServerChoice, _ dialogue: Dialogue) {
        (self.server, self.dialogue) = (server, dialogue)
    }

    /// Why what was said cannot be meant, in a sentence; nil if it can.
    package var contradiction: String? {
        if name == nil, !isHere, !isPhone {
            return "Name the person: --identity ID, or --here if the server runs on this machine."
        }
        if isHere, isPersonal || isPhone || dialogue.hasCode {
            return "--here is for a PIN on this host, and takes its code from the server."
        }
        if (user == nil) != isPersonal || isPersonal && isPhone {
            return "Name an account, or say --personal."
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

    /// Enrols. Throws why nobody is enrolled.
    package func run() throws(Failure) -> EnrollDone {
        if let name { _ = try readLabel(name) }
        guard let user else { return .personal(try enrolPersonally()) }
        return isPhone ? .phone(try bindPhone(to: user)) : .pin(try enrolHere(user))
    }
}

/// What came of an enrolment.
package enum EnrollDone: Report {
    /// A PIN on this host.
    case pin(EnrollReport)
    /// A second device.
    case phone(BindReport)
    /// A token of one's own.
    case personal(PersonalReport)

    private var report: any Report {
        switch self {
        case .pin(let report): report
        case .phone(let report): report
        case .personal(let report): report
        }
    }

    /// Those of its report.
    package var lines: [String] { report.lines }
    /// Those of its report.
    package var failures: [Failure] { report.failures }
    /// As its report.
    package func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }
}

extension Enrolment {
    /// - Parameter seen: sees the PIN before it is used up.
    func enrolHere(
        _ user: String, seen: (borrowing Secret) throws(Failure) -> Void = { _ in }
    ) throws(Failure) -> EnrollReport {
        let settings = try server.settings(enrolment: true)
        let account = try findAccount(user)
        let place = try AccountStore(settings, account)
        let name = name ?? "\(user)@\(text(place.host))"
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
            : try activationCode(dialogue, isOurs: settings.answer == .sealed)
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
        return try EnrollReport(outcome, at: place, before: before, hasCode: !code.isEmpty)
    }
}
