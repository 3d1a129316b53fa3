// SPDX-License-Identifier: Apache-2.0
// Where a login takes place and for whom: the facts that PAM, the kernel and the passwd database give.
import MPin
import MPinWire
import Octets

/// Who wants in, where, and from where.
package struct LoginContext: Equatable, Sendable {
    /// The PAM service, or what `service=` put in its place.
    package let service: [UInt8]
    /// nil: no passwd entry has the name.
    package let account: Account?
    /// A numeric address; `local:` and the caller's real uid, for uid 0 with its terminal or service; or
    /// `unknown` for somebody remote without a numeric address.
    package let source: [UInt8]
    /// nil for somebody who is here, and for somebody remote whose address is none.
    package let address: Address?
    /// PAM_TTY, fit to be shown.
    package let tty: [UInt8]
    /// What decided whether the person is at this host.
    package let seat: SeatRow
    /// sshd says that it accepted a public key of this person before.
    package let keyAccepted: Bool

    /// A login by PAM.
    /// - Parameter seat: what decided for this call whether the person is here.
    package init(service: [UInt8], account: Account?, call: CallFacts, seat: SeatRow) {
        let address = seat.isRemote ? Address(call.rhost) : nil
        self.service = service
        self.account = account
        self.address = address
        self.tty = presentable(call.tty)
        self.seat = seat
        self.keyAccepted = seat.isRemote && namesPublicKey(call.authInfo)
        self.source =
            address == nil
            ? seat.source(call, service: service)
            : [UInt8](call.rhost.prefix { $0 != UInt8(ascii: "%") })
    }

    /// A question that `mpin` asks for an account: nobody sits there, so the source is the account's own.
    package init(service: [UInt8], askedFor account: Account?, realUID: UInt32) {
        self.service = service
        self.account = account
        source = ascii("local:") + decimal(account?.uid ?? realUID)
        (address, tty, seat, keyAccepted) = (nil, [], .setting(remote: false), false)
    }

    /// The enrolment of somebody's own device, which belongs to no account of a host. The account's name is
    /// what no PIN may be.
    package init(ownDeviceOf name: [UInt8]) {
        let account = Account(uid: 0, gid: 0, name: [UInt8](name.prefix { $0 != UInt8(ascii: "@") }))
        self.init(service: SealedQuestion.enrollService, askedFor: account, realUID: 0)
    }

    /// The same facts for a question of another service.
    package func at(service: [UInt8]) -> LoginContext {
        LoginContext(service: service, of: self)
    }

    private init(service: [UInt8], of context: LoginContext) {
        self.service = service
        (account, source, address, tty) = (context.account, context.source, context.address, context.tty)
        (seat, keyAccepted) = (context.seat, context.keyAccepted)
    }

    /// Whether the person is, or may be, somewhere else than at this host.
    package var isRemote: Bool { seat.isRemote }

    /// A seat of this machine: PAM_TTY is tty1 to tty63, and nobody comes over a network.
    package var isVirtualConsole: Bool {
        let name = tty.dropping("/dev/tty") ?? tty.dropping("tty") ?? []
        return !isRemote && name.first != 0x30 && wholeNumber(name, in: 1...63) != nil
    }

    /// The account as it is sent and logged.
    package var accountName: [UInt8] { account?.name ?? ascii("unknown") }
}

private func namesPublicKey(_ authInfo: [UInt8]) -> Bool {
    authInfo.split(separator: UInt8(ascii: "\n")).contains { [UInt8]($0).dropping("publickey ") != nil }
}
