// SPDX-License-Identifier: Apache-2.0
// Sessions of a console at the server, and a user at that console who has a second device.
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets
import TestSupport

struct Opened {
    let question: SealedQuestion
    let wid: [UInt8]
}

extension FakeServer {
    static let number = Array("3232212".utf8)

    func open(_ sealed: TaggedQuestion) throws -> RelayResponse {
        guard let question = SealedQuestion(decoding: sealed.question), isOurs(sealed.tag, question) else {
            return RelayResponse(kind: .session, status: 403)
        }
        (opened, approval) = (Opened(question: question, wid: try hex(randomOctets(16))), nil)
        return try session()
    }

    /// The sealed answer that opens a session; each argument replaces a value of it.
    func session(
        a: QuestionHash? = nil, wid: [UInt8]? = nil, number: [UInt8] = FakeServer.number, life: UInt16? = nil
    ) throws -> RelayResponse {
        guard let opened else { return RelayResponse(kind: .session, status: 500) }
        let sealed = SealedSession(
            a: a ?? opened.question.a, wid: wid ?? opened.wid, number: number,
            life: life ?? opened.question.life)
        guard let sealed else { return RelayResponse(kind: .session, status: 500) }
        let tag: [UInt8]
        switch hostKey {
        case .none: tag = []
        case .some(let key): tag = try key.tag(of: sealed)
        }
        return RelayResponse(
            kind: .session, status: 200,
            body: .session(
                RelaySessionResponse(wid: sealed.wid, number: sealed.number, life: sealed.life, tag: tag)))
    }

    /// Way 2: granted once, if one of the session's identities approved.
    func settle(_ a: QuestionHash) throws -> RelayResponse {
        let id = a == opened?.question.a ? approval : nil
        let isGranted = id.map { opened?.question.ids.contains($0) == true } ?? false
        if isGranted { opened = nil }
        let verdict = SealedVerdict(
            a: a, way: .phone, verdict: isGranted ? .granted : .notApproved, id: isGranted ? id : nil,
            triesLeft: nil, secondsUntilRelease: 0)
        return try answer(verdict, isGranted ? 200 : 408)
    }

    /// The sealed answer whether the account is revoked; each argument replaces a value of it.
    func standing(_ sealed: TaggedQuestion, a: QuestionHash? = nil, isRevoked: Bool? = nil) throws
        -> RelayResponse
    {
        guard let question = SealedQuestion(decoding: sealed.question), isOurs(sealed.tag, question)
        else { return RelayResponse(kind: .standing, status: 403) }
        let standing = SealedStanding(a: a ?? question.a, isRevoked: isRevoked ?? self.isRevoked)
        let tag: [UInt8]
        switch hostKey {
        case .none: tag = []
        case .some(let key): tag = try key.tag(of: standing)
        }
        return RelayResponse(
            kind: .standing, status: 200,
            body: .standing(RelaySealedResponse(answer: standing.octets, tag: tag)))
    }

    /// The tags of the valid passwords; a request counts as a wrong try until way 3 is granted.
    func passwordTags(_ password: RelayOTPRequest) throws -> RelayResponse {
        guard let question = SealedQuestion(decoding: password.sealed.question),
            isOurs(password.sealed.tag, question)
        else {
            return RelayResponse(kind: .otp, status: 403)
        }
        var tags: [UInt8] = []
        brought = (question.a, [])
        for (place, id) in question.ids.enumerated() {
            let right = try tag(of: passwords[id], id, question.a)
            let typed = [UInt8](password.tags.dropFirst(place * 32).prefix(32))
            if typed == right { brought.ids.append(id) }
            tags += typed == right ? right : try randomOctets(32)
            passwords[id]?.wrong += 1
        }
        return RelayResponse(kind: .otp, status: 200, body: .otp(tags: tags))
    }

    private func tag(of password: (digits: String, wrong: Int)?, _ id: IdentityHash, _ a: QuestionHash) throws
        -> [UInt8]
    {
        guard let password, password.wrong < 5 else { return try randomOctets(32) }
        switch hostKey {
        case .none: return []
        case .some(let key): return try key.otpTag(secret(password.digits), a: a, id: id)
        }
    }

    /// Way 3: granted once, to an identity whose password was in the request.
    func settlePassword(_ a: QuestionHash, of id: IdentityHash) throws -> RelayResponse {
        let isGood = a == brought.a && brought.ids.contains(id) && passwords[id] != nil
        if isGood { (passwords[id], brought) = (nil, (.zero, [])) }
        let verdict = SealedVerdict(
            a: a, way: .otp, verdict: isGood ? .granted : .wrong, id: isGood ? id : nil,
            triesLeft: nil, secondsUntilRelease: 0)
        return try answer(verdict, isGood ? 200 : 401)
    }

    /// The approval code that the second device shows.
    func approvalCode() throws -> String {
        guard let opened else { return "" }
        switch hostKey {
        case .none: return ""
        case .some(let key):
            let code = octets(try key.phoneCode(a: opened.question.a, wid: opened.wid))
            return String(decoding: code, as: UTF8.self)
        }
    }

    /// Changes the session's answer.
    func spoilSession(_ change: @escaping (RelaySessionResponse) throws -> RelayResponse) {
        spoil = { _, answer throws(TransportError) in
            guard case .session(let session)? = answer.body else { return answer }
            do { return try change(session) } catch { throw .closed }
        }
    }
}

/// The input of a user at a console.
enum Typed {
    case text(String)
    /// The approval code, without an approval.
    case code
    /// The approval code, in this spelling, after this identity approved.
    case approved(by: IdentityHash, spelled: (String) -> String = { $0 })
    /// A well-formed approval code that is not the session's, another one each time.
    case wrongCode
    /// Enter, after this identity approved.
    case enter(by: IdentityHash)
}

/// A user at a console who has a second device.
struct Seated: ~Copyable, Conversation {
    let server: FakeServer
    var typed: [Typed]
    var prompts: [Prompt] = []
    var notices: [Notice] = []
    private var wrongCodes = 0

    init(_ typed: [Typed], server: FakeServer) { (self.typed, self.server) = (typed, server) }

    mutating func ask(_ prompt: Prompt) throws(ConversationError) -> Secret {
        prompts.append(prompt)
        guard !typed.isEmpty else { throw .failed }
        do { return try secret(text(typed.removeFirst())) } catch { throw .failed }
    }

    mutating func tell(_ notice: Notice) throws(ConversationError) { notices.append(notice) }

    private mutating func text(_ typed: Typed) throws -> String {
        switch typed {
        case .text(let text): return text
        case .code: return try server.approvalCode()
        case .approved(let id, let spelled):
            server.approval = id
            return spelled(try server.approvalCode())
        case .wrongCode:
            wrongCodes += 1
            let wrong = String(repeating: Array("BCDFGHJK")[wrongCodes % 8], count: 6)
            return try server.approvalCode() == wrong ? "LLLLLL" : wrong
        case .enter(let id):
            server.approval = id
            return ""
        }
    }
}

extension LoginFixture {
    static let device = IdentityHash(repeating: 1)

    /// Lists alice's second device.
    func addDevice(_ id: IdentityHash = LoginFixture.device) throws {
        let phone = Identity(
            id: id, label: Array("alice's phone".utf8), enrolled: Array("2026-11-21T12:00:00Z".utf8), pin: nil
        )
        try FileStore(at: store).add(phone, of: alice, host: host)
    }

    /// A login of a user with a second device; each call of `now` returns the time in seconds.
    func console(
        _ typed: [Typed], _ lines: String = "", context: LoginContext? = nil, now: @escaping () -> Int = { 0 }
    ) throws -> Shown {
        let context = context ?? self.context()
        let settings = try settings(
            lines, service: String(decoding: context.service, as: UTF8.self))
        let machine = Login(
            settings: settings, context: context, credentials: .find(settings, context), nonce: freshNonce,
            now: now)
        var person = Seated(typed, server: server)
        let outcome = drive(machine, &person, deadline: Deadline(milliseconds: 600_000)) { server.connect() }
        return Shown(
            outcome: outcome, prompts: person.prompts, notices: person.notices, attempt: machine.attempt,
            isPersonal: machine.isPersonal)
    }

    /// The question that opened the last session.
    func sessionAsk() throws -> SealedQuestion? {
        guard case .session(let sealed)? = server.asked(.session).last else { return nil }
        return SealedQuestion(decoding: sealed.question)
    }
}

extension Prompt {
    /// Which answers a prompt that shows a session accepts; nil for another prompt.
    var offers: PhonePrompt.Choices? {
        if case .phone(let phone) = self { return phone.takes }
        return nil
    }
}
