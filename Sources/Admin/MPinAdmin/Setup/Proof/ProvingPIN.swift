// SPDX-License-Identifier: Apache-2.0
// Asks for the PIN of the user who proves a login for setup, and tries it once without PAM, because a stack
// does not say why it refuses.
import CPlatform
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Secrets

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
