// SPDX-License-Identifier: Apache-2.0
// Where PINs and codes come from: a descriptor that was named, else the terminal.
import ArgumentParser
import CPlatform
import Secrets

struct PINOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the PIN from this descriptor: one line.", valueName: "n"))
    var pinFd: Int32?
}

struct CodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read the code from this descriptor: one line, after the PIN's.", valueName: "n"))
    var codeFd: Int32?
}

/// What is asked for, and how it can be given without a terminal.
struct SecretInput {
    let name: String
    let option: String
    let descriptor: Int32?
    /// Whoever sits at a terminal may try again; what a descriptor held is all there is.
    var isTyped: Bool { descriptor == nil }

    static func pin(_ options: PINOptions) -> SecretInput {
        SecretInput(name: "PIN", option: "--pin-fd", descriptor: options.pinFd)
    }

    static func code(_ name: String, _ options: CodeOptions) -> SecretInput {
        SecretInput(name: name, option: "--code-fd", descriptor: options.codeFd)
    }

    /// The answer to one question.
    func answer(_ prompt: String) throws(Failure) -> Secret {
        if let descriptor {
            do { return try readLine(from: descriptor) } catch { throw failure(error) }
        }
        guard let terminal = Terminal() else {
            throw Failure(
                .settings, "There is no terminal to ask for the \(name) on. Name a descriptor: \(option) N.")
        }
        do { return try terminal.askHidden(prompt) } catch { throw failure(error) }
    }

    /// The answer to a question about what is no secret, typed where it shows.
    /// - Parameter otherwise: how it is given where there is no terminal.
    static func openly(_ prompt: String, otherwise: String) throws(Failure) -> [UInt8] {
        guard let terminal = Terminal() else {
            throw Failure(.settings, "There is no terminal to ask on. \(otherwise)")
        }
        let asked = SecretInput(name: "line", option: "", descriptor: nil)
        do { return octets(of: try terminal.ask(prompt)) } catch { throw asked.failure(error) }
    }

    /// Asks until `accept` takes the answer; what it says against one is told to whoever types another.
    func answer<Value: ~Copyable>(
        _ prompt: String, accept: (consuming Secret) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        while true {
            do { return try accept(answer(prompt)) } catch {
                guard isTyped, error.trouble == .refused else { throw error }
                say(error.sentence)
            }
        }
    }

    private func failure(_ error: LineError) -> Failure {
        switch error {
        case .ended where isTyped, .interrupted: .cancelled
        case .ended: Failure(.settings, "\(option) \(descriptor ?? 0): no \(name) came.")
        case .tooLong: Failure(.refused, "That is too long for a \(name).")
        case .failed where isTyped: Failure(.broken, "The terminal cannot be read.")
        case .failed: Failure(.settings, "\(option) \(descriptor ?? 0): the descriptor cannot be read.")
        case .outOfMemory: .outOfMemory
        }
    }
}
