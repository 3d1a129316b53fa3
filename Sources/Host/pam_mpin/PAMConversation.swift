// SPDX-License-Identifier: Apache-2.0
// Prompts and messages over PAM's conversation function, in the manner that the application can show.
import CPAM
import CPlatform
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore
import Octets
import Secrets

@safe struct PAMConversation: ~Copyable, Conversation {
    /// `onePrompt`: sshd shows only prompts (before OpenSSH 10.3), so messages wait for the next prompt.
    enum Manner { case onePrompt, messages }

    private let handle: OpaquePointer
    private let manner: Manner
    /// The style of messages. Under PAM_SILENT a program reads what the application prints, as with `sudo
    /// -S`: then they go to the standard error.
    private let style: CInt
    /// Whether nothing more is said.
    var isMuted = false
    /// Text that waits for the next prompt.
    private var held: [UInt8] = []
    /// How a session is drawn; nil before the settings are read.
    var rendering: SessionRendering?
    /// The wid of the session that is already on the screen: its next prompt comes without the QR code.
    private var shownSession: [UInt8] = []
    /// When a prompt at this host ends; nil: the application ends it, as sshd does.
    var deadline: Deadline?
    /// 2 s after the last answer came: in remote services no refusal is sent earlier.
    private var floor: Deadline?

    init(_ handle: borrowing Handle, _ manner: Manner, isSilent: Bool) {
        unsafe self.handle = handle.pointer
        self.manner = manner
        style = isSilent ? PAM_ERROR_MSG : PAM_TEXT_INFO
    }

    mutating func ask(_ prompt: Prompt) throws(ConversationError) -> Secret {
        let text = held + (try words(of: prompt))
        held = []
        var answer: UnsafeMutablePointer<CChar>?
        var alarm = unsafe mpin_alarm()
        if let deadline { unsafe mpin_alarm_start(&alarm, deadline.remaining) }
        let result = unsafe mpin_pam_prompt(handle, PAM_PROMPT_ECHO_OFF, text + [0], &answer)
        unsafe mpin_alarm_end(&alarm)
        floor = Deadline(milliseconds: 2_000)
        // misc_conv(3) returns success without an answer at the end of its input.
        guard result == PAM_SUCCESS, let answer = unsafe answer else { throw .failed }
        let count = unsafe strlen(answer)
        defer {
            unsafe explicit_bzero(answer, count)
            unsafe free(answer)
        }
        do {
            return try unsafe Secret(
                copying: RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: answer, count: count)))
        } catch { throw .failed }
    }

    private mutating func words(of prompt: Prompt) throws(ConversationError) -> [UInt8] {
        let fromAfar = manner == .onePrompt
        switch prompt {
        case .pin(let label):
            if let words = rendering?.settings.pinPrompt {
                return Sentence.own(words, label: label, fromAfar: fromAfar).octets
            }
            return (fromAfar && label == nil ? Sentence.askPINFromAfar : .askPIN(label: label)).octets
        case .otp:
            if let words = rendering?.settings.codePrompt {
                return Sentence.own(words, label: nil, fromAfar: fromAfar).octets
            }
            return Sentence.phone(fromAfar ? .askOTPFromAfar : .askOTP).octets
        case .backupCode:
            return Sentence.backup(fromAfar ? .askFromAfar : .ask).octets
        case .phone(let phone):
            guard let screen = rendering?.screen(of: phone) else { throw .failed }
            let isNew = shownSession != phone.wid || phone.secondsLeft < 1
            shownSession = phone.wid
            switch manner {
            case .onePrompt: return isNew ? screen.wholePrompt : ascii("\n") + screen.prompt
            case .messages:
                if isNew { send(screen.info) }
                return screen.prompt
            }
        }
    }

    mutating func tell(_ notice: Notice) throws(ConversationError) {
        switch notice {
        case .wrongPIN(let triesLeft): say(.wrongPIN(triesLeft: triesLeft.map { Int($0) }))
        case .noPIN: say(.noPIN)
        case .noCode: say(.phone(.noCode))
        case .wrongCode: say(.phone(.wrongCode))
        case .codesUsedUp: say(.phone(.codesUsedUp))
        case .wrongOTP: say(.phone(.wrongOTP))
        case .noOTP: say(.phone(.noOTP))
        case .wrongBackupCode: say(.backup(.wrong))
        case .noBackupCode: say(.backup(.none))
        case .unreachable: say(.backup(.instead))
        case .notApproved: say(.phone(.notApproved))
        case .refused:
            waitForFloor()
            say(.refused)
        }
    }

    /// Shows a message. Whether the application shows it does not change the outcome.
    mutating func say(_ sentence: Sentence) {
        if isMuted { return }
        switch manner {
        case .onePrompt: held += ascii("\n") + sentence.octets
        case .messages: send(sentence.octets)
        }
    }

    /// Sends the messages that still wait for a prompt, because no prompt follows.
    mutating func flush() {
        guard !held.isEmpty else { return }
        send([UInt8](held.drop { $0 == UInt8(ascii: "\n") }))
        held = []
    }

    private func send(_ text: [UInt8]) {
        _ = unsafe mpin_pam_prompt(handle, style, text + [0], nil)
    }

    /// Waits until `floor`, so that the time of a refusal does not reveal its reason.
    func waitForFloor() {
        guard let floor else { return }
        while !floor.isOver { _ = poll(nil, 0, floor.remaining) }
    }
}
