// SPDX-License-Identifier: Apache-2.0
// One login as a machine without input or output of its own: it takes an event and says the next step.
import MPin
package import MPinProof
package import MPinStore
package import MPinWire
package import Secrets

package enum LoginStep: Equatable, Sendable {
    case ask(Prompt)
    case tell(Notice)
    case exchange(RelayRequest)
    /// A backup code is right: it is struck out now, and nobody is let in before.
    case strike(Strike)
    case finished(Outcome)
}

package enum LoginEvent: ~Copyable {
    case begin
    /// What was typed.
    case answered(Secret)
    case told
    case conversationBroken(ConversationError)
    case received(RelayResponse)
    case transportBroken(TransportError)
    /// The backup code is struck out on disk, and so many are left; nil: it was not there any more.
    case struck(left: Int?)
    case strikeFailed(StoreError)
    /// The deadline of the whole login is over.
    case timedOut
}

package struct Login: ~Copyable {
    /// What the machine waits for.
    enum Turn: Equatable {
        case begin, answer, told
        /// Whether the account is revoked whose backup code was typed; then the code's strike-out.
        case standing(SealedQuestion, hash: [UInt8])
        case strike(CodeStanding)
        /// Answers of the backend: the first two open a session, the next is a verdict on it, then its end.
        case settings(SealedQuestion)
        case session(SealedQuestion, asked: Int)
        case approval(a: [UInt8], AuthenticationMethod)
        /// Tags of one-time passwords, and those of what was typed.
        case otp(SealedQuestion, typed: [UInt8])
        /// The session is over, and another one follows, or none.
        case ending(isRenewal: Bool)
        /// An answer to `proof`.
        case proof
        case over
    }

    let settings: Settings
    let context: LoginContext
    package internal(set) var methods: LoginMethods
    let nonce: () throws(NoRandomness) -> [UInt8]
    let now: () -> Int
    let credential: Credential?
    let phones: Phones?
    /// nil where no backup code is good.
    let codes: HostCodes?
    var turn = Turn.begin
    var proof: Proof?
    /// What a second device may approve, until it is over.
    var session: PhoneSession?
    var wrongCodes = 0
    /// How many more sessions may be asked for by `r`.
    var newCodes = 5
    /// When the login ends, by the clock of `now`; nil before its first session.
    var loginEnd: Int?
    /// How it ends where nothing can change that any more. In remote services the questions go on all the
    /// same, and nothing is sent, so that the screens are everybody's.
    var settled: Outcome?
    /// A verdict, or a fault of this host, after which no backup code is good in this login.
    var endsCodes = false
    var triesLeft: Int
    var known = BackendCache()
    /// A status came in this login that does not say that the server is away.
    var wasHeard = false
    /// The nonce of the next question; the first is drawn at once, for the attempt id.
    var nextNonce: [UInt8]?
    /// A reason of the host's own ends the login before anybody is asked.
    private let endsAtOnce: Bool
    /// Whether how it ends may depend on the account. In remote services the reason is then for the log.
    package internal(set) var isPersonal: Bool
    /// 8 octets that name this login in every log.
    package private(set) var attempt: [UInt8] = []
    /// Why there is no session to approve, where the screens would speak of one.
    package internal(set) var withoutSession: Outcome?

    /// - Parameters:
    ///   - nonce: 32 octets, new at each call (`freshNonce`).
    ///   - now: seconds of a clock that nobody sets.
    package init(
        settings: Settings, context: LoginContext, credentials: consuming AccountCredentials,
        nonce: @escaping () throws(NoRandomness) -> [UInt8], now: @escaping () -> Int = monotonicSeconds
    ) {
        self.settings = settings
        self.context = context
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
        let drawn = first ?? [UInt8](repeating: 0, count: 32)
        attempt = [UInt8]((firstQuestion(drawn)?.a ?? [UInt8](drawn.dropFirst(8))).prefix(8))
    }

    /// The next step. An event out of turn ends the login in an error, and nothing comes after the end.
    package mutating func resume(_ event: consuming LoginEvent) -> LoginStep {
        let turn = exchange(&turn, with: .over)
        let proof = proof.take()
        guard turn != .over else { return .finished(.failed(.outOfTurn)) }
        switch consume event {
        case .begin: return turn == .begin ? begin() : .finished(.failed(.outOfTurn))
        case .answered(let answer): return turn == .answer ? typed(answer) : .finished(.failed(.outOfTurn))
        case .told: return turn == .told ? ask() : .finished(.failed(.outOfTurn))
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
        case .timedOut: return .finished(turn == .answer ? settled ?? .refused(.tooLate) : tooSlow)
        }
    }

    /// The line to the backend is no more.
    private mutating func broken(_ outcome: Outcome, at turn: Turn) -> LoginStep {
        switch turn {
        case .settings, .session: methods.showsCode ? unopened(outcome) : ended(outcome)
        // A local account may have used up what a relay needs.
        case .standing: refusedCode(outcome)
        case .begin, .answer, .told, .strike, .approval, .otp, .ending, .proof, .over: ended(outcome)
        }
    }

    private var tooSlow: Outcome { .unavailable(Unavailable(status: nil, ignored: false)) }

    /// How it ends before anybody is asked anything; nil: there are questions to put.
    package var endUnasked: Outcome? {
        let showsNothing = !methods.showsMoreThanCode && !methods.showsCode
        guard let settled, endsAtOnce || !context.isRemote || showsNothing || settled.isIgnored else {
            return nil
        }
        return settled
    }

    private mutating func begin() -> LoginStep {
        if let endUnasked { return .finished(endUnasked) }
        return methods.showsPhone ? open() : ask()
    }

    /// Another look at the screen: of the session while it lives, else of the PIN, where one is asked for.
    mutating func ask() -> LoginStep {
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

    private mutating func ask(_ prompt: Prompt) -> LoginStep {
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
}
