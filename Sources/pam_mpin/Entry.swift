// SPDX-License-Identifier: Apache-2.0
// The module's one entry: who calls, under which settings, what became of it, and what everybody is told.
import CPAM
import CPlatform
import MPinConsole
import MPinLogin
import MPinWire
import Secrets

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
        return login(handle, try Caller(handle, arguments))
    } catch {
        return error.code == PAM_ABORT ? PAM_ABORT : PAM_CONV_ERR
    }
}

/// One login from its settings to its result code.
private func login(_ handle: borrowing Handle, _ caller: Caller) -> CInt {
    if caller.answersWithPassword {
        var line = LogLine("refused")
        line.add("reason", "sshd-password-method")
        line.add("setting", "PasswordAuthentication")
        line.add("wanted", "no")
        handle.log(LOG_NOTICE, line)
        return PAM_AUTH_ERR
    }
    var conversation = PAMConversation(handle, caller.isRemote ? .onePrompt : .messages)
    let ending: Ending
    do throws(Reason) {
        ending = try decide(caller, &conversation)
    } catch {
        ending = Ending(outcome: .failed(error), attempt: (try? randomOctets(8)) ?? [])
    }
    let isRefused =
        ending.outcome.isRefusal || caller.isRemote && ending.isPersonal && !ending.outcome.isGranted
    if isRefused, caller.isRemote { conversation.waitForFloor() }
    if let sentence = ending.outcome.sentence(
        remote: caller.isRemote, isPersonal: ending.isPersonal, attempt: ending.attempt,
        help: ending.settings?.help)
    {
        conversation.say(sentence)
    }
    if case .granted(let grant) = ending.outcome, let tries = grant.tries {
        for sentence in tries.sentences { conversation.say(.tries(sentence)) }
    }
    conversation.flush()
    handle.log(ending, caller)
    if case .granted(let grant) = ending.outcome {
        // A backup code is the account's: no identity proved itself by it.
        if let proven = grant.proven { handle.set("MPIN_IDENTITY", to: cleaned(proven.label)) }
        handle.set("MPIN_METHOD", to: grant.method)
    }
    if isRefused { handle.delayFailure(microseconds: 2_000_000) }
    return ending.outcome.resultCode(remote: caller.isRemote)
}

/// How a login ended, with what its line in the log needs.
struct Ending {
    let outcome: Outcome
    /// 8 octets that lead from the screen to the log; none if the system has no randomness.
    let attempt: [UInt8]
    var settings: Settings?
    var scene: Scene?
    /// Whether the reason may depend on the account (`Login.isPersonal`).
    var isPersonal = false
    /// Why no session was shown where one should have been.
    var withoutSession: Outcome?
    /// `phone-code = optional`, and the seat is none where it may be.
    var insistsOnLetters = false
}

private func decide(
    _ caller: Caller, _ conversation: inout PAMConversation
) throws(Reason) -> Ending {
    let settings: Settings
    do throws(SettingsError) {
        settings = try Settings.load(
            arguments: caller.arguments, service: caller.service, remote: caller.isRemote)
    } catch { throw .settings(error) }
    conversation.look = PhoneLook(settings, holdsTerminal: !caller.isRemote)
    let account: Account?
    do throws(AccountError) { account = try Account(named: caller.user) } catch { throw .account(error) }
    let scene = caller.scene(of: account, under: settings)
    var login = Login(
        settings: settings, scene: scene, standing: Standing.find(settings, scene), nonce: freshNonce)
    let attempt = login.attempt
    let deadline = Deadline(milliseconds: UInt32(clamping: settings.deadline * 1_000))
    if !scene.isRemote { conversation.deadline = deadline }
    let outcome = drive(&login, &conversation, deadline: deadline) { () throws(TransportError) in
        try CancellableRelay.start(
            settings, attempt: attempt, deadline: deadline, holdsTerminal: !scene.isRemote)
    }
    return Ending(
        outcome: outcome, attempt: attempt, settings: settings, scene: scene, isPersonal: login.isPersonal,
        withoutSession: login.withoutSession, insistsOnLetters: login.insistsOnLetters)
}
