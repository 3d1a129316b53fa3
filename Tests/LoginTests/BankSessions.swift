// SPDX-License-Identifier: Apache-2.0
// Sessions of a console at the bank, and somebody at that console whose second device is at hand.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Secrets

struct Opened {
    let ask: Ask
    let wid: [UInt8]
}

extension Bank {
    static let number = Array("3232212".utf8)

    func open(_ sealed: SealedAsk) throws -> Answer {
        guard let ask = Ask(decoding: sealed.ask), isOurs(sealed.tag, ask) else {
            return Answer(kind: .session, status: 403)
        }
        (opened, approval) = (Opened(ask: ask, wid: try hex(randomOctets(16))), nil)
        return try session()
    }

    /// The answer of a session, sealed, with these values said otherwise.
    func session(
        a: [UInt8]? = nil, wid: [UInt8]? = nil, number: [UInt8] = Bank.number, life: UInt16? = nil
    ) throws -> Answer {
        guard let opened else { return Answer(kind: .session, status: 500) }
        let sealed = SealedSession(
            a: a ?? opened.ask.a, wid: wid ?? opened.wid, number: number, life: life ?? opened.ask.life)
        guard let sealed else { return Answer(kind: .session, status: 500) }
        let tag: [UInt8]
        switch hostKey {
        case .none: tag = []
        case .some(let key): tag = try key.tag(of: sealed)
        }
        return Answer(
            kind: .session, status: 200,
            body: .session(
                SessionAnswer(wid: sealed.wid, number: sealed.number, life: sealed.life, tag: tag)))
    }

    /// Way 2: granted once, if one of the session's identities approved.
    func settle(_ asked: AuthenticateQuestion) throws -> Answer {
        let id = asked.a == opened?.ask.a ? approval : nil
        let isGranted = id.map { opened?.ask.ids.contains($0) == true } ?? false
        if isGranted { opened = nil }
        let verdict = SealedVerdict(
            a: asked.a, way: .phone, verdict: isGranted ? .granted : .notApproved, id: isGranted ? id : nil,
            triesLeft: nil, secondsUntilRelease: 0)
        return try answer(verdict, isGranted ? 200 : 408)
    }

    /// Whether the account is revoked, sealed; with these values said otherwise.
    func standing(_ sealed: SealedAsk, a: [UInt8]? = nil, isRevoked: Bool? = nil) throws -> Answer {
        guard let ask = Ask(decoding: sealed.ask), isOurs(sealed.tag, ask),
            let standing = SealedStanding(a: a ?? ask.a, isRevoked: isRevoked ?? self.isRevoked)
        else { return Answer(kind: .standing, status: 403) }
        let tag: [UInt8]
        switch hostKey {
        case .none: tag = []
        case .some(let key): tag = try key.tag(of: standing)
        }
        return Answer(
            kind: .standing, status: 200,
            body: .standing(SealedAnswer(answer: standing.octets, tag: tag)))
    }

    /// The tags of the passwords that live; a question is a wrong try until way 3 is granted.
    func passwordTags(_ password: PasswordQuestion) throws -> Answer {
        guard let ask = Ask(decoding: password.sealed.ask), isOurs(password.sealed.tag, ask) else {
            return Answer(kind: .otp, status: 403)
        }
        var tags: [UInt8] = []
        brought = (ask.a, [])
        for (place, id) in ask.ids.enumerated() {
            let right = try tag(of: passwords[id], id, ask.a)
            let typed = [UInt8](password.tags.dropFirst(place * 32).prefix(32))
            if typed == right { brought.ids.append(id) }
            tags += typed == right ? right : try randomOctets(32)
            passwords[id]?.wrong += 1
        }
        return Answer(kind: .otp, status: 200, body: .otp(tags: tags))
    }

    private func tag(of password: (digits: String, wrong: Int)?, _ id: [UInt8], _ a: [UInt8]) throws
        -> [UInt8]
    {
        guard let password, password.wrong < 5 else { return try randomOctets(32) }
        switch hostKey {
        case .none: return []
        case .some(let key): return try key.otpTag(secret(password.digits), a: a, id: id)
        }
    }

    /// Way 3: granted once, to an identity whose password the question brought.
    func settlePassword(_ asked: AuthenticateQuestion) throws -> Answer {
        let isGood = asked.a == brought.a && brought.ids.contains(asked.id) && passwords[asked.id] != nil
        if isGood { (passwords[asked.id], brought) = (nil, ([], [])) }
        let verdict = SealedVerdict(
            a: asked.a, way: .otp, verdict: isGood ? .granted : .wrong, id: isGood ? asked.id : nil,
            triesLeft: nil, secondsUntilRelease: 0)
        return try answer(verdict, isGood ? 200 : 401)
    }

    /// What the second device shows.
    func letters() throws -> String {
        guard let opened else { return "" }
        switch hostKey {
        case .none: return ""
        case .some(let key):
            let code = octets(try key.phoneCode(a: opened.ask.a, wid: opened.wid))
            return String(decoding: code, as: UTF8.self)
        }
    }

    /// Changes the session's answer.
    func spoilSession(_ change: @escaping (SessionAnswer) throws -> Answer) {
        spoil = { _, answer throws(TransportError) in
            guard case .session(let session)? = answer.body else { return answer }
            do { return try change(session) } catch { throw .closed }
        }
    }
}

/// What somebody at a console types.
enum Typed {
    case text(String)
    /// The letters, without having approved.
    case letters
    /// The letters as they are spelled by this, after this identity approved.
    case approved(by: [UInt8], spelled: (String) -> String = { $0 })
    /// Six letters that are not those.
    case wrongLetters
    /// Enter, after this identity approved.
    case enter(by: [UInt8])
}

/// Somebody at a console with a second device.
struct Seated: ~Copyable, Conversation {
    let bank: Bank
    var typed: [Typed]
    var prompts: [Prompt] = []
    var notices: [Notice] = []

    init(_ typed: [Typed], bank: Bank) { (self.typed, self.bank) = (typed, bank) }

    mutating func ask(_ prompt: Prompt) throws(ConversationError) -> Secret {
        prompts.append(prompt)
        guard !typed.isEmpty else { throw .failed }
        do { return try secret(text(typed.removeFirst())) } catch { throw .failed }
    }

    mutating func tell(_ notice: Notice) throws(ConversationError) { notices.append(notice) }

    private func text(_ typed: Typed) throws -> String {
        switch typed {
        case .text(let text): return text
        case .letters: return try bank.letters()
        case .approved(let id, let spelled):
            bank.approval = id
            return spelled(try bank.letters())
        case .wrongLetters: return try bank.letters() == "BBBBBB" ? "CCCCCC" : "BBBBBB"
        case .enter(let id):
            bank.approval = id
            return ""
        }
    }
}

extension Stage {
    static let device = [UInt8](repeating: 1, count: 32)

    /// Lists alice's second device.
    func addDevice(_ id: [UInt8] = Stage.device) throws {
        let phone = Identity(
            id: id, label: Array("alice's phone".utf8), enrolled: Array("2026-11-21T12:00:00Z".utf8), pin: nil
        )
        try FileStore(at: store).add(phone, of: alice, host: host)
    }

    /// A login of somebody with a second device; `seconds` gives the time, a value for each look at it.
    func console(
        _ typed: [Typed], _ lines: String = "", scene: Scene? = nil, now: @escaping () -> Int = { 0 }
    ) throws -> Shown {
        let scene = scene ?? self.scene()
        let settings = try settings(
            lines, service: String(decoding: scene.service, as: UTF8.self), remote: scene.isRemote)
        var machine = Login(
            settings: settings, scene: scene, standing: .find(settings, scene), nonce: freshNonce, now: now)
        var person = Seated(typed, bank: bank)
        let outcome = drive(&machine, &person, deadline: Deadline(milliseconds: 600_000)) { bank.connect() }
        return Shown(
            outcome: outcome, prompts: person.prompts, notices: person.notices, attempt: machine.attempt,
            isPersonal: machine.isPersonal)
    }

    /// The question that opened the last session.
    func sessionAsk() throws -> Ask? {
        guard case .session(let sealed)? = bank.asked(.session).last else { return nil }
        return Ask(decoding: sealed.ask)
    }
}

extension Prompt {
    /// Whether a session is shown, and which answers are good beside its letters.
    var offers: PhonePrompt.Answers? {
        if case .phone(let phone) = self { return phone.takes }
        return nil
    }
}
