// SPDX-License-Identifier: Apache-2.0
// The kinds of messages between module and relay: the number of each, its request, and the result of its
// call. The messages themselves are declared in the files beside this one.
package import Octets

/// The numbers of the requests; a response has the number of its request + 128.
package enum Kind: UInt8, Sendable, CaseIterable {
    case hello = 1
    case settings = 2
    case permits = 3
    case passOne = 4
    case passTwo = 5
    case authenticate = 6
    case connect = 7
    case session = 16
    case end = 17
    case otp = 18
    case standing = 19
    case bind = 20
    case bindAnswer = 21
    case bindDone = 22
    case register = 32
    case clientSecret = 33
    case join = 34
    case inspect = 48

    /// The word of the relay's log, and the name that people read.
    package var names: (word: StaticString, shown: StaticString) {
        switch self {
        case .hello: ("hello", "hello")
        case .settings: ("settings", "settings")
        case .permits: ("permits", "time permits")
        case .passOne: ("pass1", "pass 1")
        case .passTwo: ("pass2", "pass 2")
        case .authenticate: ("authenticate", "verdict")
        case .connect: ("connect", "connection")
        case .session: ("session", "session")
        case .end: ("end", "end of session")
        case .otp: ("otp", "one-time password")
        case .standing: ("standing", "standing")
        case .bind: ("bind", "bind")
        case .bindAnswer: ("bind-answer", "who approved")
        case .bindDone: ("bind-done", "end of binding")
        case .register: ("register", "registration")
        case .clientSecret: ("client-secret", "client secret")
        case .join: ("join", "join")
        case .inspect: ("inspect", "inspection")
        }
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

    /// A request of this kind, into which its fields are read.
    private init(_ kind: Kind) {
        self =
            switch kind {
            case .hello: .hello(.none)
            case .settings: .settings
            case .permits: .permits(mpinID: [])
            case .passOne: .passOne(RelayPassOneRequest(mpinID: [], u: [], ut: [], sealed: .none))
            case .passTwo:
                .passTwo(RelayPassTwoRequest(mpinID: [], v: [], wid: [], wantsOTP: false, n: nil))
            case .authenticate: .authenticate(RelayAuthenticateRequest(authOTT: [], id: nil, a: nil))
            case .connect: .connect(octets: 0)
            case .session: .session(.none)
            case .end: .end(RelayEndRequest(wid: [], a: .zero))
            case .otp: .otp(RelayOTPRequest(.none, tags: []))
            case .standing: .standing(.none)
            case .bind: .bind(.none)
            case .bindAnswer: .bindAnswer(a: .zero)
            case .bindDone: .bindDone(RelayBindDoneRequest(a: .zero, tag: []))
            case .register:
                .register(
                    RelayRegisterRequest(userID: [], activationCode: [], deviceName: [], sealed: .none))
            case .clientSecret: .clientSecret(RelayClientSecretRequest(mpinID: [], regOTT: [], a: nil))
            case .join: .join(RelayJoinRequest(host: [], joinID: []))
            case .inspect: .inspect
            }
    }

    /// Reads a request of this kind, or writes this one.
    private func passed(through fields: inout FrameFields) throws(FrameError) -> RelayRequest {
        switch self {
        case .hello(let hello): .hello(try hello.passed(through: &fields))
        case .settings, .inspect: self
        case .permits(let mpinID): .permits(mpinID: try fields.mpinID(mpinID))
        case .passOne(let pass): .passOne(try pass.passed(through: &fields))
        case .passTwo(let pass): .passTwo(try pass.passed(through: &fields))
        case .authenticate(let request): .authenticate(try request.passed(through: &fields))
        case .connect(let octets): .connect(octets: try fields.passOneOctets(octets))
        case .session(let question): .session(try question.passed(through: &fields))
        case .end(let end): .end(try end.passed(through: &fields))
        case .otp(let password): .otp(try password.passed(through: &fields))
        case .standing(let question): .standing(try question.passed(through: &fields))
        case .bind(let question): .bind(try question.passed(through: &fields))
        case .bindAnswer(let a): .bindAnswer(a: try fields.fixed(a))
        case .bindDone(let done): .bindDone(try done.passed(through: &fields))
        case .register(let new): .register(try new.passed(through: &fields))
        case .clientSecret(let request): .clientSecret(try request.passed(through: &fields))
        case .join(let join): .join(try join.passed(through: &fields))
        }
    }
}

extension RelayRequest {
    /// The frame. Throws an error if the other end would refuse it.
    package func encoded() throws(FrameError) -> [UInt8] {
        var fields = FrameFields(writing: kind.rawValue)
        _ = try passed(through: &fields)
        return try fields.finished()
    }

    /// Decodes a frame of any octets; the result is a request or an error.
    package init(decoding frame: [UInt8]) throws(FrameError) {
        var fields = try FrameFields(reading: frame)
        guard let kind = Kind(rawValue: fields.kind) else { throw .unknownKind(fields.kind) }
        self = try RelayRequest(kind).passed(through: &fields)
        _ = try fields.finished()
    }
}

extension RelayResponse {
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

        /// The result of a call of this kind, into which its fields are read.
        init(_ kind: Kind) {
            self =
                switch kind {
                case .hello: .hello(version: 0)
                case .settings: .settings(usesPermits: false)
                case .permits: .permits(PermitShares(date: 0, share1: [], share2: []))
                case .passOne: .passOne(RelayPassOneResponse(y: .zero, n: nil))
                case .passTwo: .passTwo(RelayPassTwoResponse(authOTT: [], otp: []))
                case .authenticate: .authenticate(.none)
                case .connect: .connect
                case .session: .session(.none)
                case .end: .end
                case .otp: .otp(tags: [])
                case .standing: .standing(.none)
                case .bind: .bind(.none)
                case .bindAnswer: .bindAnswer(.none)
                case .bindDone: .bindDone(isConfirmed: false)
                case .register: .register(RelayRegisterResponse(mpinID: [], regOTT: [], active: false))
                case .clientSecret: .clientSecret(ClientSecretShares(share1: [], share2: []))
                case .join: .join(RelayJoinResponse(epoch: 0, sealedKey: []))
                case .inspect: .inspect(RelayInspectResponse(time: 0, certificateEnd: 0))
                }
        }

        /// Reads a result of this kind, or writes this one.
        func passed(through fields: inout FrameFields) throws(FrameError) -> RelayResponse.Body {
            switch self {
            case .hello(let version): .hello(version: try fields.number(version))
            case .settings(let usesPermits, let pins):
                .settings(usesPermits: try fields.flag(usesPermits), pins: try pins.passed(through: &fields))
            case .permits(let shares): .permits(try shares.passed(through: &fields))
            case .passOne(let pass): .passOne(try pass.passed(through: &fields))
            case .passTwo(let pass): .passTwo(try pass.passed(through: &fields))
            case .authenticate(let sealed): .authenticate(try sealed.passed(through: &fields))
            case .connect, .end: self
            case .session(let session): .session(try session.passed(through: &fields))
            case .otp(let tags): .otp(tags: try fields.otpTags(tags))
            case .standing(let sealed): .standing(try sealed.passed(through: &fields, 49...49))
            case .bind(let session): .bind(try session.passed(through: &fields))
            case .bindAnswer(let sealed): .bindAnswer(try sealed.passed(through: &fields, Bound.bindAnswer))
            case .bindDone(let isConfirmed): .bindDone(isConfirmed: try fields.flag(isConfirmed))
            case .register(let new): .register(try new.passed(through: &fields))
            case .clientSecret(let shares): .clientSecret(try shares.passed(through: &fields))
            case .join(let join): .join(try join.passed(through: &fields))
            case .inspect(let facts): .inspect(try facts.passed(through: &fields))
            }
        }
    }
}
