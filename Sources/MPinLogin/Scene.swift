// SPDX-License-Identifier: Apache-2.0
// Where a login takes place and for whom: the facts that PAM, the kernel and the passwd database give.
import MPinWire

package struct Scene: Equatable, Sendable {
    /// The PAM service, or what `service=` put in its place.
    package let service: [UInt8]
    /// nil: no passwd entry has the name.
    package let account: Account?
    /// A numeric address, `local:` and the caller's real uid, or `unknown` for somebody remote whose address
    /// is none.
    package let source: [UInt8]
    /// nil for somebody who is here, and for somebody remote whose address is none.
    package let address: Address?
    /// PAM_TTY, fit to be shown.
    package let tty: [UInt8]
    /// Somebody who comes over the network.
    package let isRemote: Bool
    /// sshd says that it accepted a public key of this person before.
    package let keyAccepted: Bool

    /// - Parameters:
    ///   - rhost, tty: PAM_RHOST and PAM_TTY; nil where PAM has none.
    ///   - authInfo: SSH_AUTH_INFO_0 of PAM's environment (never of the process's), a method on each line.
    ///   - realUID: of the calling process; PAM_RUSER is anybody's word.
    package init(
        service: [UInt8], account: Account?, rhost: [UInt8]?, tty: [UInt8]?, authInfo: [UInt8]?,
        realUID: UInt32
    ) {
        let rhost = rhost ?? []
        let tty = tty ?? []
        let address = Address(rhost)
        let isRemote = Scene.isRemote(rhost: rhost, tty: tty)
        self.service = service
        self.account = account
        self.address = address
        self.tty = presentable(tty)
        self.isRemote = isRemote
        self.keyAccepted = isRemote && namesPublicKey(authInfo ?? [])
        if !isRemote {
            self.source = ascii("local:") + decimal(realUID)
        } else if address != nil {
            self.source = [UInt8](rhost.prefix { $0 != UInt8(ascii: "%") })
        } else {
            self.source = ascii("unknown")
        }
    }

    /// The same facts for a question of another service.
    func at(service: [UInt8]) -> Scene {
        Scene(service: service, of: self)
    }

    private init(service: [UInt8], of scene: Scene) {
        self.service = service
        (account, source, address, tty) = (scene.account, scene.source, scene.address, scene.tty)
        (isRemote, keyAccepted) = (scene.isRemote, scene.keyAccepted)
    }

    /// Whether somebody comes over the network: PAM_RHOST says something, or PAM_TTY is `ssh`.
    package static func isRemote(rhost: [UInt8]?, tty: [UInt8]?) -> Bool {
        !(rhost ?? []).isEmpty || (tty ?? []).spells("ssh")
    }

    /// A seat of this machine: PAM_TTY is tty1 to tty63, and nobody comes over a network.
    var isVirtualConsole: Bool {
        let name = tty.dropping("/dev/tty") ?? tty.dropping("tty") ?? []
        return !isRemote && name.first != 0x30 && wholeNumber(name, in: 1...63) != nil
    }

    /// The account as it is sent and logged.
    package var accountName: [UInt8] { account?.name ?? ascii("unknown") }
}

private func namesPublicKey(_ authInfo: [UInt8]) -> Bool {
    authInfo.split(separator: UInt8(ascii: "\n")).contains { [UInt8]($0).dropping("publickey ") != nil }
}
