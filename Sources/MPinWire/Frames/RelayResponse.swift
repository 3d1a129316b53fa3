// SPDX-License-Identifier: Apache-2.0
// What the relay answers: values only; RelayResponseFrame.swift says their octets.

/// An answer: what became of the call, and what it brought.
package struct RelayResponse: Equatable, Sendable {
    /// The network's word that nobody is there, at every backend: no such name, nobody at any address.
    package static let unreachable: UInt16 = 0
    /// Connected, but no whole answer in time; or no name server answered and no address is recorded.
    package static let timedOut: UInt16 = 1
    /// An answer came that is not what protocol 0.3 says, or that nobody may follow.
    package static let notUnderstood: UInt16 = 3
    /// This machine failed: no memory, no descriptor, no port, or a server on it that takes no connection.
    /// Any local account can bring that about.
    package static let machineFailed: UInt16 = 4
    /// The server's settings name an address at an origin that it may not name.
    package static let foreignOrigin: UInt16 = 13
    /// To a device that asks who waits: a Milagro server's details, which a proof cannot be bound to.
    package static let bindsNothing: UInt16 = 14
    /// Nothing was asked: the certificates that may vouch for the server cannot be read, or are none.
    package static let noCertificates: UInt16 = 32
    /// Added to the HTTP status by which a proxy refused the way to the server: nothing was asked there.
    package static let proxyRefused: UInt16 = 1_000

    /// Whether a status is known: one of those above, of `Distrust`, or of HTTP.
    static func isKnown(_ status: UInt16) -> Bool {
        status <= machineFailed || status == foreignOrigin || status == noCertificates
            || Distrust(status: status) != nil || (100...599).contains(status) || proxysWord(status) != nil
    }

    /// The HTTP status of a proxy that refused the way to the server; nil for every other status.
    package static func proxysWord(_ status: UInt16) -> UInt16? {
        (proxyRefused + 300...proxyRefused + 599).contains(status) ? status - proxyRefused : nil
    }

    /// Whether a status says that the server is out of reach, for a reason that no local account can cause.
    /// A certificate at a distant address counts, for captive portals show one.
    package static func isAway(_ status: UInt16) -> Bool {
        status == unreachable || Distrust(rawValue: status)?.isOfCertificate == true
    }

    /// Whether nobody could be asked, or whoever was asked has trouble of their own.
    package static func isUnavailable(_ status: UInt16) -> Bool {
        switch status {
        case unreachable, timedOut, machineFailed, 500...: true
        default: Distrust(status: status) != nil
        }
    }

    /// The kind of the question.
    package let kind: Kind
    /// An HTTP status, one of those above, or one of `Distrust`.
    package let status: UInt16
    /// There at status 200 alone, but at every status for `authenticate`.
    package let body: Body?
    /// Seconds after which the server wants to be asked again, 0 if it named none. No frame carries it.
    package let retryAfter: UInt32
    /// What the settings named, at status `foreignOrigin` alone: text of `Bound.address` octets at most.
    package let origin: [UInt8]

    /// Without a body, an answer to `authenticate` gets an empty one.
    package init(
        kind: Kind, status: UInt16, body: Body? = nil, retryAfter: UInt32 = 0, origin: [UInt8] = []
    ) {
        self.kind = kind
        self.status = status
        self.body = body ?? (kind == .authenticate ? .authenticate(.none) : nil)
        self.retryAfter = retryAfter
        self.origin = origin
    }

    /// Points have 65 octets, scalars, hashes and tags 32, texts are within `Bound`.
    package enum Body: Equatable, Sendable {
        case hello(version: UInt8)
        case settings(usesPermits: Bool, pins: PINDemand = .none)
        case permits(PermitShares)
        case passOne(RelayPassOneResponse)
        case passTwo(RelayPassTwoResponse)
        case authenticate(RelaySealedResponse)
        case session(RelaySessionResponse)
        case end
        /// As many tags of 32 octets, one after the other, as the question listed identities.
        case otp(tags: [UInt8])
        /// 49 octets, sealed.
        case standing(RelaySealedResponse)
        case bind(RelaySessionResponse)
        /// A `SealedBindAnswer`.
        case bindAnswer(RelaySealedResponse)
        /// False: the identity was enrolled by a picture, and still nobody has vouched for it.
        case bindDone(isConfirmed: Bool)
        case register(RelayRegisterResponse)
        case clientSecret(ClientSecretShares)
        case join(RelayJoinResponse)
        case inspect(RelayInspectResponse)

        package var kind: Kind {
            switch self {
            case .hello: .hello
            case .settings: .settings
            case .permits: .permits
            case .passOne: .passOne
            case .passTwo: .passTwo
            case .authenticate: .authenticate
            case .session: .session
            case .end: .end
            case .otp: .otp
            case .standing: .standing
            case .bind: .bind
            case .bindAnswer: .bindAnswer
            case .bindDone: .bindDone
            case .register: .register
            case .clientSecret: .clientSecret
            case .join: .join
            case .inspect: .inspect
            }
        }
    }
}

/// Shares of a time permit, of D-TA 1 and D-TA 2.
package struct PermitShares: Equatable, Sendable {
    /// Days since 1970-01-01 UTC.
    package let date: UInt32
    package let share1: [UInt8]
    package let share2: [UInt8]

    package init(date: UInt32, share1: [UInt8], share2: [UInt8]) {
        self.date = date
        self.share1 = share1
        self.share2 = share2
    }
}

/// The challenge of a proof: y has 32 octets, n 32 where mpind bound y to the purpose of the proof.
package struct RelayPassOneResponse: Equatable, Sendable {
    package let y: [UInt8]
    /// Empty from a Milagro server.
    package let n: [UInt8]

    package init(y: [UInt8], n: [UInt8]) {
        self.y = y
        self.n = n
    }
}

/// The ticket of pass 2, and the one-time password that came with it.
package struct RelayPassTwoResponse: Equatable, Sendable {
    package let authOTT: [UInt8]
    /// Empty where none was wanted.
    package let otp: [UInt8]

    package init(authOTT: [UInt8], otp: [UInt8]) {
        self.authOTT = authOTT
        self.otp = otp
    }
}

/// What mpind sealed (a verdict has 86 octets) and its tag; both empty from a Milagro server.
package struct RelaySealedResponse: Equatable, Sendable {
    package static let none = RelaySealedResponse(answer: [], tag: [])
    package let answer: [UInt8]
    package let tag: [UInt8]
    /// The wrong tries before a login that was granted, and the tag over them; else both are empty.
    package let notice: [UInt8]
    package let noticeTag: [UInt8]

    package init(answer: [UInt8], tag: [UInt8], notice: [UInt8] = [], noticeTag: [UInt8] = []) {
        self.answer = answer
        self.tag = tag
        self.notice = notice
        self.noticeTag = noticeTag
    }
}

/// A session that mpind opened for a console, with mpind's tag over it.
package struct RelaySessionResponse: Equatable, Sendable {
    /// 32 hex digits, as text.
    package let wid: [UInt8]
    /// The access number: seven digits.
    package let number: [UInt8]
    /// In seconds.
    package let life: UInt16
    package let tag: [UInt8]

    package init(wid: [UInt8], number: [UInt8], life: UInt16, tag: [UInt8]) {
        self.wid = wid
        self.number = number
        self.life = life
        self.tag = tag
    }
}

/// A registration that the server began; `active` says that its secret may be fetched.
package struct RelayRegisterResponse: Equatable, Sendable {
    package let mpinID: [UInt8]
    package let regOTT: [UInt8]
    package let active: Bool
    /// The server will say what each challenge is for, and gives a device key; no frame carries it.
    package let isBound: Bool

    package init(mpinID: [UInt8], regOTT: [UInt8], active: Bool, isBound: Bool = false) {
        self.mpinID = mpinID
        self.regOTT = regOTT
        self.active = active
        self.isBound = isBound
    }
}

/// Shares of a client secret, of D-TA 1 and D-TA 2: each 65 octets, or 81 sealed for the host.
package struct ClientSecretShares: Equatable, Sendable {
    package let share1: [UInt8]
    package let share2: [UInt8]
    /// Of a second device that was registered as bound, else empty; no frame carries it.
    package let deviceKey: [UInt8]

    package init(share1: [UInt8], share2: [UInt8], deviceKey: [UInt8] = []) {
        self.share1 = share1
        self.share2 = share2
        self.deviceKey = deviceKey
    }
}

/// A host key, sealed under the join code, and its epoch.
package struct RelayJoinResponse: Equatable, Sendable {
    package let epoch: UInt32
    /// 48 octets.
    package let sealedKey: [UInt8]

    package init(epoch: UInt32, sealedKey: [UInt8]) {
        self.epoch = epoch
        self.sealedKey = sealedKey
    }
}

/// Unix seconds; 0 for what the backend did not say.
package struct RelayInspectResponse: Equatable, Sendable {
    /// Its clock, to the second.
    package let time: UInt64
    /// When its certificate ends.
    package let certificateEnd: UInt64

    package init(time: UInt64, certificateEnd: UInt64) {
        self.time = time
        self.certificateEnd = certificateEnd
    }
}
