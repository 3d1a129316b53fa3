// SPDX-License-Identifier: Apache-2.0
// The requests of the module to the relay, as values; RelayRequestFrame.swift encodes them.
package import Octets

/// A sealed question and its tag; both are empty without a host key (with a Milagro server).
package struct TaggedQuestion: Equatable, Sendable {
    package static let none = TaggedQuestion(question: [], tag: [])
    /// The octets of a `SealedQuestion` or a `Bind`.
    package let question: [UInt8]
    /// 32 octets.
    package let tag: [UInt8]

    package init(question: [UInt8], tag: [UInt8]) {
        self.question = question
        self.tag = tag
    }

    package var isNone: Bool { question.isEmpty && tag.isEmpty }
}

/// A sealed question and the tags of the one-time password typed at this host: 32 octets for each identity of
/// the question, one after the other.
package struct RelayOTPRequest: Equatable, Sendable {
    package let sealed: TaggedQuestion
    package let tags: [UInt8]

    package init(_ sealed: TaggedQuestion, tags: [UInt8]) {
        self.sealed = sealed
        self.tags = tags
    }
}

/// A request to the relay. Points have 65 octets; scalars, hashes and tags have 32; texts are UTF-8 within
/// `Bound`.
package enum RelayRequest: Equatable, Sendable {
    case hello(Hello)
    case settings
    case permits(mpinID: [UInt8])
    case passOne(RelayPassOneRequest)
    case passTwo(RelayPassTwoRequest)
    case authenticate(RelayAuthenticateRequest)
    /// Connects to the backend for the pass 1 that follows. The number is how many octets its mpinId and its
    /// question have together: the relay must know the length of a body before the body itself.
    case connect(octets: UInt16)
    case session(TaggedQuestion)
    case end(RelayEndRequest)
    case otp(RelayOTPRequest)
    /// Asks whether the account of a user who typed a backup code is revoked.
    case standing(TaggedQuestion)
    /// Opens a session in which a phone is bound to an account; `question` has the octets of a `Bind`.
    case bind(TaggedQuestion)
    /// Asks who approved that session; `a` is the hash of the `Bind`.
    case bindAnswer(a: QuestionHash)
    case bindDone(RelayBindDoneRequest)
    case register(RelayRegisterRequest)
    case clientSecret(RelayClientSecretRequest)
    case join(RelayJoinRequest)
    /// Asks the backend for its clock and its certificate, over a new connection; only for `mpin doctor`.
    case inspect

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

/// The first request to every relay.
package struct Hello: Equatable, Sendable {
    package let version: UInt8
    /// The attempt id, 8 octets.
    package let attempt: [UInt8]
    /// `unix:PATH` or URLs, tried in this order; at least one.
    package let backends: [[UInt8]]
    /// Further origins that the server's settings may name.
    package let alsoOrigins: [[UInt8]]
    /// `NAME ADDRESS`: the last known address of a name, used if no name server answers.
    package let addresses: [[UInt8]]
    /// The file of CA certificates; empty for the system's certificates.
    package let caFile: [UInt8]
    /// `http://HOST:PORT`, the proxy for every https origin; empty for none.
    package let proxy: [UInt8]
    /// The time limit for establishing a connection.
    package let connectMilliseconds: UInt32
    /// The time limit for a whole call.
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
    /// What a second device showed, as the backend sent it. Frames do not carry it.
    package let seen: [UInt8]
    /// The tag made with the device key, or empty. Frames do not carry it.
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
    /// The session: 32 hexadecimal digits, seven digits, or `0` for a proof that is not for a session.
    package let wid: [UInt8]
    package let wantsOTP: Bool
    /// n as pass 1 gave it; nil with a Milagro server.
    package let n: ServerNonce?
    /// The tag made with the device key, or empty. Frames do not carry it.
    package let deviceTag: [UInt8]

    package init(
        mpinID: [UInt8], v: [UInt8], wid: [UInt8], wantsOTP: Bool, n: ServerNonce?, deviceTag: [UInt8] = []
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
    /// The ticket, as text, for way 1 (PIN); otherwise empty.
    package let authOTT: [UInt8]
    /// The identity hash for way 3 (one-time password); otherwise nil.
    package let id: IdentityHash?
    /// The hash A of the sealed question; nil for a Milagro server.
    package let a: QuestionHash?

    package init(authOTT: [UInt8], id: IdentityHash?, a: QuestionHash?) {
        self.authOTT = authOTT
        self.id = id
        self.a = a
    }
}

/// Ends a session for which the host no longer waits. `wid` has 32 hexadecimal digits; `a` is the hash of the
/// session's question.
package struct RelayEndRequest: Equatable, Sendable {
    package let wid: [UInt8]
    package let a: QuestionHash

    package init(wid: [UInt8], a: QuestionHash) {
        self.wid = wid
        self.a = a
    }
}

/// Reports that the approval code was right and the phone is bound.
package struct RelayBindDoneRequest: Equatable, Sendable {
    /// The hash of the `Bind`.
    package let a: QuestionHash
    /// 32 octets: `HostKey.bindDoneTag`.
    package let tag: [UInt8]

    package init(a: QuestionHash, tag: [UInt8]) {
        self.a = a
        self.tag = tag
    }
}

/// Begins a registration, or repeats a pending one.
package struct RelayRegisterRequest: Equatable, Sendable {
    package let userID: [UInt8]
    /// Empty if the `authOTT` of a login replaces the code.
    package let activationCode: [UInt8]
    package let deviceName: [UInt8]
    /// `regOTT` and `mpinID` of the registration that is repeated; otherwise both are empty.
    package let regOTT: [UInt8]
    package let mpinID: [UInt8]
    package let sealed: TaggedQuestion
    /// The ticket of the login with the old PIN, if it replaces the code; otherwise empty.
    package let authOTT: [UInt8]
    /// Whether the registration is for a user's own device. Frames do not carry it.
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

/// Requests both shares of the client secret of an active registration.
package struct RelayClientSecretRequest: Equatable, Sendable {
    package let mpinID: [UInt8]
    package let regOTT: [UInt8]
    /// The hash A of the question that sealed the registration, or nil.
    package let a: QuestionHash?

    package init(mpinID: [UInt8], regOTT: [UInt8], a: QuestionHash?) {
        self.mpinID = mpinID
        self.regOTT = regOTT
        self.a = a
    }
}

/// Requests the host key with a join code.
package struct RelayJoinRequest: Equatable, Sendable {
    package let host: [UInt8]
    /// 16 octets (`OneTimeCode.joinID`).
    package let joinID: [UInt8]

    package init(host: [UInt8], joinID: [UInt8]) {
        self.host = host
        self.joinID = joinID
    }
}
