// SPDX-License-Identifier: Apache-2.0
// `mpin test`: one login without PAM, by the same `Login` machine, with the time of each step.
import CPlatform
import MPinConsole
import MPinHostStore
import MPinLogin
import MPinProof
import MPinWire
import Secrets

/// Logs an account in once at a server, without PAM. Throws if there is no verdict.
package func testLogin(
    of user: String, at server: ServerChoice, _ dialogue: Dialogue
) throws(Failure) -> TestReport {
    let watch = Stopwatch()
    var settings = try server.settings()
    settings.tries = 1
    for unknown in settings.unknownNames() { dialogue.tell("mpin: warning: \(unknown.sentence)") }
    let account = try findAccount(user)
    _ = try openStore(settings.store)
    let context = LoginContext(service: settings.service, askedFor: account, realUID: getuid())
    let login = Login(
        settings: settings, context: context, credentials: .find(settings, context), nonce: freshNonce)
    if let exemption = try? settings.exemption(in: context) {
        dialogue.tell(
            "mpin: note: a login by PAM would not ask: \(settings.sentence(of: exemption, context))")
    }
    watch.lap("read settings and store")
    var person = TestConversation(dialogue, settings: settings, watch: watch)
    let deadline = Deadline(milliseconds: UInt32(clamping: settings.deadline * 1_000))
    let attempt = login.attempt
    let outcome = drive(login, &person, deadline: deadline) { () throws(TransportError) in
        try TimedRelay(settings, attempt: attempt, deadline: deadline, watch)
    }
    if let failure = person.failure { throw failure }
    if case .cancelled = outcome { throw .cancelled }
    watch.lap("check the verdict")
    return TestReport(outcome, of: account, attempt: attempt, by: watch, settings)
}

/// The conversation of a test: asks the user of this command in place of PAM.
private struct TestConversation: Conversation {
    let dialogue: Dialogue
    let settings: Settings
    let watch: Stopwatch
    /// Why the user gave no answer; nil if they did.
    private(set) var failure: Failure?
    private var isServerAsked = false

    init(_ dialogue: Dialogue, settings: Settings, watch: Stopwatch) {
        self.dialogue = dialogue
        self.settings = settings
        self.watch = watch
    }

    mutating func ask(_ prompt: Prompt) throws(ConversationError) -> Secret {
        let question: [UInt8]
        var work: String?
        switch prompt {
        case .pin(let label):
            work = "compute a slow hash of the PIN"
            question =
                (settings.pinPrompt.map { Sentence.own($0, label: label, fromAfar: false) }
                ?? .askPIN(label: label)).octets
        case .otp:
            question =
                (settings.codePrompt.map { Sentence.own($0, label: nil, fromAfar: false) }
                ?? .phone(.askOTP)).octets
        case .backupCode: question = Sentence.backup(.ask).octets
        case .phone(let phone):
            isServerAsked = true
            guard let screen = screen(of: phone) else { throw .failed }
            dialogue.tell(String(decoding: screen.info, as: UTF8.self))
            question = screen.prompt
        }
        do throws(Failure) {
            try checkServer()
            let answer = try dialogue.pin.answer(String(decoding: question, as: UTF8.self))
            watch.start(work)
            return answer
        } catch {
            failure = error
            throw error.kind == .cancelled ? .cancelled : .failed
        }
    }

    /// Checks before the first question that the server answers. Not if the service takes backup codes: they
    /// need no server.
    private mutating func checkServer() throws(Failure) {
        guard !isServerAsked, !settings.takesBackupCodes else { return }
        isServerAsked = true
        try dialogue.pin.checkServer(settings)
    }

    /// The screen with number and address, without the QR code.
    private func screen(of phone: PhonePrompt) -> PhoneScreen? {
        let session = PhoneScreenSession(
            phoneAddress: settings.phoneAddress, wid: phone.wid, number: phone.number,
            seconds: phone.secondsLeft)
        var wishes = PhoneWishes(
            orPIN: phone.takes.pin, orEnter: phone.takes.enter, orNew: phone.takes.newCode)
        (wishes.pinPrompt, wishes.codePrompt) = (settings.pinPrompt, settings.codePrompt)
        return session.map {
            PhoneScreen($0, wishes, drawing: nil, on: Display(assumed: (80, 24)))
        }
    }

    /// Shows nothing: notices come between tries, and a test has only one.
    mutating func tell(_ notice: Notice) throws(ConversationError) {}
}

/// The verdict, and each step with its time.
package struct TestReport: Report {
    let user: String
    let uid: UInt32
    let granted: Bool
    let outcome: String
    let attempt: String
    private(set) var identity: String?
    /// The number of unused backup codes, if one granted the login.
    private(set) var backupCodes: Int?
    private(set) var triesLeft: UInt16?
    private(set) var releaseAfter: UInt32?
    let milliseconds: Double
    let steps: [Stopwatch.TimedStep]
    private(set) var message: String?
    /// The wrong tries before this login.
    private(set) var tries: TriesReport?
    private var notices: [String] = []
    private let failure: Failure?

    enum CodingKeys: CodingKey {
        case user, uid, granted, outcome, attempt, identity, backupCodes, triesLeft, releaseAfter,
            milliseconds, steps, message, tries
    }

    init(
        _ outcome: Outcome, of account: Account, attempt: [UInt8], by watch: Stopwatch, _ settings: Settings
    ) {
        user = String(decoding: account.name, as: UTF8.self)
        uid = account.uid
        self.outcome = outcome.word
        self.attempt = hexText(attempt)
        steps = watch.steps
        milliseconds = watch.total
        failure = Failure(outcome, settings, of: user)
        granted = failure == nil
        message = failure?.sentence
        if case .granted(let grant) = outcome {
            identity = grant.proven.map { hexText($0.id) }
            if case .backupCode(let left, _) = grant.proof { backupCodes = left }
            tries = grant.tries.map(TriesReport.init)
            notices = grant.tries?.sentences(on: .host) ?? []
        }
        if case .refused(.wrongPIN(let left)) = outcome { triesLeft = left }
        if case .blocked(let seconds) = outcome { releaseAfter = seconds }
    }

    /// Why the login would be denied; empty if it would be granted.
    package var failures: [Failure] { failure.map { [$0] } ?? [] }

    /// The steps, the verdict, and the notices of wrong tries.
    package var lines: [String] {
        let rows = steps.map { [$0.step, $0.status.map { "\($0)" } ?? "", "\($0.milliseconds) ms"] }
        let verdict = granted ? "\(shown(user)) would be let in" : "\(shown(user)) would not be let in"
        return alignedColumns(rows) + ["\(verdict); \(milliseconds) ms, attempt \(attempt)."] + notices
    }
}
