// SPDX-License-Identifier: Apache-2.0
// A backend for transcripts: real authorities, verification and seals behind `Transport`, in memory.
import MPin
import MPinWire
import Octets
import Secrets
import TestSupport

/// The answers of mpind, and a record of every request. A test may spoil any answer.
final class FakeServer {
    struct Session {
        let mpinID: [UInt8]
        let u: [UInt8]
        let ut: [UInt8]
        let y: Challenge
        let a: QuestionHash?
        /// The service of the question; empty without a question.
        var service: [UInt8] = []
        /// Whether pass 1 carried the right tag of the device key.
        var isTagged = false
    }

    static let date: UInt32 = 20_777
    let share1: MasterShare
    let share2: MasterShare
    let verifier: Verifier
    /// nil: a Milagro server, or a server for a user's own device.
    let hostKey: HostKey?
    /// Whether this is a server for a user's own device.
    let isPersonal: Bool
    /// The session of a console, and the identity that approved it.
    var opened: Opened?
    var approval: IdentityHash?
    /// The approval details of the session that waits.
    var seen: ApprovalDetails?
    /// Valid one-time passwords by identity, with the number of failed requests for each, and those that
    /// matched in the last request.
    var passwords: [IdentityHash: (digits: String, wrong: Int)] = [:]
    var brought: (a: QuestionHash, ids: [IdentityHash]) = (.zero, [])
    private(set) var asked: [RelayRequest] = []
    private(set) var answered: [RelayResponse] = []
    private var passes: [[UInt8]: Session] = [:]
    private var verdicts: [[UInt8]: (good: Bool, session: Session)] = [:]
    private(set) var registrations: [[UInt8]: (regOTT: [UInt8], a: QuestionHash?)] = [:]
    private var serial: UInt8 = 0
    /// Old identities by the new ones that replace them.
    private var replaced: [[UInt8]: [UInt8]] = [:]
    private var changing: [UInt8]?
    private(set) var ended: Set<[UInt8]> = []
    let deviceMaster: Secret
    var deviceEpoch: UInt32 = 1
    /// Proofs without the device key: they count against no identity.
    private(set) var strangers = 0
    /// Changes a request on its way to the server, as a proxy could.
    var forge: (RelayRequest) -> RelayRequest = { $0 }
    var triesLeft: UInt16 = 3
    /// Whether the last try is reported as a wrong PIN with none left, not as a block.
    var saysNoneLeft = false
    /// The tries left, sent with a grant; nil unless few of the hundred are left.
    var fewLeft: UInt16?
    /// The wrong tries that the notice at the next login reports.
    var wrongTries: (count: UInt16, seconds: UInt64, source: String) = (0, 0, "")
    var isRevoked = false
    var activates = true
    /// Changes an answer before it leaves, or breaks the transport.
    var spoil: (RelayRequest, RelayResponse) throws(TransportError) -> RelayResponse = {
        _, answer throws(TransportError) in
        answer
    }
    var connections = 0
    /// What `connect` announced of each pass 1.
    var announced: [UInt16] = []
    /// Whether it needs time permits: Milagro's server does, and mpind for Milagro's clients.
    var usesPermits: Bool

    init(sealed: Bool = true, isPersonal: Bool = false) throws {
        self.isPersonal = isPersonal
        usesPermits = !sealed || isPersonal
        share1 = try MasterShare.random()
        share2 = try MasterShare.random()
        deviceMaster = try secret(Array(0x60...0x7f))
        let secret = try serverSecret(share1.serverSecretShare(), share2.serverSecretShare())
        verifier = try Verifier(serverSecret: secret)
        hostKey = sealed && !isPersonal ? try testHostKey() : nil
    }

    func connect() -> FakeServerLine {
        connections += 1
        return FakeServerLine(server: self)
    }

    func exchange(_ question: RelayRequest) throws(TransportError) -> RelayResponse {
        asked.append(question)
        let question = forge(question)
        let answer: RelayResponse
        do { answer = try honest(question) } catch { throw .closed }
        let spoiled = try spoil(question, answer)
        answered.append(spoiled)
        return spoiled
    }

    private func honest(_ question: RelayRequest) throws -> RelayResponse {
        switch question {
        case .settings: RelayResponse(kind: .settings, status: 200, body: .settings(usesPermits: usesPermits))
        case .permits(let mpinID): try permits(mpinID)
        case .passOne(let pass): try passOne(pass)
        case .passTwo(let pass): try passTwo(pass)
        case .authenticate(let request): try authenticate(request)
        case .register(let new): try register(new)
        case .clientSecret(let request): try clientSecret(request)
        case .session(let sealed): try open(sealed)
        case .end: RelayResponse(kind: .end, status: 200, body: .end)
        case .otp(let password): try passwordTags(password)
        case .standing(let sealed): try standing(sealed)
        case .bind, .bindAnswer, .bindDone, .join, .hello, .connect, .inspect:
            RelayResponse(kind: question.kind, status: 404)
        }
    }

    private func permits(_ mpinID: [UInt8]) throws -> RelayResponse {
        if isRevoked { return RelayResponse(kind: .permits, status: 410) }
        let id = identityHash(mpinID)
        let shares = PermitShares(
            date: FakeServer.date, share1: try share1.timePermitShare(of: id, date: FakeServer.date),
            share2: try share2.timePermitShare(of: id, date: FakeServer.date))
        return RelayResponse(kind: .permits, status: 200, body: .permits(shares))
    }

    private func passOne(_ pass: RelayPassOneRequest) throws -> RelayResponse {
        if hostKey != nil, usesPermits, pass.ut.isEmpty {
            return RelayResponse(kind: .passOne, status: RelayResponse.permitNeeded)
        }
        let n = isBare ? nil : ServerNonce(try randomOctets(32))
        var (a, service): (QuestionHash?, [UInt8]) = (nil, [])
        if hostKey != nil {
            guard let question = SealedQuestion(decoding: pass.sealed.question),
                isOurs(pass.sealed.tag, question)
            else {
                return RelayResponse(kind: .passOne, status: 403)
            }
            (a, service) = (question.a, question.service)
        }
        let own = pass.seen.isEmpty ? noPurpose : seen?.purpose ?? noPurpose
        let y =
            if let n {
                try challenge(
                    n: n, id: identityHash(pass.mpinID), u: pass.u, ut: pass.ut,
                    purpose: a.map { PurposeHash($0) } ?? own)
            } else { try milagroChallenge() }
        passes[n?.octets ?? pass.mpinID] = Session(
            mpinID: pass.mpinID, u: pass.u, ut: pass.ut, y: y, a: a, service: service,
            isTagged: try isTagged(pass))
        return RelayResponse(kind: .passOne, status: 200, body: .passOne(RelayPassOneResponse(y: y, n: n)))
    }

    /// Whether this is a Milagro server.
    private var isBare: Bool { hostKey == nil && !isPersonal }

    func isOurs(_ tag: [UInt8], _ question: SealedQuestion) -> Bool {
        switch hostKey {
        case .none: false
        case .some(let key): key.verifies(tag, of: question)
        }
    }

    private func milagroChallenge() throws -> Challenge { try Challenge(exactly: [0] + randomOctets(31)) }

    private func passTwo(_ pass: RelayPassTwoRequest) throws -> RelayResponse {
        let key = isBare ? pass.mpinID : pass.n?.octets ?? []
        guard let session = passes.removeValue(forKey: key) else {
            return RelayResponse(kind: .passTwo, status: 500)
        }
        let isRight = try verifier.verify(
            mpinID: session.mpinID, date: session.ut.isEmpty ? nil : FakeServer.date, u: session.u,
            ut: session.ut, y: session.y, v: pass.v)
        let isStranger = try isPersonal && !(session.isTagged && isTagged(pass, answering: session))
        if isStranger { strangers += 1 }
        let good = isRight && !isStranger
        let ticket = try hex(randomOctets(16))
        verdicts[ticket] = (good, session)
        return RelayResponse(
            kind: .passTwo, status: 200,
            body: .passTwo(
                RelayPassTwoResponse(authOTT: ticket, otp: pass.wantsOTP ? Array("123456".utf8) : [])))
    }

    private func authenticate(_ request: RelayAuthenticateRequest) throws -> RelayResponse {
        if request.authOTT.isEmpty {
            guard let a = request.a else { return RelayResponse(kind: .authenticate, status: 500) }
            guard let id = request.id else { return try settle(a) }
            return try settlePassword(a, of: id)
        }
        guard let (good, session) = verdicts.removeValue(forKey: request.authOTT), request.a == session.a
        else {
            return RelayResponse(kind: .authenticate, status: 408)
        }
        let isOut = ended.contains(session.mpinID) || isRevoked && hostKey != nil
        if isOut { return try sealed(.revoked, session, status: 403) }
        triesLeft = good ? 3 : triesLeft - 1
        if good, let old = replaced[session.mpinID] { ended.insert(old) }
        let isBlocked = triesLeft == 0 && !saysNoneLeft
        let verdict: Verdict = good ? .granted : isBlocked ? .blocked : .wrong
        let status: UInt16 = good ? 200 : isBlocked ? 410 : 401
        guard hostKey != nil else { return RelayResponse(kind: .authenticate, status: status) }
        return try sealed(verdict, session, status: status)
    }

    /// Whether the proof behind a ticket was good; nil for a ticket that is unknown or used.
    func redeem(_ ticket: [UInt8]) -> Bool? { verdicts.removeValue(forKey: ticket)?.good }

    func sealed(_ verdict: Verdict, _ session: Session, status: UInt16) throws -> RelayResponse {
        guard let a = session.a else { return RelayResponse(kind: .authenticate, status: 500) }
        let sealed = SealedVerdict(
            a: a, way: .pin, verdict: verdict,
            id: verdict == .granted ? identityHash(session.mpinID) : nil,
            triesLeft: verdict == .wrong ? triesLeft : verdict == .granted ? fewLeft : nil,
            secondsUntilRelease: verdict == .blocked ? 60 : 0)
        return try answer(sealed, status)
    }

    func answer(_ verdict: SealedVerdict, _ status: UInt16) throws -> RelayResponse {
        let tag: [UInt8]
        switch hostKey {
        case .none: tag = []
        case .some(let key): tag = try key.tag(of: verdict)
        }
        let (notice, noticeTag) = verdict.verdict == .granted ? try sealedNotice(verdict.a) : ([], [])
        return RelayResponse(
            kind: .authenticate, status: status,
            body: .authenticate(
                RelaySealedResponse(answer: verdict.octets, tag: tag, notice: notice, noticeTag: noticeTag)))
    }

    private func register(_ new: RelayRegisterRequest) throws -> RelayResponse {
        if let old = registrations[new.mpinID], old.regOTT == new.regOTT {
            return registered(new.mpinID, new.regOTT)
        }
        if !new.authOTT.isEmpty, !authorises(new.authOTT) {
            return registered([0x7b, 0x7d], new.authOTT, false)
        }
        serial += 1
        let mpinID = [UInt8]("{\"userID\": \"alice@example.org\", \"salt\": \"\(serial)\"}".utf8)
        let regOTT = try hex(randomOctets(16))
        registrations[mpinID] = (regOTT, SealedQuestion(decoding: new.sealed.question)?.a)
        replaced[mpinID] = changing
        return registered(mpinID, regOTT)
    }

    /// Whether this ticket belongs to a good proof that was made for a change of the PIN.
    private func authorises(_ ticket: [UInt8]) -> Bool {
        changing = nil
        guard let (good, session) = verdicts.removeValue(forKey: ticket) else { return false }
        triesLeft = good ? 3 : triesLeft - 1
        guard good, session.service == SealedQuestion.changePINService, !ended.contains(session.mpinID) else {
            return false
        }
        changing = session.mpinID
        return true
    }

    private func registered(_ mpinID: [UInt8], _ regOTT: [UInt8], _ isStored: Bool = true) -> RelayResponse {
        RelayResponse(
            kind: .register, status: 200,
            body: .register(
                RelayRegisterResponse(
                    mpinID: mpinID, regOTT: regOTT, active: activates && isStored, isBound: isPersonal)))
    }

    private func clientSecret(_ request: RelayClientSecretRequest) throws -> RelayResponse {
        guard let new = registrations[request.mpinID], activates, new.regOTT == request.regOTT,
            new.a == request.a
        else {
            return RelayResponse(kind: .clientSecret, status: 401)
        }
        registrations[request.mpinID] = nil
        let id = identityHash(request.mpinID)
        let first = try share1.clientSecretShare(of: id)
        let second = try share2.clientSecretShare(of: id)
        let shares: ClientSecretShares
        switch hostKey {
        case .none:
            let key = isPersonal ? try deviceKey(of: id).withOctets(copied) : []
            shares = ClientSecretShares(share1: octets(first), share2: octets(second), deviceKey: key)
        case .some(let key):
            guard let a = new.a else { return RelayResponse(kind: .clientSecret, status: 401) }
            shares = ClientSecretShares(
                share1: try key.seal(first, .first, a: a, id: id),
                share2: try key.seal(second, .second, a: a, id: id))
        }
        return RelayResponse(kind: .clientSecret, status: 200, body: .clientSecret(shares))
    }

    /// The requests of one kind.
    func asked(_ kind: Kind) -> [RelayRequest] { asked.filter { $0.kind == kind } }
}
