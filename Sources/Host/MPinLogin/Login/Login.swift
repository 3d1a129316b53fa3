// SPDX-License-Identifier: Apache-2.0
// One login as a machine without input or output of its own: it takes an event and returns the next step.
import MPin
package import MPinProof
package import MPinHostStore
package import MPinWire
package import Octets
package import Secrets

/// What the caller must do next.
package enum LoginStep: Equatable, Sendable {
    case ask(Prompt)
    case tell(Notice)
    /// Start the transport and let it connect, without waiting: what was typed is stretched meanwhile. The
    /// number is that of `Transport.connect`; nil: nothing is sealed, so the server is not connected yet.
    case prepare(UInt16?)
    case exchange(RelayRequest)
    /// A backup code is right: strike it out. The login is not granted before that.
    case strike(Strike)
    /// A sealed answer says that the account is revoked: remove the one that is kept.
    case forget(BackupCodePlace)
    case finished(Outcome)
}

/// The result of a step, or the deadline.
package enum LoginEvent: ~Copyable {
    case begin
    /// What was typed.
    case answered(Secret)
    case told
    case conversationBroken(ConversationError)
    /// The transport has been started.
    case prepared
    case received(RelayResponse)
    case transportBroken(TransportError)
    /// The backup code is struck out on disk, and `left` codes remain; nil: the code was no longer there.
    case struck(left: Int?)
    case strikeFailed(StoreError)
    /// What was kept about the account is removed, or was not there.
    case forgotten
    /// The deadline of the whole login is over.
    case timedOut
}

/// A class, because the compiler checks the ownership of each field of a struct that cannot be copied at each
/// of its uses, which took it 40 seconds.
package final class Login {
    /// What the machine waits for.
    enum Turn: Equatable {
        case begin, answer, told
        /// The start of the transport, while `typedPIN` waits to be stretched.
        case pin
        /// The answer whether the account of a right backup code is revoked; then the strike-out of the code.
        case standing(SealedQuestion, hash: [UInt8])
        case strike(CodeStanding)
        /// The end of what is kept about a revoked account.
        case forget
        /// Answers of the backend: one that opens a session, then the verdict on an approval or a one-time
        /// password.
        case session(SealedQuestion, asked: Int)
        case approval(a: QuestionHash, AuthenticationMethod)
        /// The tags of the valid one-time passwords; `typed` has those of what was typed.
        case otp(SealedQuestion, typed: [UInt8])
        /// The end of a session; `isRenewal`: another one follows.
        case ending(isRenewal: Bool)
        /// An answer to `proof`.
        case proof
        case over
    }

    let settings: Settings
    let context: LoginContext
    package internal(set) var methods: LoginMethods
    let nonce: () throws(Reason) -> QuestionNonce
    let now: () -> Int
    let credential: Credential?
    let phones: Phones?
    /// nil where backup codes are closed.
    let codes: HostCodes?
    var turn = Turn.begin
    var proof: Proof?
    var typedPIN: TypedPIN?
    /// The session that a second device may approve, until it ends.
    var session: PhoneSession?
    var wrongCodes = 0
    let wrong: WrongAnswers
    /// What was typed last, as `wrong` would remember it.
    var typedTag: [UInt8]?
    /// How many more sessions may be asked for by `r`.
    var newCodes = 5
    /// When the login ends, by the clock of `now`; nil before its first session.
    var loginEnd: Int?
    /// The outcome, once no PIN and no device can change it. In remote services the prompts go on all the
    /// same, so that every user sees the same screens.
    var settled: Outcome?
    /// Whether a verdict or a fault of this host has ended the use of backup codes in this login.
    var endsCodes = false
    var triesLeft: Int
    var cache = BackendCache()
    /// The nonce of the next question. The first is drawn at the start, because the attempt id depends on it.
    var nextNonce: QuestionNonce?
    /// Whether a fault of this host ends the login before the user is asked anything.
    private let endsAtOnce: Bool
    /// Whether the outcome may depend on the account. In remote services only the log then has the reason.
    package internal(set) var isPersonal: Bool
    /// 8 octets that name this login in every log.
    package private(set) var attempt: [UInt8] = []
    /// Why there is no session to approve, where the screens would show one.
    package internal(set) var withoutSession: Outcome?

    /// - Parameters:
    ///   - wrong: the answers that were wrong before, in earlier calls of the same login.
    ///   - nonce: new at each call (`freshNonce`).
    ///   - now: seconds of a monotonic clock.
    package init(
        settings: Settings, context: LoginContext, credentials: consuming AccountCredentials,
        wrong: WrongAnswers = WrongAnswers(),
        nonce: @escaping () throws(Reason) -> QuestionNonce, now: @escaping () -> Int = monotonicSeconds
    ) {
        self.settings = settings
        self.context = context
        self.wrong = wrong
        self.nonce = nonce
        self.now = now
        triesLeft = settings.tries
        methods = credentials.methods
        let isBroken = credentials.failure != nil
        credential = credentials.pin
        phones = credentials.phones
        codes = credentials.codes
        let first = try? nonce()
        nextNonce = first
        settled = first == nil ? .failed(.noRandomness) : methods.ending(settings)
        endsAtOnce = first == nil || isBroken
        if case .failed = settled { isPersonal = !endsAtOnce } else { isPersonal = false }
        let drawn = first ?? .zero
        attempt = [UInt8]((firstQuestion(drawn)?.a.octets ?? [UInt8](drawn.octets.dropFirst(8))).prefix(8))
    }

    /// Takes an event and returns the next step. An event out of turn ends the login with `.outOfTurn`; so
    /// does every event after the end.
    package func resume(_ event: consuming LoginEvent) -> LoginStep {
        let turn = exchange(&turn, with: .over)
        let proof = proof.take()
        let typedPIN = typedPIN.take()
        guard turn != .over else { return .finished(.failed(.outOfTurn)) }
        switch consume event {
        case .begin: return turn == .begin ? begin() : .finished(.failed(.outOfTurn))
        case .answered(let answer): return turn == .answer ? typed(answer) : .finished(.failed(.outOfTurn))
        case .told: return turn == .told ? ask() : .finished(.failed(.outOfTurn))
        case .prepared: return turn == .pin ? prove(typedPIN) : .finished(.failed(.outOfTurn))
        case .received(let answer): return received(answer, at: turn, proof)
        case .conversationBroken(let error):
            return .finished(error == .cancelled ? .cancelled : .conversationFailed)
        case .transportBroken(.timedOut):
            return methods.showsCode ? broken(tooSlow, at: turn) : .finished(tooSlow)
        case .transportBroken(.cancelled): return .finished(.cancelled)
        case .transportBroken(let error): return broken(.failed(.transport(error)), at: turn)
        case .struck(let left):
            guard case .strike(let standing) = turn else { return .finished(.failed(.outOfTurn)) }
            return struck(left: left, standing)
        case .strikeFailed(let error): return ended(.failed(.store(error)))
        case .forgotten: return turn == .forget ? refusedCode(.revoked) : .finished(.failed(.outOfTurn))
        case .timedOut: return .finished(settled ?? .refused(.tooLate))
        }
    }

    /// The connection to the relay or the backend failed.
    private func broken(_ outcome: Outcome, at turn: Turn) -> LoginStep {
        switch turn {
        case .session: methods.showsCode ? unopened(outcome) : ended(outcome)
        case .standing(let question, let hash): keptStanding(question, hash, else: outcome)
        case .begin, .answer, .told, .pin, .strike, .forget, .approval, .otp, .ending, .proof, .over:
            ended(outcome)
        }
    }

    private var tooSlow: Outcome { .unavailable(Unavailable(status: nil)) }

    /// The outcome of a login in which the user is asked nothing; nil: there is something to ask.
    package var endUnasked: Outcome? {
        let showsNothing = !methods.showsMoreThanCode && !methods.showsCode
        guard let settled, endsAtOnce || !context.isRemote || showsNothing || isPassed(settled) else {
            return nil
        }
        return settled
    }

    /// Whether `unenrolled = ignore` lets the login pass without this module.
    private func isPassed(_ outcome: Outcome) -> Bool {
        if case .notEnrolled(let why) = outcome { why.ignored } else { false }
    }

    private func begin() -> LoginStep {
        if let endUnasked { return .finished(endUnasked) }
        return methods.showsPhone ? open() : ask()
    }

    /// The next prompt: for the session while it lives or can be renewed; otherwise for a backup code, a
    /// one-time password or a PIN, whichever the screens show.
    func ask() -> LoginStep {
        if let session {
            let time = now()
            let left = session.end - time
            if left > 0 || newCodes > 0 && time < loginEnd ?? 0 {
                return ask(.phone(PhonePrompt(session, secondsLeft: left, takes: accepted)))
            }
            self.session = nil
        }
        if asksForCode { return ask(.backupCode) }
        if methods.showsOTP { return ask(.otp) }
        guard methods.showsPIN else { return .finished(settled ?? withoutSession ?? .refused(.expired)) }
        return ask(.pin(label: context.isRemote ? nil : label))
    }

    private func ask(_ prompt: Prompt) -> LoginStep {
        turn = .answer
        isPersonal = true
        return .ask(prompt)
    }

    private var label: [UInt8]? {
        switch credential {
        case .none: nil
        case .some(let credential): credential.identity.label
        }
    }

    /// The question that names the login: it opens the session, or is the first try of a PIN.
    func firstQuestion(_ nonce: QuestionNonce) -> SealedQuestion? {
        if methods.showsPhone || methods.showsOTP { return deviceQuestion(nonce) }
        switch credential {
        case .none: return nil
        case .some(let credential): return credential.question(nonce, in: context, life: settings.deadline)
        }
    }

    /// The kind of answer that was typed; the order of the checks is fixed.
    func reading(of answer: borrowing Secret) throws(Reason) -> AnswerReading {
        if let session {
            if newCodes > 0, asksForNewCode(answer) { return .newCode(session) }
            switch phones {
            case .none: throw .outOfTurn
            case .some(let phones):
                if try phones.isCode(answer, of: session), settled == nil { return .approval(session) }
            }
            if PhoneCode.reads(answer) { return .wrongCode(session) }
            if answer.count == 0, acceptsUnseen, settled == nil { return .approval(session) }
        }
        if methods.readsCode, CodeAlphabet.reads(answer, count: OneTimeCode.count) { return .backupCode }
        if session == nil, asksForCode { return .noBackupCode }
        if methods.showsOTP { return OTPDigits.reads(answer) ? .otp : .noOTP }
        guard methods.showsPIN else { return .noCode }
        return PINPolicy.canBePIN(answer) ? .pin : .noPIN
    }
}

private func asksForNewCode(_ answer: borrowing Secret) -> Bool {
    answer.count == 1
        && answer.withBytes { unsafe $0.unsafeLoad(fromByteOffset: 0, as: UInt8.self) | 0x20 == 0x72 }
}

/// The kind of answer that was typed.
enum AnswerReading: Equatable {
    case approval(PhoneSession)
    /// `r`.
    case newCode(PhoneSession)
    case wrongCode(PhoneSession)
    /// Sixteen letters.
    case backupCode
    /// Six digits, where a one-time password is asked for.
    case otp
    case pin
    /// An invalid answer: not a PIN or, where no PIN is asked for, not an approval code, not six digits, not
    /// a backup code.
    case noPIN, noCode, noOTP, noBackupCode
}
