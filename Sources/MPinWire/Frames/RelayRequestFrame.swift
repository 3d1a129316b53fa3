// SPDX-License-Identifier: Apache-2.0
// Encodes relay requests as frames, and decodes them with a check of every bound.

extension RelayRequest {
    /// The frame. Throws an error if the other end would refuse it.
    package func encoded() throws(FrameError) -> [UInt8] {
        var fields = FieldWriter(kind: kind.rawValue)
        write(to: &fields)
        let frame = try fields.finished()
        guard try RelayRequest(decoding: frame) == self else { throw .badField }
        return frame
    }

    private func write(to fields: inout FieldWriter) {
        switch self {
        case .hello(let hello): hello.write(to: &fields)
        case .settings, .inspect: break
        case .permits(let mpinID): fields.octets(mpinID)
        case .passOne(let pass):
            for field in [pass.mpinID, pass.u, pass.ut] { fields.octets(field) }
            pass.sealed.write(to: &fields)
        case .passTwo(let pass):
            for field in [pass.mpinID, pass.v, pass.wid] { fields.octets(field) }
            fields.flag(pass.wantsOTP)
            fields.fixed(pass.n)
        case .authenticate(let request):
            fields.octets(request.authOTT)
            fields.fixed(request.id)
            fields.fixed(request.a)
        case .connect(let octets): fields.number(octets)
        case .session(let sealed), .standing(let sealed), .bind(let sealed): sealed.write(to: &fields)
        case .otp(let password): password.write(to: &fields)
        case .end(let end):
            fields.octets(end.wid)
            fields.fixed(end.a)
        case .bindAnswer(let a): fields.fixed(a)
        case .bindDone(let done):
            fields.fixed(done.a)
            fields.octets(done.tag)
        case .register(let new):
            let texts = [new.userID, new.activationCode, new.deviceName, new.regOTT, new.mpinID]
            for field in texts { fields.octets(field) }
            new.sealed.write(to: &fields)
            fields.octets(new.authOTT)
        case .clientSecret(let request):
            fields.octets(request.mpinID)
            fields.octets(request.regOTT)
            fields.fixed(request.a)
        case .join(let join): for field in [join.host, join.joinID] { fields.octets(field) }
        }
    }

    /// Decodes a frame of any octets; the result is a request or an error.
    package init(decoding frame: [UInt8]) throws(FrameError) {
        var fields = try FieldReader(frame)
        guard let kind = Kind(rawValue: fields.kind) else { throw .unknownKind(fields.kind) }
        self = try RelayRequest.read(kind, from: &fields)
        try fields.finish()
    }

    private static func read(_ kind: Kind, from fields: inout FieldReader) throws(FrameError) -> RelayRequest
    {
        switch kind {
        case .hello: .hello(try Hello(from: &fields))
        case .settings: .settings
        case .permits: .permits(mpinID: try fields.mpinID())
        case .passOne: .passOne(try RelayPassOneRequest(from: &fields))
        case .passTwo: .passTwo(try RelayPassTwoRequest(from: &fields))
        case .authenticate: .authenticate(try RelayAuthenticateRequest(from: &fields))
        case .connect: .connect(octets: try fields.passOneOctets())
        case .session: .session(try TaggedQuestion(from: &fields, optional: false))
        case .end: .end(RelayEndRequest(wid: try fields.text(1...Bound.wid), a: try fields.fixed()))
        case .otp:
            .otp(
                RelayOTPRequest(
                    try TaggedQuestion(from: &fields, optional: false), tags: try fields.otpTags()))
        case .standing: .standing(try TaggedQuestion(from: &fields, optional: false))
        case .bind: .bind(try TaggedQuestion(from: &fields, optional: false))
        case .bindAnswer: .bindAnswer(a: try fields.fixed())
        case .bindDone:
            .bindDone(RelayBindDoneRequest(a: try fields.fixed(), tag: try fields.octets(32)))
        case .register: .register(try RelayRegisterRequest(from: &fields))
        case .clientSecret: .clientSecret(try RelayClientSecretRequest(from: &fields))
        case .join:
            .join(RelayJoinRequest(host: try fields.text(1...Bound.name), joinID: try fields.octets(16)))
        case .inspect: .inspect
        }
    }
}

extension FieldReader {
    /// 32 octets for each identity of a question.
    mutating func otpTags() throws(FrameError) -> [UInt8] {
        let tags = try octets(0...Bound.identities * 32)
        guard tags.count.isMultiple(of: 32) else { throw .badField }
        return tags
    }

    /// How long mpinId and question of a pass 1 are together.
    mutating func passOneOctets() throws(FrameError) -> UInt16 {
        let octets: UInt16 = try number()
        guard (1...Bound.mpinID + Bound.question).contains(Int(octets)) else { throw .badField }
        return octets
    }

    mutating func mpinID() throws(FrameError) -> [UInt8] { try octets(1...Bound.mpinID) }
}

extension RelayOTPRequest {
    fileprivate func write(to fields: inout FieldWriter) {
        sealed.write(to: &fields)
        fields.octets(tags)
    }
}

extension TaggedQuestion {
    func write(to fields: inout FieldWriter) {
        fields.octets(question)
        fields.octets(tag)
    }

    init(from fields: inout FieldReader, optional: Bool = true) throws(FrameError) {
        let question = try fields.octets(0...Bound.question)
        let tag = try fields.octets(32, or: 0)
        guard question.isEmpty == tag.isEmpty, optional || !question.isEmpty else { throw .badField }
        self.init(question: question, tag: tag)
    }
}

extension Hello {
    func write(to fields: inout FieldWriter) {
        fields.octet(version)
        fields.octets(attempt)
        fields.lines(backends)
        fields.lines(alsoOrigins)
        fields.lines(addresses)
        fields.octets(caFile)
        fields.octets(proxy)
        fields.number(connectMilliseconds)
        fields.number(totalMilliseconds)
    }

    init(from fields: inout FieldReader) throws(FrameError) {
        let version = try fields.octet()
        self.init(
            attempt: try fields.octets(8), backends: try fields.lines(1...Bound.addresses),
            alsoOrigins: try fields.lines(0...Bound.addresses),
            addresses: try fields.lines(0...Bound.addresses), caFile: try fields.text(0...Bound.address),
            proxy: try fields.text(0...Bound.address),
            connectMilliseconds: try fields.number(), totalMilliseconds: try fields.number(),
            version: version)
    }
}

extension RelayPassOneRequest {
    init(from fields: inout FieldReader) throws(FrameError) {
        self.init(
            mpinID: try fields.mpinID(), u: try fields.octets(65), ut: try fields.octets(65, or: 0),
            sealed: try TaggedQuestion(from: &fields))
    }
}

extension RelayPassTwoRequest {
    init(from fields: inout FieldReader) throws(FrameError) {
        self.init(
            mpinID: try fields.mpinID(), v: try fields.octets(65), wid: try fields.text(1...Bound.wid),
            wantsOTP: try fields.flag(), n: try fields.optional())
    }
}

extension RelayAuthenticateRequest {
    init(from fields: inout FieldReader) throws(FrameError) {
        self.init(
            authOTT: try fields.text(0...Bound.ticket), id: try fields.optional(),
            a: try fields.optional())
    }
}

extension RelayRegisterRequest {
    init(from fields: inout FieldReader) throws(FrameError) {
        self.init(
            userID: try fields.text(1...Bound.name), activationCode: try fields.text(0...Bound.code),
            deviceName: try fields.text(0...Bound.name), regOTT: try fields.text(0...Bound.ticket),
            mpinID: try fields.octets(0...Bound.mpinID), sealed: try TaggedQuestion(from: &fields),
            authOTT: try fields.text(0...Bound.ticket))
        guard regOTT.isEmpty == mpinID.isEmpty else { throw .badField }
    }
}

extension RelayClientSecretRequest {
    init(from fields: inout FieldReader) throws(FrameError) {
        self.init(
            mpinID: try fields.mpinID(), regOTT: try fields.text(1...Bound.ticket),
            a: try fields.optional())
    }
}
