// SPDX-License-Identifier: Apache-2.0
// How a command talks with whoever runs it: where PINs and codes come from, what is asked, what is told.

/// The talk of one command with whoever runs it.
package struct Dialogue {
    /// Descriptors that were named for secrets; nil: the terminal.
    private let (pinDescriptor, newPINDescriptor, codeDescriptor): (Int32?, Int32?, Int32?)
    private let showsProgress: Bool
    private let respondent: any Respondent

    /// A dialogue that reads secrets from the descriptors that were named, and asks for the others.
    /// `showsProgress` is whether steps are told as they come.
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
    /// Whether somebody is there to be asked.
    var isAtTerminal: Bool { respondent.isAtTerminal }

    var pin: SecretInput {
        SecretInput(name: "PIN", option: "--pin-fd", descriptor: pinDescriptor, respondent: respondent)
    }
    var newPIN: SecretInput {
        SecretInput(
            name: "new PIN", option: "--new-pin-fd", descriptor: newPINDescriptor, respondent: respondent)
    }
    /// The Unix password, which a program gives after the PIN.
    var password: SecretInput {
        SecretInput(name: "password", option: "--pin-fd", descriptor: pinDescriptor, respondent: respondent)
    }

    func code(_ name: String) -> SecretInput {
        SecretInput(name: name, option: "--code-fd", descriptor: codeDescriptor, respondent: respondent)
    }

    func tell(_ line: String) { respondent.hear(line) }

    /// Tells what takes its time, unless a program listens.
    func progress(_ line: String) { if showsProgress { tell(line) } }

    /// The answer to a question about what is no secret, typed where it shows.
    /// - Parameter otherwise: how it is given where there is no terminal.
    func ask(_ prompt: String, otherwise: String) throws(Failure) -> [UInt8] {
        let asked = SecretInput(name: "line", option: "", descriptor: nil, respondent: respondent)
        do throws(LineError) {
            if let answer = try respondent.answer(prompt, isHidden: false) { return octets(of: answer) }
        } catch { throw asked.failure(error) }
        throw Failure(.settings, "There is no terminal to ask on. \(otherwise)")
    }
}
