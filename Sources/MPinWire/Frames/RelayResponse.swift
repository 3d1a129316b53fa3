// SPDX-License-Identifier: Apache-2.0
// The responses of the relay to the module, as values; RelayResponseFrame.swift encodes them. The statuses
// are those of relay.md, section 4.
package import Octets

/// A response: the status of the call, and its result.
package struct RelayResponse: Equatable, Sendable {
    /// No backend could be reached: its name has no address, or none of its addresses took the connection in
    /// time.
    package static let unreachable: UInt16 = 0
    /// The server was reached, and there was no complete response in time.
    package static let timedOut: UInt16 = 1
    /// The response does not follow protocol 0.3, or it names a redirect or URL that may not be followed.
    package static let notUnderstood: UInt16 = 3
    /// This machine failed: no memory, process or descriptor.
    package static let machineFailed: UInt16 = 4
    /// The server's settings have a URL with an origin that they may not name.
    package static let foreignOrigin: UInt16 = 13
    /// To a device that asks which login waits: a Milagro server sent details to which a proof cannot be
    /// bound.
    package static let bindsNothing: UInt16 = 14
    /// No request was sent: the file of CA certificates cannot be read, or has none.
    package static let noCertificates: UInt16 = 32
    /// mpind's HTTP status of a pass 1 with a sealed question but without a time permit, if it needs one. The
    /// question is not used up.
    package static let permitNeeded: UInt16 = 428
    /// Added to the HTTP status with which a proxy refused to connect to the server: the request did not
    /// reach the server.
    package static let proxyRefused: UInt16 = 1_000

    /// Whether a status is known: one of those that a frame carries, of `Distrust`, or of HTTP.
    static func isKnown(_ status: UInt16) -> Bool {
        status <= machineFailed || status == foreignOrigin || status == noCertificates
            || Distrust(status: status) != nil || (100...599).contains(status) || proxysWord(status) != nil
    }

    /// The HTTP status with which a proxy refused to connect to the server; nil for every other status.
    package static func proxysWord(_ status: UInt16) -> UInt16? {
        (proxyRefused + 300...proxyRefused + 599).contains(status) ? status - proxyRefused : nil
    }

    /// Whether a status means that no trusted server could be reached, or that the server itself failed.
    package static func isUnavailable(_ status: UInt16) -> Bool {
        switch status {
        case unreachable, timedOut, machineFailed, 500...: true
        default: Distrust(status: status) != nil
        }
    }

    /// The kind of the request.
    package let kind: Kind
    /// An HTTP status, one of those above, or one of `Distrust`.
    package let status: UInt16
    /// Present only at status 200, except for `authenticate`, where it is always present.
    package let body: Body?
    /// The seconds after which the server wants the request to be repeated; 0 if it named none. Frames do not
    /// carry it.
    package let retryAfter: UInt32
    /// Only at status `foreignOrigin`: the origin that the settings named, a text of at most `Bound.address`
    /// octets.
    package let origin: [UInt8]

    /// Without `body`, a response to `authenticate` gets an empty one.
    package init(
        kind: Kind, status: UInt16, body: Body? = nil, retryAfter: UInt32 = 0, origin: [UInt8] = []
    ) {
        self.kind = kind
        self.status = status
        self.body = body ?? (kind == .authenticate ? .authenticate(.none) : nil)
        self.retryAfter = retryAfter
        self.origin = origin
    }

    /// The result of a call. Points have 65 octets; scalars, hashes and tags have 32; texts are within
    /// `Bound`.
    package enum Body: Equatable, Sendable {
        case hello(version: UInt8)
        case settings(usesPermits: Bool, pins: PINDemand = .none)
        case permits(PermitShares)
        case passOne(RelayPassOneResponse)
        case passTwo(RelayPassTwoResponse)
        case authenticate(RelaySealedResponse)
        case connect
        case session(RelaySessionResponse)
        case end
        /// One tag of 32 octets for each identity of the question, one after the other.
        case otp(tags: [UInt8])
        /// A `SealedStanding`, 49 octets.
        case standing(RelaySealedResponse)
        case bind(RelaySessionResponse)
        /// A `SealedBindAnswer`.
        case bindAnswer(RelaySealedResponse)
        /// False if the identity was enrolled by a QR code and has not been confirmed yet.
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
            case .connect: .connect
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

/// The shares of a time permit from D-TA 1 and D-TA 2, 65 octets each.
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

/// The challenge of a proof.
package struct RelayPassOneResponse: Equatable, Sendable {
    package let y: Challenge
    /// Present if mpind bound y to the purpose of the proof; nil with a Milagro server.
    package let n: ServerNonce?

    package init(y: Challenge, n: ServerNonce?) {
        self.y = y
        self.n = n
    }
}

/// The ticket of pass 2, and the one-time password that came with it.
package struct RelayPassTwoResponse: Equatable, Sendable {
    package let authOTT: [UInt8]
    /// Empty if none was requested.
    package let otp: [UInt8]

    package init(authOTT: [UInt8], otp: [UInt8]) {
        self.authOTT = authOTT
        self.otp = otp
    }
}

/// A message that mpind sealed (a verdict has 86 octets) and its tag; both are empty with a Milagro server.
package struct RelaySealedResponse: Equatable, Sendable {
    package static let none = RelaySealedResponse(answer: [], tag: [])
    package let answer: [UInt8]
    package let tag: [UInt8]
    /// The notice of wrong tries and its tag, with a granted login; otherwise both are empty.
    package let notice: [UInt8]
    package let noticeTag: [UInt8]

    package init(answer: [UInt8], tag: [UInt8], notice: [UInt8] = [], noticeTag: [UInt8] = []) {
        self.answer = answer
        self.tag = tag
        self.notice = notice
        self.noticeTag = noticeTag
    }
}

/// A session that mpind opened for a console, and mpind's tag.
package struct RelaySessionResponse: Equatable, Sendable {
    /// 32 hexadecimal digits, as text.
    package let wid: [UInt8]
    /// The access number: seven digits, as text.
    package let number: [UInt8]
    /// The life of the session in seconds.
    package let life: UInt16
    package let tag: [UInt8]

    package init(wid: [UInt8], number: [UInt8], life: UInt16, tag: [UInt8]) {
        self.wid = wid
        self.number = number
        self.life = life
        self.tag = tag
    }
}

/// A registration that the server began; `active` means that the client may fetch its secret.
package struct RelayRegisterResponse: Equatable, Sendable {
    package let mpinID: [UInt8]
    package let regOTT: [UInt8]
    package let active: Bool
    /// Whether the server will bind each challenge to its purpose and issues a device key. Frames do not
    /// carry it.
    package let isBound: Bool

    package init(mpinID: [UInt8], regOTT: [UInt8], active: Bool, isBound: Bool = false) {
        self.mpinID = mpinID
        self.regOTT = regOTT
        self.active = active
        self.isBound = isBound
    }
}

/// The shares of a client secret from D-TA 1 and D-TA 2: each has 65 octets, or 81 if it is sealed for the
/// host.
package struct ClientSecretShares: Equatable, Sendable {
    package let share1: [UInt8]
    package let share2: [UInt8]
    /// The device key of a second device that was registered as bound; otherwise empty. Frames do not carry
    /// it.
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

/// What the backend reports about itself, in Unix seconds; 0 for what it does not report.
package struct RelayInspectResponse: Equatable, Sendable {
    /// Its clock.
    package let time: UInt64
    /// When its certificate expires.
    package let certificateEnd: UInt64

    package init(time: UInt64, certificateEnd: UInt64) {
        self.time = time
        self.certificateEnd = certificateEnd
    }
}
