// SPDX-License-Identifier: Apache-2.0
// The module's only entry: reads caller and settings, runs the login, and reports its outcome to user, log
// and libpam.
import CPAM
import CPlatform
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets

/// pam_sm_authenticate(3), called from C: one login. pam_mpin(8), RESULTS, describes the result codes.
@c(mpin_authenticate)
public func authenticate(
    _ pamHandle: OpaquePointer?, _ flags: CInt, _ argc: CInt,
    _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> CInt {
    guard let pamHandle = unsafe pamHandle else { return PAM_SERVICE_ERR }
    let handle = unsafe Handle(pamHandle)
    var arguments: [[UInt8]] = []
    if let argv = unsafe argv {
        for index in 0..<max(Int(argc), 0) {
            if let argument = unsafe argv[index] { unsafe arguments.append(octets(argument)) }
        }
    }
    do {
        return login(handle, try Caller(handle, flags: flags, arguments))
    } catch {
        return error.code == PAM_ABORT ? PAM_ABORT : PAM_CONV_ERR
    }
}

/// One login from its settings to its result code.
private func login(_ handle: borrowing Handle, _ caller: Caller) -> CInt {
    let person = Person(caller)
    if let result = unasked(handle, caller: caller, person: person) { return result }
    let isRemote = person.seat.isRemote
    var conversation = PAMConversation(
        handle, isRemote ? .onePrompt : .messages, isSilent: caller.facts.isSilent)
    let ending: Ending
    do throws(Reason) {
        ending = try decide(
            caller, person: person, wrong: handle.wrongAnswers(), conversation: &conversation)
    } catch {
        ending = Ending(
            outcome: .failed(error), attempt: (try? randomOctets(8)) ?? [], settings: person.settings,
            context: person.context(caller))
    }
    let isRefused =
        ending.outcome.isRefusal || isRemote && ending.isPersonal && !ending.outcome.isGranted
    if isRefused, isRemote { conversation.waitForFloor() }
    // Nobody needs what follows a grant in order to log in.
    conversation.isMuted = caller.facts.isSilent && ending.outcome.isGranted
    if let sentence = ending.outcome.sentence(
        remote: isRemote, isPersonal: ending.isPersonal, attempt: ending.attempt,
        help: ending.settings?.help)
    {
        conversation.say(sentence)
    }
    if case .granted(let grant) = ending.outcome {
        for sentence in grant.tries?.sentences ?? [] { conversation.say(.tries(sentence)) }
        // A backup code belongs to the account; it proves no identity.
        if let proven = grant.proven { handle.set("MPIN_IDENTITY", to: presentable(proven.label)) }
        handle.set("MPIN_METHOD", to: grant.method)
    }
    conversation.flush()
    handle.log(ending, caller: caller, seat: person.seat)
    if isRefused { handle.delayFailure(microseconds: 2_000_000) }
    return ending.outcome.resultCode(remote: isRemote)
}

/// The result of a login that ends before the user is asked; nil: the login takes its usual course.
private func unasked(_ handle: borrowing Handle, caller: Caller, person: borrowing Person) -> CInt? {
    if let settings = person.settings, let context = person.context(caller) {
        let why = settings.unasked(
            in: context, mayLetIn: !caller.answersWithPassword,
            before: grace(settings, context: context, caller: caller)
        ) { handle.log($0, context: context, caller: caller) }
        if let why {
            if case .grace = why { handle.set("MPIN_METHOD", to: ascii("grace")) }
            handle.log(why, context: context, caller: caller)
            return why.resultCode
        }
        if settings.withoutRoot(in: context, caller.facts) == .ownAccount {
            handle.log(.ownAccount, context: context, caller: caller)
            return Unasked.ownAccount.resultCode
        }
    }
    guard caller.answersWithPassword else { return nil }
    var line = LogLine("refused")
    line.add("reason", "sshd-password-method")
    line.add("setting", "PasswordAuthentication")
    line.add("wanted", "no")
    handle.log(LOG_NOTICE, line)
    return PAM_AUTH_ERR
}

/// nil where the settings have no grace, or only the login itself would show who the user is.
private func grace(_ settings: Settings, context: LoginContext, caller: Caller) -> Grace? {
    settings.grace > 0 ? Grace(of: context, caller.facts) : nil
}

/// How a login ended, with what its log line needs.
struct Ending {
    let outcome: Outcome
    /// The attempt id, 8 octets, which connects the screen with the log; empty if the system has no
    /// randomness.
    let attempt: [UInt8]
    var settings: Settings?
    var context: LoginContext?
    /// Whether the reason may depend on the account (`Login.isPersonal`).
    var isPersonal = false
    /// What the kernel refused to the relay.
    var trouble: RelayTrouble?
    /// Why no session was shown where one should have been.
    var withoutSession: Outcome?
    /// Whether the approval code is required at this seat although `phone-code = optional` is set.
    var requiresApprovalCode = false
}

/// The settings and account of a login, and the row of the table that decides whether it is remote. If a file
/// or database is broken, only rows that need neither can apply.
private struct Person: ~Copyable {
    private(set) var settings: Settings?
    private(set) var account: Account?
    private(set) var seat: SeatRow
    /// Why there are no settings, or why the name could not be looked up.
    private(set) var reason: Reason?

    init(_ caller: Caller) {
        do throws(AccountError) { account = try Account(named: caller.user) } catch {
            reason = .account(error)
        }
        seat = SeatRow(caller.facts, account: account, remote: nil)
        do throws(SettingsError) {
            settings = try Settings.load(arguments: caller.arguments, service: caller.service)
        } catch { reason = .settings(error) }
        if let left = caller.secondsLeft { settings?.endWithCaller(in: left) }
        if let remote = settings?.remote { seat = .setting(remote: remote) }
    }

    /// nil if settings or account could not be read.
    borrowing func context(_ caller: Caller) -> LoginContext? {
        guard reason == nil, let settings else { return nil }
        return LoginContext(service: settings.service, account: account, call: caller.facts, seat: seat)
    }
}

private func decide(
    _ caller: Caller, person: borrowing Person, wrong: WrongAnswers, conversation: inout PAMConversation
) throws(Reason) -> Ending {
    if let reason = person.reason { throw reason }
    guard let settings = person.settings, let context = person.context(caller) else { throw .outOfTurn }
    guard settings.withoutRoot(in: context, caller.facts) == nil else { throw .callerNotRoot }
    let name = person.account.map { $0.name } ?? caller.user
    conversation.rendering = SessionRendering(settings, user: name, holdsTerminal: !person.seat.isRemote)
    let login = Login(
        settings: settings, context: context, credentials: AccountCredentials.find(settings, context),
        wrong: wrong, nonce: freshNonce)
    let attempt = login.attempt
    let deadline = Deadline(milliseconds: UInt32(clamping: settings.deadline * 1_000))
    if !context.isRemote { conversation.deadline = deadline }
    let trouble = RelayTrouble()
    let outcome = drive(login, &conversation, deadline: deadline) { () throws(TransportError) in
        try CancellableRelay.start(
            settings, attempt: attempt, deadline: deadline, holdsTerminal: !context.isRemote,
            trouble: trouble)
    }
    if case .granted(let grant) = outcome, grant.isConfirmed {
        grace(settings, context: context, caller: caller)?.record()
    }
    return Ending(
        outcome: outcome, attempt: attempt, settings: settings, context: context,
        isPersonal: login.isPersonal, trouble: trouble,
        withoutSession: login.withoutSession, requiresApprovalCode: login.requiresApprovalCode)
}
