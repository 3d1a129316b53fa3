// SPDX-License-Identifier: Apache-2.0
// `mpin test`: one login without PAM, by the same machine, each step with its time.
import ArgumentParser
import CPlatform
import MPinConsole
import MPinLogin
import MPinProof
import MPinWire
import Secrets

struct TestCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Log in once without PAM, and show each step with its time.",
        discussion: "The server counts a wrong PIN here like any other.")

    @Argument(help: "The account.") var user: String
    @OptionGroup var pin: PINOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> TestReport {
        let watch = Stopwatch()
        var settings = try server.settings(store)
        settings.tries = 1
        for warning in try settings.strangers() { say("mpin: warning: \(warning)") }
        let account = try findAccount(user)
        _ = try openStore(settings.store)
        let context = LoginContext(service: settings.service, askedFor: account, realUID: getuid())
        var login = Login(
            settings: settings, context: context, standing: .find(settings, context), nonce: freshNonce)
        if let exemption = try? settings.exemption(in: context) {
            say("mpin: note: a login by PAM would not ask: \(settings.sentence(of: exemption, context))")
        }
        watch.lap("read settings and store")
        var person = Person(asked: .pin(pin), settings: settings, watch: watch)
        let deadline = Deadline(milliseconds: UInt32(clamping: settings.deadline * 1_000))
        let attempt = login.attempt
        let outcome = drive(&login, &person, deadline: deadline) { () throws(TransportError) in
            watch.lap("compute a slow hash of the PIN")
            return try TimedRelay(settings, attempt: attempt, deadline: deadline, watch)
        }
        if let failure = person.failure { throw failure }
        if case .cancelled = outcome { throw .cancelled }
        watch.lap("check the verdict")
        return TestReport(account, outcome, attempt: attempt, watch, settings)
    }
}

/// Whoever types the PIN of a test.
private struct Person: Conversation {
    let asked: SecretInput
    let settings: Settings
    let watch: Stopwatch
    /// Why there was no answer.
    private(set) var failure: Failure?
    private var isServerAsked = false

    init(asked: SecretInput, settings: Settings, watch: Stopwatch) {
        self.asked = asked
        self.settings = settings
        self.watch = watch
    }

    mutating func ask(_ prompt: Prompt) throws(ConversationError) -> Secret {
        let question: [UInt8]
        switch prompt {
        case .pin(let label):
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
            say(String(decoding: screen.info, as: UTF8.self))
            question = screen.prompt
        }
        do throws(Failure) {
            try checkServer()
            let answer = try asked.answer(String(decoding: question, as: UTF8.self))
            watch.restart()
            return answer
        } catch {
            failure = error
            throw error.trouble == .cancelled ? .cancelled : .failed
        }
    }

    /// Before the first question; a backup code is good without the server.
    private mutating func checkServer() throws(Failure) {
        guard !isServerAsked, !settings.takesBackupCodes else { return }
        isServerAsked = true
        try asked.checkServer(settings)
    }

    /// Number and address, without the picture.
    private func screen(of phone: PhonePrompt) -> PhoneScreen? {
        let session = PhoneSession(
            phoneAddress: settings.phoneAddress, wid: phone.wid, number: phone.number,
            seconds: phone.secondsLeft)
        var wishes = PhoneWishes(
            orPIN: phone.takes.pin, orEnter: phone.takes.enter, orNew: phone.takes.newCode)
        (wishes.pinPrompt, wishes.codePrompt) = (settings.pinPrompt, settings.codePrompt)
        return session.map {
            PhoneScreen($0, wishes, drawing: nil, on: Display(assumed: (80, 24)))
        }
    }

    /// There is one try, so there is nothing to be told between tries.
    mutating func tell(_ notice: Notice) throws(ConversationError) {}
}

struct TestReport: Report {
    let user: String
    let uid: UInt32
    let granted: Bool
    let outcome: String
    let attempt: String
    private(set) var identity: String?
    /// How many are left, where one let in.
    private(set) var backupCodes: Int?
    private(set) var triesLeft: UInt16?
    private(set) var releaseAfter: UInt32?
    let milliseconds: Double
    let steps: [Stopwatch.TimedStep]
    private(set) var message: String?
    /// The wrong PINs before this login.
    private(set) var tries: TriesReport?
    private var notices: [String] = []
    private let failure: Failure?

    enum CodingKeys: CodingKey {
        case user, uid, granted, outcome, attempt, identity, backupCodes, triesLeft, releaseAfter,
            milliseconds, steps, message, tries
    }

    init(_ account: Account, _ outcome: Outcome, attempt: [UInt8], _ watch: Stopwatch, _ settings: Settings) {
        user = String(decoding: account.name, as: UTF8.self)
        uid = account.uid
        self.outcome = outcome.word
        self.attempt = hexText(attempt)
        steps = watch.steps
        milliseconds = watch.total
        failure = Failure(outcome, settings)
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

    var failures: [Failure] { failure.map { [$0] } ?? [] }

    var lines: [String] {
        let rows = steps.map { [$0.step, $0.status.map { "\($0)" } ?? "", "\($0.milliseconds) ms"] }
        let verdict = granted ? "\(shown(user)) would be let in" : "\(shown(user)) would not be let in"
        return table(rows) + ["\(verdict); \(milliseconds) ms, attempt \(attempt)."] + notices
    }
}
