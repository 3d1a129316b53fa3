// SPDX-License-Identifier: Apache-2.0
// `mpin enroll USER --phone`: enrols a phone by a QR code, and binds it to an account of this host by the
// approval code that the phone shows.
import MPin
import MPinConsole
import MPinHostStore
import MPinLogin
import MPinProof
import MPinWire
import Octets

extension Enrolment {
    /// Enrols a phone unless it is enrolled already, and binds it to an account.
    func bindPhone(to user: String) throws(Failure) -> BindReport {
        let settings = try server.settings()
        guard settings.answer == .sealed else {
            throw Failure(.settings, "Phones need 'answer = sealed' in mpin.conf.")
        }
        let account = try findAccount(user)
        let store = try openStore(settings.store)
        let key = try Failure.ofStore(store.hostKey())
        let place = try PhonePlace(settings)
        // With `--bind` and no name, every phone that is enrolled at the server is accepted.
        let name = name ?? (isBound ? "" : usualIdentity(of: user, on: key.name))
        let code = isBound || place.isHere ? [] : try codeForQRCode(name, ServerPlace(settings))
        var screen = try openScreen(for: user, isText: isText || settings.qrStyle(for: account.name) == .off)
        var made: [UInt8] = []
        // However this ends: a code that enrolled a phone is used up, and any other must not enrol one later.
        defer { if !made.isEmpty { place.end(made, of: name) } }
        if !isBound {
            let end = pageSeconds() + 600
            if code.isEmpty { made = try place.activationCode(name) }
            let address = place.address(of: name, code.isEmpty ? made : code)
            try enrolPhone(name, at: address, until: end, on: &screen)
        }
        var binding = PhoneBinding(
            of: name, to: account, key: key, at: place, settings, isAlone: isBound)
        let phone = try binding.boundPhone(on: &screen)
        try binding.confirm(phone, on: &screen)
        return try finish(binding, of: phone, to: account, in: store)
    }

    /// Asks for the activation code for the QR code, if the server runs on another machine.
    private func codeForQRCode(_ name: String, _ place: ServerPlace) throws(Failure) -> [UInt8] {
        if !dialogue.hasCode {
            dialogue.tell("Run this \(place.onServer), and type the code that it shows within ten minutes:")
            dialogue.tell("    sudo mpind user add \(shellWord(shown(name))) --qr")
        }
        return try activationCode(dialogue, of: name, isOurs: true, forQRCode: true)
    }

    private func openScreen(for user: String, isText: Bool) throws(Failure) -> QRCodeTerminal {
        if isText { return .text() }
        let isUTF8 = isUTF8Locale(
            lcAll: variable("LC_ALL"), lcCType: variable("LC_CTYPE"), lang: variable("LANG"))
        guard let screen = QRCodeTerminal.qrCodes(isUTF8: isUTF8, term: variable("TERM")) else {
            throw Failure(
                .settings,
                "There is no terminal to draw a QR code on. With --print, the address is shown as text: "
                    + "anyone who reads it can enrol in the name of \(shown(user)).")
        }
        return screen
    }

    private func enrolPhone(
        _ name: String, at address: [UInt8], until end: Int, on screen: inout QRCodeTerminal
    ) throws(Failure) {
        let page = QRCodePage.enrolment(
            address, of: [UInt8](shown(name).utf8), step: [UInt8]("Step 1 of 2: enrol the phone.".utf8),
            prompt: [UInt8]("Press Enter when the phone says that it is enrolled: ".utf8))
        switch screen.show(page, until: end) {
        case .line: return
        case .brokenOff: throw .cancelled
        case .time: break
        }
        let over = QRCodePage(
            address: nil,
            words: [
                [UInt8]("The ten minutes are over, and the QR code is no longer valid.".utf8), [],
                [UInt8]("If the phone is enrolled, go on. If not, run this command again.".utf8), [],
            ], prompt: [UInt8]("Press Enter to go on, Ctrl-C to end: ".utf8))
        guard case .line = screen.show(over, until: nil) else { throw .cancelled }
    }

    /// Reports the binding to the server, then stores the identity. The server comes first: until it knows of
    /// the binding, it refuses the phone's approvals.
    private func finish(
        _ binding: consuming PhoneBinding, of phone: BoundPhone, to account: Account,
        in store: borrowing FileStore
    ) throws(Failure) -> BindReport {
        let label = try readLabel(String(decoding: phone.userID, as: UTF8.self))
        try checkNew(phone.id, of: account, host: binding.host, in: store)
        var binding = binding
        let isConfirmed = try binding.done(phone)
        let identity = Identity(id: phone.id, label: label, enrolled: currentTime(), pin: nil)
        do throws(StoreError) { try store.add(identity, of: account, host: binding.host) } catch {
            let failure = Failure(error)
            throw Failure(
                failure.kind,
                "The phone is \(isConfirmed ? "confirmed" : "bound") at the server, but could not be stored "
                    + "here; run 'sudo mpin enroll \(shellWord(text(account.name))) --bind' again. "
                    + "\(failure.sentence)")
        }
        let report = AllowReport(
            user: text(account.name), uid: account.uid, identity: IdentityReport(identity))
        return BindReport(report, isConfirmed: isConfirmed)
    }

    /// Throws if the phone could not be stored. Called before the server learns of the binding.
    private func checkNew(
        _ id: IdentityHash, of account: Account, host: [UInt8], in store: borrowing FileStore
    ) throws(Failure) {
        let known = try identities(of: account, host: host, in: store)
        try Failure.ofStore(store.checkWritable(for: account))
        guard !known.contains(where: { $0.id == id }) else {
            throw Failure(.settings, "\(text(account.name)) has this identity already.")
        }
    }
}

/// The server as a phone sees it.
struct PhonePlace {
    /// The address of the phone page, without `#` and what follows.
    let page: [UInt8]
    /// Whether the server runs on this machine, so that root gets the activation code from it.
    var isHere: Bool { local != nil }
    private let local: LocalServer?

    /// Takes `phone-address` of mpin.conf; else the public URL of the server, if it runs on this machine;
    /// else the server's https address. Throws if there is none of these.
    init(_ settings: Settings) throws(Failure) {
        let here = try LocalServer()
        let isOurs = settings.backends.contains { here.isMeant(by: $0) }
        local = isOurs && here.answers ? here : nil
        let https = settings.backends.first { $0.channel == .https }?.origin
        let own = isOurs ? here.publicURL.map { [UInt8]($0.utf8) } : nil
        guard let page = settings.phoneAddress ?? own ?? https else {
            throw Failure(
                .settings,
                "A phone cannot find the server: set 'phone-address' in mpin.conf, or 'public-url' in "
                    + "mpind.conf.")
        }
        self.page = page
    }

    /// A new activation code for a QR code; empty if the server runs on another machine.
    func activationCode(_ name: String) throws(Failure) -> [UInt8] {
        try local?.activationCode(name, byQRCode: true) ?? []
    }

    /// Ends a code that the server on this machine made.
    func end(_ code: [UInt8], of name: String) { local?.end(code, of: name) }

    /// The address in the enrolment QR code.
    func address(of name: String, _ code: [UInt8]) -> [UInt8] {
        enrolmentAddress(at: page, userID: [UInt8](name.utf8), code: code)
    }
}
