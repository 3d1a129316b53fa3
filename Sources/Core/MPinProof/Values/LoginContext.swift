// SPDX-License-Identifier: Apache-2.0
// The context of a login, from the facts that PAM, the kernel and the passwd database report.
package import MPin
package import MPinWire
package import Octets

/// Which account wants to log in, to which service, and from where.
package struct LoginContext: Equatable, Sendable {
    /// The PAM service, or the name that `service=` gives instead.
    package let service: [UInt8]
    /// nil if no passwd entry has the name.
    package let account: Account?
    /// A numeric address; `local:` and the caller's real uid, for uid 0 also the terminal or service; or
    /// `unknown` for a remote user without a numeric address.
    package let source: [UInt8]
    /// nil for a user at this host, and for a remote user without a numeric address.
    package let address: IPAddress?
    /// PAM_TTY, made safe to show.
    package let tty: [UInt8]
    /// The row that decided whether the user is at this host.
    package let seat: SeatRow
    /// Whether sshd reports that it has accepted a public key of this user.
    package let keyAccepted: Bool
    /// Whether the login shows no notice of wrong tries (`CallFacts.isSilent`).
    package let isSilent: Bool

    /// The context of a login by PAM.
    /// - Parameter seat: the row that decided whether the user is at this host.
    package init(service: [UInt8], account: Account?, call: CallFacts, seat: SeatRow) {
        let address = seat.isRemote ? IPAddress(ofPeer: call.rhost) : nil
        self.service = service
        self.account = account
        self.address = address
        self.tty = presentable(call.tty)
        self.seat = seat
        self.isSilent = call.isSilent
        self.keyAccepted = seat.isRemote && namesPublicKey(call.authInfo)
        self.source =
            address == nil
            ? seat.source(call, service: service)
            : [UInt8](call.rhost.prefix { $0 != UInt8(ascii: "%") })
    }

    /// The context of a question that `mpin` asks for an account. No user logs in, so the source is `local:`
    /// and the uid of the account.
    package init(service: [UInt8], askedFor account: Account?, realUID: UInt32) {
        self.service = service
        self.account = account
        source = ascii("local:") + decimal(account?.uid ?? realUID)
        (address, tty, seat) = (nil, [], .setting(remote: false))
        (keyAccepted, isSilent) = (false, false)
    }

    /// The context of the enrolment of a user's own device, which belongs to no account of a host. The
    /// account's name is the part of `name` before `@`, which a PIN must not equal.
    package init(ownDeviceOf name: [UInt8]) {
        let account = Account(uid: 0, gid: 0, name: [UInt8](name.prefix { $0 != UInt8(ascii: "@") }))
        self.init(service: SealedQuestion.enrollService, askedFor: account, realUID: 0)
    }

    /// The same context for a question of another service.
    package func at(service: [UInt8]) -> LoginContext {
        LoginContext(service: service, of: self)
    }

    private init(service: [UInt8], of context: LoginContext) {
        self.service = service
        (account, source, address, tty) = (context.account, context.source, context.address, context.tty)
        (seat, keyAccepted, isSilent) = (context.seat, context.keyAccepted, context.isSilent)
    }

    /// Whether the user is, or may be, somewhere else than at this host.
    package var isRemote: Bool { seat.isRemote }

    /// Whether the login is at a virtual console of this machine: PAM_TTY is tty1 to tty63, and the user is
    /// not remote.
    package var isVirtualConsole: Bool {
        let name = tty.dropping("/dev/tty") ?? tty.dropping("tty") ?? []
        return !isRemote && name.first != 0x30 && wholeNumber(name, in: 1...63) != nil
    }

    /// The account's name as it is sent and logged.
    package var accountName: [UInt8] { account?.name ?? ascii("unknown") }
}

private func namesPublicKey(_ authInfo: [UInt8]) -> Bool {
    authInfo.split(separator: UInt8(ascii: "\n")).contains { [UInt8]($0).dropping("publickey ") != nil }
}

extension LoginContext {
    /// A question about this context; nil if a text is too long for a question.
    @inline(never)
    package func question(
        host: [UInt8], nonce: QuestionNonce, ids: [IdentityHash], life: Int, flags: UInt8 = 0
    )
        -> SealedQuestion?
    {
        SealedQuestion(
            host: host, nonce: nonce, service: service, account: accountName, source: source, tty: tty,
            flags: flags | (isSilent ? SealedQuestion.showsNoNotice : 0), life: sessionLife(life), ids: ids)
    }
}

/// The life of a session to request, in seconds: after at least 90 seconds, the last 10 before the login's
/// deadline are reserved for the final requests. mpind may grant less, and never grants more than 300.
package func sessionLife(_ deadline: Int) -> UInt16 {
    UInt16(clamping: min(min(deadline, max(90, deadline - 10)), 300))
}
