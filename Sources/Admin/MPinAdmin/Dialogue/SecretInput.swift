// SPDX-License-Identifier: Apache-2.0
// The source of a PIN or code: a named descriptor, else the terminal.
import Secrets

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
