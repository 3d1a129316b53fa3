// SPDX-License-Identifier: Apache-2.0
// One login through real PAM, by a stack that is not installed yet. The PIN is tried once without PAM before,
// because a stack does not say why it refuses.
import CPAM
import CPlatform
import MPinHostStore
import MPinLogin
import MPinProof
import MPinWire
import Secrets

/// A user who logs in to show that a stack works.
struct StackProof: ~Copyable {
    let account: Account
    private let pin: Secret
    /// The Unix password, for a stack that asks for it after the PIN.
    private let password: Secret?

    private init(_ account: Account, pin: consuming Secret, password: consuming Secret?) {
        self.account = account
        self.pin = pin
        self.password = password
    }

    /// Asks for PIN and password, as far as they are needed and not known yet.
    static func ask(
        of prover: consuming Prover, _ dialogue: Dialogue, _ settings: Settings, asksPassword: Bool
    ) throws(Failure) -> StackProof {
        let account = prover.account
        let name = text(account.name)
        let pin: Secret
        switch consume prover.pin {
        case .some(let kept): pin = kept
        case .none: pin = try provingPIN(of: account, dialogue, settings)
        }
        guard asksPassword else { return StackProof(account, pin: pin, password: nil) }
        let password = try dialogue.password.answer("Unix password of \(name), which is asked for as well: ")
        return StackProof(account, pin: pin, password: password)
    }

    /// Logs in by one of the planned stacks, under the planned settings. Throws if that fails, or another
    /// module than ours lets the user in.
    borrowing func run(
        _ stack: SetupPlan.Stack, of plan: SetupPlan, in folder: borrowing SetupFolder, config: String
    ) throws(Failure) {
        var texts: [String: [UInt8]] = [:]
        let arguments = arguments(config, of: stack.service)
        for other in plan.stacks { texts[other.service] = with(arguments, other.after) }
        texts[stack.service] = with(arguments, stack.proving)
        let path = try folder.copy(of: plan.wish.places.stacks.path, as: "pam.d", with: texts)
        let end = login(stack.service, stacks: path)
        guard end.code != PAM_SUCCESS || !end.isByPIN else { return }
        let said = end.code == PAM_SUCCESS ? "pam_mpin.so was not asked" : end.words
        let name = text(account.name)
        throw Failure(
            .refused,
            "The login of \(name) by \(shown(stack.service)), to prove the stack, failed: \(said). "
                + "Nothing was switched on. 'sudo mpin why \(name) --service \(shown(stack.service))' says "
                + "more.")
    }

    /// The module's arguments for the planned settings. The user who proves a login is at this host, but the
    /// module cannot see that from setup, a process of root. Logins of sshd come over the network.
    private borrowing func arguments(_ config: String, of service: String) -> String {
        " config=\(config)" + (service == "sshd" ? "" : " remote=no")
    }

    /// The stack with these arguments added to the line that setup writes.
    private borrowing func with(_ arguments: String, _ stack: [UInt8]) -> [UInt8] {
        let lines = stack.split(separator: 0x0a, omittingEmptySubsequences: false).map { line in
            let isOurs =
                line.starts(with: "auth ".utf8)
                && line.firstRange(of: " \(pamModule) section=".utf8) != nil
            return Array(line) + (isOurs ? Array(arguments.utf8) : [])
        }
        return Array(lines.joined(separator: [0x0a]))
    }

    private struct End {
        let code: CInt
        let words: String
        /// Whether pam_mpin.so let the user in, and not another module.
        let isByPIN: Bool
    }

    private borrowing func login(_ service: String, stacks folder: String) -> End {
        unsafe pin.withPointer { pin, count in
            var answers = unsafe mpin_pam_answers()
            unsafe answers.pin = UnsafeRawPointer(pin)
            unsafe answers.pin_count = count
            switch password {
            case .none: return unsafe login(service, stacks: folder, &answers)
            case .some(let password):
                return unsafe password.withPointer { password, count in
                    unsafe answers.password = UnsafeRawPointer(password)
                    unsafe answers.password_count = count
                    return unsafe login(service, stacks: folder, &answers)
                }
            }
        }
    }

    private borrowing func login(
        _ service: String, stacks folder: String, _ answers: UnsafeMutablePointer<mpin_pam_answers>
    ) -> End {
        var handle: OpaquePointer?
        let name = String(decoding: account.name, as: UTF8.self)
        var code = unsafe mpin_pam_start(service, name, answers, folder, &handle)
        guard code == PAM_SUCCESS, let handle = unsafe handle else {
            return End(code: code, words: "PAM cannot be started", isByPIN: false)
        }
        let isSudo = service == "sudo" || service == "sudo-i"
        if service == "sshd" { unsafe arriveBySSH(handle) }
        if isSudo { unsafe pam_set_item(handle, PAM_RUSER, name) }
        // sudo passes PAM_SILENT, and the module must behave as it does there.
        code = unsafe pam_authenticate(handle, isSudo ? CInt(PAM_SILENT) : 0)
        let identity = unsafe mpin_pam_getenv(handle, Array("MPIN_IDENTITY".utf8) + [0])
        let words = unsafe pam_strerror(handle, code).map { unsafe String(cString: $0) } ?? "error \(code)"
        let end = unsafe End(code: code, words: words, isByPIN: identity != nil)
        unsafe pam_end(handle, code)
        return end
    }

    /// Sets the items that sshd sets for a user whose key it has accepted.
    private borrowing func arriveBySSH(_ handle: OpaquePointer) {
        unsafe pam_set_item(handle, PAM_TTY, "ssh")
        unsafe pam_set_item(handle, PAM_RHOST, "127.0.0.1")
        let key = "SSH_AUTH_INFO_0=publickey ssh-ed25519 AAAA\n"
        _ = unsafe mpin_pam_putenv(handle, Array(key.utf8) + [0])
    }
}

/// How often the user may type a PIN.
private let mostPINs = 3

/// A PIN that the server accepts, or one that it could not judge: then the login by PAM will show more.
func provingPIN(
    of account: Account, _ dialogue: Dialogue, _ settings: Settings
) throws(Failure) -> Secret {
    var settings = settings
    settings.method = .pin
    settings.tries = 1
    settings.backupCodes = []
    let asked = dialogue.pin
    try asked.checkServer(settings)
    var left = mostPINs
    while true {
        let typed = try asked.answer("PIN of \(text(account.name)), to prove a login: ")
        let outcome = try trial(typed, of: account, settings)
        guard let failure = refusal(outcome, of: account, settings) else { return typed }
        left -= 1
        guard outcome.isWrongPIN, asked.isTyped, left > 0 else {
            throw Failure(failure.kind, "\(failure.sentence) Nothing was switched on.")
        }
        dialogue.tell(failure.sentence)
    }
}

/// The failure if the server refuses the PIN or is unreachable; nil for all other outcomes.
private func refusal(_ outcome: Outcome, of account: Account, _ settings: Settings) -> Failure? {
    switch outcome {
    case .refused, .blocked, .revoked, .secretExpired, .unavailable:
        Failure(outcome, settings, of: text(account.name))
    case .granted, .notEnrolled, .cancelled, .conversationFailed, .failed: nil
    }
}

extension Outcome {
    /// Whether the user may type another PIN.
    fileprivate var isWrongPIN: Bool {
        switch self {
        case .refused(.wrongPIN), .refused(.noPIN): true
        case .refused, .granted, .blocked, .revoked, .secretExpired, .notEnrolled, .unavailable, .cancelled,
            .conversationFailed, .failed:
            false
        }
    }
}

/// One login without PAM, as in `mpin test`.
private func trial(
    _ typed: borrowing Secret, of account: Account, _ settings: Settings
) throws(Failure) -> Outcome {
    let copy: Secret
    do {
        copy = try typed.withBytes { octets throws(OutOfMemory) in try Secret(copying: octets) }
    } catch { throw .outOfMemory }
    let context = LoginContext(service: settings.service, askedFor: account, realUID: getuid())
    let login = Login(
        settings: settings, context: context, credentials: .find(settings, context), nonce: freshNonce)
    var person = KnownPIN(copy)
    let deadline = Deadline(milliseconds: UInt32(clamping: settings.deadline * 1_000))
    let attempt = login.attempt
    return drive(login, &person, deadline: deadline) { () throws(TransportError) in
        try TimedRelay(settings, attempt: attempt, deadline: deadline, Stopwatch())
    }
}

/// A conversation that answers the first question with a PIN typed before, and fails at any other.
private struct KnownPIN: ~Copyable, Conversation {
    private var pin: Secret?

    init(_ pin: consuming Secret) { self.pin = .some(pin) }

    mutating func ask(_ prompt: Prompt) throws(ConversationError) -> Secret {
        guard case .pin = prompt, let known = pin.take() else { throw .failed }
        return known
    }

    mutating func tell(_ notice: Notice) throws(ConversationError) {}
}
