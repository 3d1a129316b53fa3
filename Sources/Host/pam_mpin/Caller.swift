// SPDX-License-Identifier: Apache-2.0
// What PAM and the kernel report about the caller. These are facts of the call; decisions are made elsewhere.
import CPAM
import CPlatform
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets

struct Caller {
    /// The name as typed: never used as a path, never changed, never logged.
    let user: [UInt8]
    let service: [UInt8]
    /// The facts that decide whether the login is local or remote.
    let facts: CallFacts
    let arguments: [[UInt8]]
    /// Whether sshd's method `password` is in use. It answers every hidden prompt with the Unix password, so
    /// the module must not ask for anything.
    let answersWithPassword: Bool
    /// The seconds after which the application ends the login; nil if it does not, or nobody can read it.
    let secondsLeft: Int?

    /// - Parameter flags: those of pam_authenticate(3).
    init(_ handle: borrowing Handle, flags: CInt, _ arguments: [[UInt8]]) throws(Handle.Refused) {
        user = try handle.user()
        service = handle.text(PAM_SERVICE) ?? []
        let tty = handle.text(PAM_TTY) ?? []
        let isSecure = mpin_is_secure() != 0
        facts = CallFacts(
            rhost: handle.text(PAM_RHOST) ?? [], tty: tty,
            authInfo: handle.variable("SSH_AUTH_INFO_0") ?? [],
            isSilent: UInt32(bitPattern: flags) & PAM_SILENT != 0,
            process: ProcessFacts(
                isSecure: isSecure, realUID: getuid(), effectiveUID: geteuid(),
                isOrdinary: mpin_is_ordinary() != 0, terminalMajor: terminalMajor(tty), hostName: hostName(),
                people: isSecure ? .ofThisHost() : PersonalUIDs()))
        self.arguments = arguments
        let isSSHD = service.spells("sshd") || tty.spells("ssh")
        answersWithPassword = isSSHD && handle.conversationHasNoData
        // Only at a terminal does an alarm belong to the login; a daemon may have it for something else.
        let left = isSSHD ? mpin_grace_left() : facts.process.terminalMajor != nil ? mpin_alarm_left() : -1
        secondsLeft = left < 0 ? nil : Int(left)
    }

    /// PAM_RHOST if it is a name and not an address. It is only logged, never compared.
    var rhostName: [UInt8]? {
        facts.rhost.isEmpty || IPAddress(ofPeer: facts.rhost) != nil ? nil : facts.rhost
    }
}

/// The major number of the terminal; nil unless PAM_TTY and descriptor 0 are the same terminal.
private func terminalMajor(_ tty: [UInt8]) -> UInt32? {
    guard !tty.isEmpty else { return nil }
    let path = tty.first == UInt8(ascii: "/") ? tty : ascii("/dev/") + tty
    let major = unsafe mpin_terminal_major(0, path + [0])
    return major < 0 ? nil : UInt32(major)
}

private func hostName() -> [UInt8] {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return [] }
    return name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
}
