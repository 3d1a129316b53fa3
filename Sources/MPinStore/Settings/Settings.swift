// SPDX-License-Identifier: Apache-2.0
// Settings of a login host for one PAM service: every key of mpin.conf with its type and its default.
package import MPinProof
import MPinWire
import Octets

package struct Settings: Equatable, Sendable {
    /// The PAM service, or what `service=` put in its place.
    package let service: [UInt8]
    /// Replicas of one mpind, tried in order; never empty.
    package var backends: [Backend] = []
    /// Path of the certificates to trust; nil: the system's.
    package var caFile: [UInt8]?
    package var alsoOrigins: [[UInt8]] = []
    /// Where names of backends live, for when no name server answers.
    package var backendAddresses: [BackendAddress] = []
    /// `http://HOST:PORT`, by which every https backend is reached; nil: none.
    package var proxy: [UInt8]?
    package var answer = AnswerForm.sealed
    package var method = Method.pinAndPhone
    package var remotePIN = RemotePIN.key
    /// The address of a phone session, before its `#`.
    package var phoneAddress: [UInt8]?
    package var phoneCode = PhoneCodeUse.required
    package var tries: Int
    /// Seconds.
    package var deadline = 100
    package var connectTimeout = 3
    package var callTimeout = 10
    /// Services that take backup codes.
    package var backupCodes: [[UInt8]] = []
    package var unenrolled = Policy.deny
    package var unavailable = Policy.deny
    package var remoteIgnore = false
    /// Whether everybody in this service comes over the network, or nobody does; nil: told login by login.
    package var remote: Bool?
    package var never = Never.standard
    package var users: [Pattern] = []
    package var groups: [Pattern] = []
    package var networks: [Network] = []
    /// Words of an organisation's own in place of ours, without the colon at their end.
    package var pinPrompt: [UInt8]?
    package var codePrompt: [UInt8]?
    /// Whom this module does not ask.
    package var exemptUsers: [Pattern] = []
    package var exemptGroups: [Pattern] = []
    package var exemptFrom: [Network] = []
    /// For so many seconds after a login the same person is not asked again; 0: is asked each time.
    package var grace = 0
    package var qr = QRStyle.auto
    /// A module of the picture is two columns and one line, where that fits.
    package var qrIsLarge = false
    /// How much of the picture may be lost: 0 to 3 for L, M, Q and H.
    package var qrLevel = 0
    /// Black on white by commands to the terminal, where it is this host's.
    package var qrIsColoured = false
    /// Who reads screens of plain text, whatever `qr` says.
    package var qrOffUsers: [Pattern] = []
    package var screen = Screen(columns: 80, rows: 24)
    /// Whom to ask: a line for somebody blocked or revoked.
    package var help: [UInt8]?
    package var relay = Settings.standardRelay
    /// The folder that holds `users/` and `host`.
    package var store = Settings.standardStore

    package static var standardFile: [UInt8] { ascii("/etc/mpin/mpin.conf") }
    package static var standardStore: [UInt8] { ascii("/var/lib/mpin") }
    package static var standardRelay: [UInt8] { ascii("/usr/libexec/pam_mpin/mpin-relay") }

    /// The defaults; sudo and login ask again themselves, so a login there is one try.
    init(service: [UInt8]) {
        self.service = service
        tries = Settings.usualTries(of: service)
    }
}

extension Settings {
    /// The default of `tries`.
    package static func usualTries(of service: [UInt8]) -> Int {
        ["sudo", "sudo-i", "login"].contains { service.spells($0) } ? 1 : 3
    }

    /// `sudo -i` is sudo for whoever types it, and a service of its own for PAM.
    package var takesBackupCodes: Bool {
        backupCodes.contains(service)
            || service.spells("sudo-i") && backupCodes.contains { $0.spells("sudo") }
    }
}

/// Whether verdicts are sealed for this host, or come from a Milagro server, which seals nothing.
package enum AnswerForm: Equatable, Sendable { case sealed, unsealed }

package enum Method: Equatable, Sendable { case pin, phone, pinAndPhone, otp }

/// Who may type a PIN of this host from afar: who showed a public key before, who enrolled a long one for it,
/// nobody.
package enum RemotePIN: Equatable, Sendable { case key, long, no }

package enum PhoneCodeUse: Equatable, Sendable { case required, optional }

package enum Policy: Equatable, Sendable { case deny, ignore }

/// Accounts that never log in here, whatever the backend says.
package enum Never: Equatable, Sendable {
    /// uid 0 in remote services, nobody in others.
    case standard
    case nobody
    /// Names, or uids in decimal.
    case users([[UInt8]])
}

package enum QRStyle: Equatable, Sendable { case auto, utf8, utf8Inverse, ascii, asciiInverse, off }

package struct Screen: Equatable, Sendable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
