// SPDX-License-Identifier: Apache-2.0
// What libpam makes of a stack, for every answer that its modules can give.

/// The result so far, as libpam keeps it while it runs the rules. At the end, only `success` lets a user in.
enum StackResult: Hashable, Sendable {
    /// No rule counted yet.
    case none
    case success
    /// An answer counts that is neither success nor a refusal.
    case other
    case refusal
}

extension PAMStack {
    /// The results of the logins that reach the rule at `index`, if the module gives this answer there, and
    /// no other rule of M-Pin counts.
    func results(past index: Int, answering answer: String) -> Set<StackResult> {
        var waiting: [Int: Set<RunState>] = [0: [RunState()]]
        for here in items.indices {
            for state in waiting.removeValue(forKey: here) ?? [] {
                let steps = steps(from: here, state, answering: here == index ? answer : nil)
                for (next, state) in steps where here >= index || next <= index {
                    waiting[next, default: []].insert(state)
                }
            }
        }
        return Set((waiting[items.endIndex] ?? []).map(\.result))
    }

    /// What one rule can lead to: the next item, and the state there.
    /// - Parameter answer: the only answer of its module; nil: every one that it can give.
    private func steps(
        from index: Int, _ state: RunState, answering answer: String?
    ) -> [(next: Int, state: RunState)] {
        let level = items[index].level
        var state = state
        state.entered.removeLast(max(0, state.entered.count - level - 1))
        guard let rule = items[index].entry?.rule else {
            state.entered.append(state.result)
            return [(index + 1, state)]
        }
        let outcomes = Set((answer.map { [$0] } ?? rule.answers).map { PAMOutcome($0, of: rule) })
        return outcomes.map { outcome in
            var after = state
            let (last, isTooFar) = skip(after.take(outcome, level: level), from: index)
            if isTooFar { after.result = .refusal }
            return (last + 1, after)
        }
    }
}

/// The result at one rule, and that at the entry of each substack around it.
private struct RunState: Hashable {
    var result = StackResult.none
    var entered = [StackResult.none]

    /// Takes an outcome into the result. Returns the action that skips rules, or `ignore`.
    mutating func take(_ outcome: PAMOutcome, level: Int) -> PAMAction {
        switch outcome.action {
        case .ignore, .jump: return outcome.action
        case .reset: result = level < entered.count ? entered[level] : .none
        case .bad: result = .refusal
        case .die:
            result = .refusal
            return .die
        case .ok, .done:
            // Only the first answer counts, and success gives way to another one.
            if result == .none || result == .success { result = outcome.isSuccess ? .success : .other }
            if outcome.action == .done, result != .refusal { return .done }
        }
        return .ignore
    }
}

/// An action, and whether the module's answer was success.
private struct PAMOutcome: Hashable {
    let action: PAMAction
    let isSuccess: Bool

    init(_ answer: String, of rule: PAMRule) {
        action = rule.control.action(for: answer)
        isSuccess = answer == "success"
    }
}

extension PAMRule {
    /// The answers that the module can give. M-Pin's count nowhere: as if it passed every user over.
    fileprivate var answers: Set<String> {
        switch moduleName {
        case pamModule: ["ignore"]
        case "pam_deny.so": ["auth_err"]
        case "pam_permit.so": ["success"]
        case "pam_unix.so": PAMControl.answers.subtracting(["ignore"])
        default: PAMControl.answers
        }
    }
}
