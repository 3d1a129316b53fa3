// SPDX-License-Identifier: Apache-2.0
// What PAM and the kernel say about who calls: facts of this call, none of them a decision.
import CPAM
import CPlatform
import MPinLogin
import MPinWire

struct Caller {
    /// As typed; never a path, never changed, never logged.
    let user: [UInt8]
    let service: [UInt8]
    let rhost: [UInt8]?
    let tty: [UInt8]?
    /// What sshd accepted before, from PAM's environment: that of the process is anybody's word.
    let authInfo: [UInt8]?
    let arguments: [[UInt8]]
    let isRemote: Bool
    /// sshd's method `password` answers every hidden prompt with the Unix password: nothing may be asked.
    let answersWithPassword: Bool

    init(_ handle: borrowing Handle, _ arguments: [[UInt8]]) throws(Handle.Refused) {
        user = try handle.user()
        service = handle.text(PAM_SERVICE) ?? []
        rhost = handle.text(PAM_RHOST)
        tty = handle.text(PAM_TTY)
        authInfo = handle.variable("SSH_AUTH_INFO_0")
        self.arguments = arguments
        isRemote = Scene.isRemote(rhost: rhost, tty: tty)
        let isSSHD = service.spells("sshd") || (tty ?? []).spells("ssh")
        answersWithPassword = isSSHD && handle.conversationHasNoData
    }

    func scene(of account: Account?, under settings: Settings) -> Scene {
        Scene(
            service: settings.service, account: account, rhost: rhost, tty: tty, authInfo: authInfo,
            realUID: getuid())
    }

    /// PAM_RHOST where it is a name and no address: for people to read, compared with nothing.
    var rhostName: [UInt8]? {
        guard let rhost, !rhost.isEmpty, Address(rhost) == nil else { return nil }
        return rhost
    }
}
