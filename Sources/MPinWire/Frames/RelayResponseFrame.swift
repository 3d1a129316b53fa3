// SPDX-License-Identifier: Apache-2.0
// Encodes and decodes relay responses as frames: the status, then the fields in their order, which are empty
// if the call had no result. At `foreignOrigin` there is one field, the origin.

extension RelayResponse {
    /// The frame. Throws an error if the other end would refuse it.
    package func encoded() throws(FrameError) -> [UInt8] {
        var fields = FieldWriter(kind: kind.rawValue + Frame.answerOffset)
        fields.number(status)
        if status == RelayResponse.foreignOrigin {
            fields.octets(origin)
        } else if let body {
            body.write(to: &fields)
        } else {
            fields.empty(kind.answerFields)
        }
        let frame = try fields.finished()
        guard try RelayResponse(decoding: frame) == framed else { throw .badField }
        return frame
    }

    /// This response without the values that frames do not carry.
    private var framed: RelayResponse {
        if case .register(let new)? = body {
            let carried = RelayRegisterResponse(mpinID: new.mpinID, regOTT: new.regOTT, active: new.active)
            return RelayResponse(kind: kind, status: status, body: .register(carried))
        }
        if case .clientSecret(let shares)? = body {
            let carried = ClientSecretShares(share1: shares.share1, share2: shares.share2)
            return RelayResponse(kind: kind, status: status, body: .clientSecret(carried))
        }
        return RelayResponse(kind: kind, status: status, body: body, origin: origin)
    }

    /// Decodes a frame of any octets; the result is a response or an error.
    package init(decoding frame: [UInt8]) throws(FrameError) {
        var fields = try FieldReader(frame)
        guard fields.kind >= Frame.answerOffset, let kind = Kind(rawValue: fields.kind - Frame.answerOffset)
        else { throw .unknownKind(fields.kind) }
        let status: UInt16 = try fields.number()
        guard RelayResponse.isKnown(status) else { throw .badField }
        var body: Body?
        var origin: [UInt8] = []
        if status == RelayResponse.foreignOrigin {
            origin = try fields.text(1...Bound.address)
        } else if status == 200 || kind == .authenticate {
            body = try Body.read(kind, from: &fields)
        } else {
            try fields.empty(kind.answerFields)
        }
        try fields.finish()
        self.init(kind: kind, status: status, body: body, origin: origin)
    }
}

extension Kind {
    /// How many fields follow the status of a response.
    fileprivate var answerFields: Int {
        switch self {
        case .connect, .end: 0
        case .hello, .otp, .bindDone: 1
        case .passOne, .passTwo, .standing, .bindAnswer, .clientSecret, .join, .inspect: 2
        case .settings, .permits, .register: 3
        case .authenticate, .session, .bind: 4
        }
    }
}

extension RelayResponse.Body {
    fileprivate func write(to fields: inout FieldWriter) {
        switch self {
        case .hello(let version): fields.octet(version)
        case .settings(let usesPermits, let pins):
            fields.flag(usesPermits)
            fields.octet(UInt8(clamping: pins.length))
            fields.flag(pins.refusesDates)
        case .permits(let permits):
            fields.number(permits.date)
            for field in [permits.share1, permits.share2] { fields.octets(field) }
        case .passOne(let pass):
            fields.fixed(pass.y)
            fields.fixed(pass.n)
        case .passTwo(let pass): for field in [pass.authOTT, pass.otp] { fields.octets(field) }
        case .authenticate(let sealed):
            for field in [sealed.answer, sealed.tag, sealed.notice, sealed.noticeTag] { fields.octets(field) }
        case .standing(let sealed), .bindAnswer(let sealed):
            for field in [sealed.answer, sealed.tag] { fields.octets(field) }
        case .bindDone(let isConfirmed): fields.flag(isConfirmed)
        case .session(let session), .bind(let session):
            for field in [session.wid, session.number] { fields.octets(field) }
            fields.number(session.life)
            fields.octets(session.tag)
        case .connect, .end: break
        case .otp(let tags): fields.octets(tags)
        case .register(let new):
            for field in [new.mpinID, new.regOTT] { fields.octets(field) }
            fields.flag(new.active)
        case .clientSecret(let shares): for field in [shares.share1, shares.share2] { fields.octets(field) }
        case .join(let join):
            fields.number(join.epoch)
            fields.octets(join.sealedKey)
        case .inspect(let facts):
            fields.number(facts.time)
            fields.number(facts.certificateEnd)
        }
    }

    fileprivate static func read(
        _ kind: Kind, from fields: inout FieldReader
    ) throws(FrameError) -> RelayResponse.Body {
        switch kind {
        case .hello: .hello(version: try fields.octet())
        case .settings: .settings(usesPermits: try fields.flag(), pins: try PINDemand(from: &fields))
        case .permits: .permits(try PermitShares(from: &fields))
        case .passOne:
            .passOne(RelayPassOneResponse(y: try fields.fixed(), n: try fields.optional()))
        case .passTwo: .passTwo(try RelayPassTwoResponse(from: &fields))
        case .authenticate: .authenticate(try RelaySealedResponse(from: &fields))
        case .session: .session(try RelaySessionResponse(from: &fields))
        case .connect: .connect
        case .end: .end
        case .otp: .otp(tags: try fields.otpTags())
        case .standing:
            .standing(RelaySealedResponse(answer: try fields.octets(49), tag: try fields.octets(32)))
        case .bind: .bind(try RelaySessionResponse(from: &fields))
        case .bindAnswer:
            .bindAnswer(
                RelaySealedResponse(answer: try fields.octets(Bound.bindAnswer), tag: try fields.octets(32)))
        case .bindDone: .bindDone(isConfirmed: try fields.flag())
        case .register: .register(try RelayRegisterResponse(from: &fields))
        case .clientSecret: .clientSecret(try ClientSecretShares(from: &fields))
        case .join: .join(RelayJoinResponse(epoch: try fields.number(), sealedKey: try fields.octets(48)))
        case .inspect:
            .inspect(RelayInspectResponse(time: try fields.number(), certificateEnd: try fields.number()))
        }
    }
}

extension PINDemand {
    fileprivate init(from fields: inout FieldReader) throws(FrameError) {
        let length = Int(try fields.octet())
        guard PINDemand.lengths.contains(length) else { throw .badField }
        self.init(length: length, refusesDates: try fields.flag())
    }
}

extension PermitShares {
    fileprivate init(from fields: inout FieldReader) throws(FrameError) {
        self.init(
            date: try fields.number(), share1: try fields.octets(65), share2: try fields.octets(65))
    }
}

extension RelayPassTwoResponse {
    fileprivate init(from fields: inout FieldReader) throws(FrameError) {
        self.init(authOTT: try fields.text(1...Bound.ticket), otp: try fields.text(0...Bound.otp))
    }
}

extension RelaySealedResponse {
    fileprivate init(from fields: inout FieldReader) throws(FrameError) {
        self.init(
            answer: try fields.octets(86, or: 0), tag: try fields.octets(32, or: 0),
            notice: try fields.octets(0...Bound.notice), noticeTag: try fields.octets(32, or: 0))
        guard answer.isEmpty == tag.isEmpty, notice.isEmpty == noticeTag.isEmpty else { throw .badField }
    }
}

extension RelaySessionResponse {
    fileprivate init(from fields: inout FieldReader) throws(FrameError) {
        self.init(
            wid: try fields.text(32...32), number: try fields.text(7...7), life: try fields.number(),
            tag: try fields.octets(32))
    }
}

extension RelayRegisterResponse {
    fileprivate init(from fields: inout FieldReader) throws(FrameError) {
        self.init(
            mpinID: try fields.mpinID(), regOTT: try fields.text(1...Bound.ticket),
            active: try fields.flag())
    }
}

extension ClientSecretShares {
    fileprivate init(from fields: inout FieldReader) throws(FrameError) {
        self.init(share1: try fields.octets(65, or: 81), share2: try fields.octets(65, or: 81))
    }
}
