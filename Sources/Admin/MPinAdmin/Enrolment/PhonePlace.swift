// SPDX-License-Identifier: Apache-2.0
// The address at which a phone finds the server's page, and the address in the enrolment QR code.
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore

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
