// SPDX-License-Identifier: Apache-2.0
// The settings of a login host for one PAM service: each with its type and default, and below its row, which
// has the key of mpin.conf and the values that it takes.
package import MPinProof
import MPinWire
import Octets

package struct Settings: Equatable, Sendable {
    /// The PAM service, or the name that the argument `service=` gives instead.
    package let service: [UInt8]
    /// The service in whose stack the module's line stands, as its argument `section=` says; nil: unsaid.
    let stack: [UInt8]?
    /// The name of the section that holds for this service; nil: none does.
    package internal(set) var section: [UInt8]?
    /// Replicas of one mpind, tried in order; never empty.
    package var backends: [Backend] = []
    /// Path of the file of trusted certificates; nil: the system's certificates.
    package var caFile: [UInt8]?
    package var alsoOrigins: [[UInt8]] = []
    /// Addresses of backends by name, for when no name server answers.
    package var backendAddresses: [BackendAddress] = []
    /// `http://HOST:PORT`, the proxy for every https backend; nil: none.
    package var proxy: [UInt8]?
    package var answer = AnswerForm.sealed
    package var method = Method.pinAndPhone
    package var remotePIN = RemotePIN.key
    /// The address of a phone session, up to its `#`.
    package var phoneAddress: [UInt8]?
    package var phoneCode = PhoneCodeUse.required
    package var tries: Int
    /// The time for the whole login, in seconds.
    package var deadline = 100
    /// Seconds.
    package var connectTimeout = 3
    /// Seconds.
    package var callTimeout = 10
    /// Services that accept backup codes.
    package var backupCodes: [[UInt8]] = []
    /// Days for which backup codes are good without the server, after its last good answer about the account.
    package var backupCodeOffline = 7
    package var unenrolled = Policy.deny
    /// Whether all logins of this service are remote (true) or local (false); nil: decided for each login.
    package var remote: Bool?
    package var never = Never.standard
    package var users: [Pattern] = []
    package var groups: [Pattern] = []
    package var networks: [Network] = []
    /// An organisation's own prompts in place of the standard ones, without the colon at their end.
    package var pinPrompt: [UInt8]?
    package var codePrompt: [UInt8]?
    /// Logins that are exempt: the module does not ask these users.
    package var exemptUsers: [Pattern] = []
    package var exemptGroups: [Pattern] = []
    package var exemptFrom: [Network] = []
    /// For how many seconds after a login the same user is not asked again; 0: they are asked each time.
    package var grace = 0
    package var qr = QRStyle.auto
    /// Draw each module of the QR code as two columns and one line, where that fits.
    package var qrIsLarge = false
    /// The error correction level of the QR code: 0 to 3 for L, M, Q and H.
    package var qrLevel = 0
    /// Set black on white by escape sequences, where the terminal belongs to this host.
    package var qrIsColoured = false
    /// Users whose screens are plain text, whatever `qr` is.
    package var qrOffUsers: [Pattern] = []
    package var screen = Screen(columns: 80, rows: 24)
    /// Where to get help: a line for users who are blocked or revoked.
    package var help: [UInt8]?
    package var relay = Settings.standardRelay
    /// The folder that holds `users/` and `host`.
    package var store = Settings.standardStore

    package static var standardFile: [UInt8] { ascii("/etc/mpin/mpin.conf") }
    package static var standardStore: [UInt8] { ascii("/var/lib/mpin") }
    package static var standardRelay: [UInt8] { ascii("/usr/libexec/pam_mpin/mpin-relay") }

    /// The defaults. sudo and login start the module again after a failure, so `tries` is 1 there.
    init(service: [UInt8], stack: [UInt8]? = nil) {
        (self.service, self.stack) = (service, stack)
        tries = Settings.usualTries(of: service)
    }
}

extension Settings {
    /// The rows of mpin.conf. What a section sets replaces the value before, also a whole list.
    mutating func read(_ row: inout RowReader) {
        readServer(&row)
        readMethods(&row)
        readRules(&row)
        readScreen(&row)
    }

    private mutating func readServer(_ row: inout RowReader) {
        row.list("backend", &backends, atMost: Bound.addresses) { Backend($0) }
        row.list("backend-address", &backendAddresses, atMost: Bound.addresses) { BackendAddress($0) }
        row.list("also-origin", &alsoOrigins, atMost: Bound.addresses) { origin($0) }
        row.value("ca-file", &caFile) { absolutePath($0) }
        row.value("proxy", &proxy) { $0.spells("none") ? .some(nil) : proxyAddress($0).map { .some($0) } }
        row.value("relay", &relay) { absolutePath($0) }
        row.value("store", &store) { absolutePath($0) }
    }

    private mutating func readMethods(_ row: inout RowReader) {
        row.choice("answer", &answer, [("sealed", .sealed), ("unsealed", .unsealed)])
        row.looser(
            if: answer == .unsealed,
            "the relay, and anyone who holds the server's TLS key, can log in as any user.")
        row.value("method", &method) { Method($0) }
        row.choice("remote-pin", &remotePIN, [("key", .key), ("long", .long), ("no", .no)])
        row.value("phone-address", &phoneAddress) { addressBeforeFragment($0) }
        row.choice("phone-code", &phoneCode, [("required", .required), ("optional", .optional)])
        row.value("backup-codes", &backupCodes) { serviceNames($0) }
        row.number("backup-code-offline", &backupCodeOffline, 0...90)
        row.number("tries", &tries, 1...10)
        row.number("deadline", &deadline, 1...3_600)
        row.number("connect-timeout", &connectTimeout, 1...600)
        row.number("call-timeout", &callTimeout, 1...600)
    }

    private mutating func readRules(_ row: inout RowReader) {
        row.choice("unenrolled", &unenrolled, [("deny", .deny), ("ignore", .ignore)])
        row.choice("remote", &remote, [("yes", true), ("no", false)])
        row.needsSection()
        row.value("never", &never) { Never($0) }
        row.value("users", &users) { list($0) { Pattern($0) } }
        row.value("groups", &groups) { list($0) { Pattern($0) } }
        row.value("networks", &networks) { list($0) { Network($0) } }
        row.value("exempt-users", &exemptUsers) { exempt($0) { Pattern($0) } }
        row.value("exempt-groups", &exemptGroups) { exempt($0) { Pattern($0) } }
        row.value("exempt-from", &exemptFrom) { exempt($0) { Network($0) } }
        row.value("grace", &grace) { graceSeconds($0) }
        row.needsSection()
    }

    private mutating func readScreen(_ row: inout RowReader) {
        row.choice(
            "qr", &qr,
            [
                ("auto", .auto), ("utf8", .utf8), ("utf8-inverse", .utf8Inverse), ("ascii", .ascii),
                ("ascii-inverse", .asciiInverse), ("off", .off),
            ])
        row.value("qr-off-users", &qrOffUsers) { someOf($0) { Pattern($0) } }
        row.value("screen", &screen) { Screen($0) }
        row.value("help", &help) { $0.isEmpty ? nil : $0 }
        row.value("pin-prompt", &pinPrompt) { promptWords($0) }
        row.value("code-prompt", &codePrompt) { promptWords($0) }
        row.choice("qr-size", &qrIsLarge, [("small", false), ("large", true)])
        row.choice("qr-ecc", &qrLevel, [("L", 0), ("M", 1), ("Q", 2), ("H", 3)])
        row.choice("qr-colour", &qrIsColoured, [("yes", true), ("no", false)])
    }
}

extension Settings {
    /// The default of `tries`.
    package static func usualTries(of service: [UInt8]) -> Int {
        ["sudo", "sudo-i", "login"].contains { service.spells($0) } ? 1 : 3
    }

    /// Ends the login before the application does, which leaves two seconds for the last words.
    package mutating func endWithCaller(in seconds: Int) { deadline = max(1, min(deadline, seconds - 2)) }

    /// Whether this service accepts backup codes: the list names it, or a service whose section can hold for
    /// it.
    package var takesBackupCodes: Bool {
        Settings.sections(for: service, in: stack).contains { backupCodes.contains($0) }
    }

    /// The sections that can hold for a service. The first one that is in the file does, and no other.
    /// - Parameter stack: the service in whose stack the module's line stands, which other services may
    ///   include; nil: unsaid.
    package static func sections(for service: [UInt8], in stack: [UInt8]?) -> [[UInt8]] {
        let named = [service] + (stack.map { [$0] } ?? [])
        return named + named.compactMap { usualStack(of: $0) }
    }

    /// For users `sudo -i` is sudo and `su -` is su; for PAM they are services of their own.
    private static func usualStack(of service: [UInt8]) -> [UInt8]? {
        service.spells("sudo-i") ? ascii("sudo") : service.spells("su-l") ? ascii("su") : nil
    }
}
