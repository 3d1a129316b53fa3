// SPDX-License-Identifier: Apache-2.0
// What the module asks of the relay: values only; RelayRequestFrame.swift says their octets.

/// A question that the module sealed, and its tag; both empty where there is no host key (a Milagro server).
package struct TaggedQuestion: Equatable, Sendable {
    package static let none = TaggedQuestion(question: [], tag: [])
    package let question: [UInt8]
    /// 32 octets.
    package let tag: [UInt8]

    package init(question: [UInt8], tag: [UInt8]) {
        self.question = question
        self.tag = tag
    }

    package var isNone: Bool { question.isEmpty && tag.isEmpty }
}

/// A sealed question, with what the one-time password typed at this host would have as its tag for each
/// identity of it, one after the other: 32 octets each.
package struct RelayOTPRequest: Equatable, Sendable {
    package let sealed: TaggedQuestion
    package let tags: [UInt8]

    package init(_ sealed: TaggedQuestion, tags: [UInt8]) {
        self.sealed = sealed
        self.tags = tags
    }
}

/// A question; points have 65 octets, scalars, hashes and tags 32, texts are UTF-8 within `Bound`.
package enum RelayRequest: Equatable, Sendable {
    case hello(Hello)
    case settings
    case permits(mpinID: [UInt8])
    case passOne(RelayPassOneRequest)
    case passTwo(RelayPassTwoRequest)
    case authenticate(RelayAuthenticateRequest)
    case session(TaggedQuestion)
    case end(RelayEndRequest)
    case otp(RelayOTPRequest)
    /// Whether the account that has typed a backup code is revoked.
    case standing(TaggedQuestion)
    /// Opens a session in which a phone is bound to an account; `question` is the octets of a `Bind`.
    case bind(TaggedQuestion)
    /// Who approved that session; hash of the `Bind`.
    case bindAnswer(a: [UInt8])
    case bindDone(RelayBindDoneRequest)
    case register(RelayRegisterRequest)
    case clientSecret(RelayClientSecretRequest)
    case join(RelayJoinRequest)
    /// What the backend says of itself, asked afresh: for `mpin doctor` alone.
    case inspect

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

/// The first question of every relay.
package struct Hello: Equatable, Sendable {
    package let version: UInt8
    /// The attempt id, 8 octets.
    package let attempt: [UInt8]
    /// `unix:PATH` or URLs, tried in turn; at least one.
    package let backends: [[UInt8]]
    package let alsoOrigins: [[UInt8]]
    /// `NAME ADDRESS`: where a name was last known to live, for when no name server answers.
    package let addresses: [[UInt8]]
    /// Empty: the system's certificates.
    package let caFile: [UInt8]
    /// `http://HOST:PORT`, by which every https origin is reached; empty: none.
    package let proxy: [UInt8]
    package let connectMilliseconds: UInt32
    package let totalMilliseconds: UInt32

    package init(
        attempt: [UInt8], backends: [[UInt8]], alsoOrigins: [[UInt8]], addresses: [[UInt8]] = [],
        caFile: [UInt8], proxy: [UInt8] = [], connectMilliseconds: UInt32, totalMilliseconds: UInt32,
        version: UInt8 = Frame.version
    ) {
        self.version = version
        self.attempt = attempt
        self.backends = backends
        self.alsoOrigins = alsoOrigins
        self.addresses = addresses
        self.caFile = caFile
        self.proxy = proxy
        self.connectMilliseconds = connectMilliseconds
        self.totalMilliseconds = totalMilliseconds
    }
}

/// Pass 1 of a proof. U and UT are points of G1, 65 octets each.
package struct RelayPassOneRequest: Equatable, Sendable {
    package let mpinID: [UInt8]
    package let u: [UInt8]
    /// Empty without a time permit.
    package let ut: [UInt8]
    package let sealed: TaggedQuestion
    /// What a second device showed, as the backend gave it; no frame carries it.
    package let seen: [UInt8]
    /// Made with the device key, or empty; no frame carries it.
    package let deviceTag: [UInt8]

    package init(
        mpinID: [UInt8], u: [UInt8], ut: [UInt8], sealed: TaggedQuestion, seen: [UInt8] = [],
        deviceTag: [UInt8] = []
    ) {
        self.mpinID = mpinID
        self.u = u
        self.ut = ut
        self.sealed = sealed
        self.seen = seen
        self.deviceTag = deviceTag
    }
}

/// Pass 2 of a proof. V is a point of G1, 65 octets.
package struct RelayPassTwoRequest: Equatable, Sendable {
    package let mpinID: [UInt8]
    package let v: [UInt8]
    /// 32 hex digits, seven digits, or `0` for a login in this session.
    package let wid: [UInt8]
    package let wantsOTP: Bool
    /// As pass 1 gave it: 32 octets, or none from a Milagro server.
    package let n: [UInt8]
    /// Made with the device key, or empty; no frame carries it.
    package let deviceTag: [UInt8]

    package init(
        mpinID: [UInt8], v: [UInt8], wid: [UInt8], wantsOTP: Bool, n: [UInt8], deviceTag: [UInt8] = []
    ) {
        self.mpinID = mpinID
        self.v = v
        self.wid = wid
        self.wantsOTP = wantsOTP
        self.n = n
        self.deviceTag = deviceTag
    }
}

/// Asks for the verdict on a proof, a one-time password or a session.
package struct RelayAuthenticateRequest: Equatable, Sendable {
    /// Text; way 1 (PIN), else empty.
    package let authOTT: [UInt8]
    /// Hash of the identity; way 3 (OTP), else empty.
    package let id: [UInt8]
    /// Hash of the sealed question; empty for a Milagro server.
    package let a: [UInt8]

    package init(authOTT: [UInt8], id: [UInt8], a: [UInt8]) {
        self.authOTT = authOTT
        self.id = id
        self.a = a
    }
}

/// Ends a session that nobody waits for any more; `wid` has 32 hex digits, `a` is the hash of its question.
package struct RelayEndRequest: Equatable, Sendable {
    package let wid: [UInt8]
    package let a: [UInt8]

    package init(wid: [UInt8], a: [UInt8]) {
        self.wid = wid
        self.a = a
    }
}

/// The approval code was right, and the phone is bound.
package struct RelayBindDoneRequest: Equatable, Sendable {
    /// Hash of the `Bind`.
    package let a: [UInt8]
    /// 32 octets: `HostKey.bindDoneTag`.
    package let tag: [UInt8]

    package init(a: [UInt8], tag: [UInt8]) {
        self.a = a
        self.tag = tag
    }
}

/// Begins a registration, or starts a pending one again.
package struct RelayRegisterRequest: Equatable, Sendable {
    package let userID: [UInt8]
    /// Empty where a login's `authOTT` stands for it.
    package let activationCode: [UInt8]
    package let deviceName: [UInt8]
    /// With `mpinID`, of the registration that is started again; else both are empty.
    package let regOTT: [UInt8]
    package let mpinID: [UInt8]
    package let sealed: TaggedQuestion
    package let authOTT: [UInt8]
    /// For somebody's own device; no frame carries it.
    package let isPersonal: Bool

    package init(
        userID: [UInt8], activationCode: [UInt8], deviceName: [UInt8], regOTT: [UInt8] = [],
        mpinID: [UInt8] = [], sealed: TaggedQuestion, authOTT: [UInt8] = [], isPersonal: Bool = false
    ) {
        self.userID = userID
        self.activationCode = activationCode
        self.deviceName = deviceName
        self.regOTT = regOTT
        self.mpinID = mpinID
        self.sealed = sealed
        self.authOTT = authOTT
        self.isPersonal = isPersonal
    }
}

/// Asks for both shares of the client secret of an active registration.
package struct RelayClientSecretRequest: Equatable, Sendable {
    package let mpinID: [UInt8]
    package let regOTT: [UInt8]
    /// Hash of the question that the registration was sealed with, or empty.
    package let a: [UInt8]

    package init(mpinID: [UInt8], regOTT: [UInt8], a: [UInt8]) {
        self.mpinID = mpinID
        self.regOTT = regOTT
        self.a = a
    }
}

/// Asks for the host key that a join code is good for.
package struct RelayJoinRequest: Equatable, Sendable {
    package let host: [UInt8]
    /// 16 octets.
    package let joinID: [UInt8]

    package init(host: [UInt8], joinID: [UInt8]) {
        self.host = host
        self.joinID = joinID
    }
}
