// SPDX-License-Identifier: Apache-2.0
// The address at which a phone finds the server's page, and the address in the enrolment QR code.
import MPinConsole
import MPinLogin
import MPinProof
import MPinStore

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

    /// The address in the enrolment QR code, and when it ends, in seconds of `pageSeconds`.
    /// - Parameter given: the activation code; empty: the server on this machine makes one.
    func enrolment(
        of name: String, _ given: [UInt8]
    ) throws(Failure) -> (text: [UInt8], end: Int) {
        let end = pageSeconds() + 600
        var code = given
        if given.isEmpty, let local { code = try local.activationCode(name, byQRCode: true) }
        return (enrolmentAddress(at: page, userID: [UInt8](name.utf8), code: code), end)
    }
}
