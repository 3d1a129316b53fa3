// SPDX-License-Identifier: Apache-2.0
// The dialogue of a command with the user who runs it: secrets, questions, and lines of progress.
import Secrets

/// The dialogue of one command with the user who runs it.
package struct Dialogue {
    /// The file descriptors that the command line names for secrets; nil: the terminal.
    private let (pinDescriptor, newPINDescriptor, codeDescriptor): (Int32?, Int32?, Int32?)
    private let showsProgress: Bool
    private let respondent: any Respondent

    /// A dialogue that reads secrets from the given descriptors, and asks `respondent` for the others.
    /// `showsProgress`: whether to show a line when a slow step begins.
    package init(
        pin: Int32? = nil, newPIN: Int32? = nil, code: Int32? = nil, showsProgress: Bool = false,
        with respondent: any Respondent = TerminalRespondent()
    ) {
        (pinDescriptor, newPINDescriptor, codeDescriptor) = (pin, newPIN, code)
        self.showsProgress = showsProgress
        self.respondent = respondent
    }

    /// Whether a code comes from a descriptor.
    var hasCode: Bool { codeDescriptor != nil }
    /// Whether there is a terminal on which to ask.
    var isAtTerminal: Bool { respondent.isAtTerminal }

    var pin: SecretInput {
        SecretInput(name: "PIN", option: "--pin-fd", descriptor: pinDescriptor, respondent: respondent)
    }
    var newPIN: SecretInput {
        SecretInput(
            name: "new PIN", option: "--new-pin-fd", descriptor: newPINDescriptor, respondent: respondent)
    }
    /// The Unix password; a program writes it to the PIN's descriptor, after the PIN.
    var password: SecretInput {
        SecretInput(name: "password", option: "--pin-fd", descriptor: pinDescriptor, respondent: respondent)
    }

    func code(_ name: String) -> SecretInput {
        SecretInput(name: name, option: "--code-fd", descriptor: codeDescriptor, respondent: respondent)
    }

    /// Shows a line to the user.
    func tell(_ line: String) { respondent.show(line) }

    /// Shows that a slow step begins, if progress is shown.
    func progress(_ line: String) { if showsProgress { tell(line) } }

    /// The answer to a question whose answer is not secret; it is echoed.
    /// - Parameter otherwise: a sentence that says how to give the answer without a terminal.
    func ask(_ prompt: String, otherwise: String) throws(Failure) -> [UInt8] {
        let asked = SecretInput(name: "line", option: "", descriptor: nil, respondent: respondent)
        do throws(LineError) {
            if let answer = try respondent.answer(prompt, isHidden: false) { return octets(of: answer) }
        } catch { throw asked.failure(error) }
        throw Failure(.settings, "There is no terminal to ask on. \(otherwise)")
    }
}

/// A secret to ask for, and the option that gives it without a terminal.
struct SecretInput {
    let name: String
    let option: String
    let descriptor: Int32?
    let respondent: any Respondent
    /// Whether the user types the secret. At a terminal they may try again; a descriptor gives one answer.
    var isTyped: Bool { descriptor == nil }

    /// Asks once, or reads a line from the descriptor.
    func answer(_ prompt: String) throws(Failure) -> Secret {
        do throws(LineError) {
            if let descriptor { return try readLine(from: descriptor) }
            if let answer = try respondent.answer(prompt, isHidden: true) { return answer }
        } catch { throw failure(error) }
        throw Failure(
            .settings, "There is no terminal to ask for the \(name) on. Name a descriptor: \(option) N.")
    }

    /// Asks until `accept` takes the answer. If it refuses one that was typed, the user reads why and types
    /// another.
    func answer<Value: ~Copyable>(
        _ prompt: String, accept: (consuming Secret) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        while true {
            do { return try accept(answer(prompt)) } catch {
                guard isTyped, error.kind == .refused else { throw error }
                respondent.show(error.sentence)
            }
        }
    }

    func failure(_ error: LineError) -> Failure {
        switch error {
        case .ended where isTyped, .interrupted: .cancelled
        case .ended: Failure(.settings, "\(option) \(descriptor ?? 0): there is no \(name) on it.")
        case .tooLong: Failure(.refused, "That is too long for a \(name).")
        case .failed where isTyped: Failure(.broken, "The terminal cannot be read.")
        case .failed: Failure(.settings, "\(option) \(descriptor ?? 0): the descriptor cannot be read.")
        case .outOfMemory: .outOfMemory
        }
    }
}
