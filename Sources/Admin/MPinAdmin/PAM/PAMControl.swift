// SPDX-License-Identifier: Apache-2.0
// The control of a rule in /etc/pam.d: what libpam does after each answer of the module (pam.conf(5)).
import Octets

/// The action after a module's answer.
enum PAMAction: Hashable, Sendable {
    case ignore, ok, done, bad, die, reset
    /// Skips this number of rules.
    case jump(Int)

    init?(_ word: Substring) {
        switch word {
        case "ignore": self = .ignore
        case "ok": self = .ok
        case "done": self = .done
        case "bad": self = .bad
        case "die": self = .die
        case "reset": self = .reset
        default:
            guard let count = wholeNumber(Array(word.utf8), in: 1...Int(Int32.max)) else { return nil }
            self = .jump(count)
        }
    }
}

/// A control: a keyword such as `required`, or `[answer=action ...]`.
struct PAMControl: Equatable, Sendable {
    /// The control as the file has it, with its brackets.
    let text: String
    private let actions: [String: PAMAction]

    /// nil for a control that libpam does not know; with such a rule libpam lets every login fail.
    init?(_ text: String) {
        self.text = text
        switch text.lowercased() {
        case "required": actions = Self.keyword(success: .ok, otherwise: .bad, ignores: true)
        case "requisite": actions = Self.keyword(success: .ok, otherwise: .die, ignores: true)
        case "sufficient": actions = Self.keyword(success: .done, otherwise: .ignore, ignores: false)
        case "optional": actions = Self.keyword(success: .ok, otherwise: .ignore, ignores: false)
        default:
            guard let actions = Self.pairs(text) else { return nil }
            self.actions = actions
        }
    }

    /// The action after an answer, which is named as in libpam (`success`, `auth_err`).
    func action(for answer: String) -> PAMAction { actions[answer] ?? actions["default"] ?? .bad }

    /// All actions of the control, in no order.
    var all: [PAMAction] { Array(actions.values) }

    private static func keyword(
        success: PAMAction, otherwise: PAMAction, ignores: Bool
    ) -> [String: PAMAction] {
        var actions: [String: PAMAction] = [
            "success": success, "new_authtok_reqd": success, "default": otherwise,
        ]
        if ignores { actions["ignore"] = .ignore }
        return actions
    }

    private static func pairs(_ text: String) -> [String: PAMAction]? {
        guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
        // There may be blanks around `=`.
        let spaced = text.dropFirst().dropLast().replacing("=", with: " = ")
        let words = spaced.split { $0 == " " || $0 == "\t" }
        guard !words.isEmpty, words.count % 3 == 0 else { return nil }
        var actions: [String: PAMAction] = [:]
        for start in stride(from: 0, to: words.count, by: 3) {
            let answer = String(words[start])
            guard answers.contains(answer), words[start + 1] == "=", let action = PAMAction(words[start + 2])
            else { return nil }
            actions[answer] = action
        }
        return actions
    }

    /// The names of all answers.
    static let answers: Set<String> = [
        "success", "open_err", "symbol_err", "service_err", "system_err", "buf_err", "perm_denied",
        "auth_err", "cred_insufficient", "authinfo_unavail", "user_unknown", "maxtries", "new_authtok_reqd",
        "acct_expired", "session_err", "cred_unavail", "cred_expired", "cred_err", "no_module_data",
        "conv_err", "authtok_err", "authtok_recover_err", "authtok_lock_busy", "authtok_disable_aging",
        "try_again", "ignore", "abort", "authtok_expired", "module_unknown", "bad_item", "conv_again",
        "incomplete", "default",
    ]
}
