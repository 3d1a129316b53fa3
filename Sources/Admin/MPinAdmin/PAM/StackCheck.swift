// SPDX-License-Identifier: Apache-2.0
// Checks where the module stands in a PAM stack, and whether other rules can bypass or overrule it.

/// The check of one service's stack. Services that include the same lines have the same findings.
struct StackCheck {
    let service: String
    let places: [PAMStack.ModulePosition]

    init(_ stack: PAMStack) {
        service = stack.service
        places = stack.places()
    }

    /// Whether the stack asks M-Pin.
    var asks: Bool { !places.isEmpty }

    /// Whether a user whom M-Pin refuses can get in by a rule before or after it.
    var hasOtherWay: Bool {
        places.allSatisfy { place in
            !place.isStrict || place.bypasses.contains { !$0.rule.isQuiet }
        }
    }

    /// Whether every user whom M-Pin refuses is asked for something else, or M-Pin is not asked.
    var passesRefused: Bool {
        places.allSatisfy { !$0.isStrict && !($0.next?.refusesEverybody ?? true) }
    }

    /// Whether users whom M-Pin lets in are asked for something else as well.
    var asksTheGranted: Bool {
        places.contains { place in
            place.entry.rule.control.action(for: "success") == .ok
                && place.next.map { !$0.letsEverybodyIn } ?? false
        }
    }

    /// Whether a user for whom the module answers PAM_IGNORE is asked for something else.
    var asksTheIgnored: Bool {
        places.allSatisfy { place in
            place.entry.rule.control.action(for: "ignore") == .ignore
                && place.next.map { !$0.letsEverybodyIn && !$0.refusesEverybody } ?? false
        }
    }

    /// Whether nothing may ask a user for whom the module answers PAM_IGNORE: pam_permit.so follows, or no
    /// rule does, so that one before decides.
    var letsInTheIgnored: Bool {
        places.contains { place in
            place.entry.rule.control.action(for: "ignore") == .ignore && place.next?.letsEverybodyIn ?? true
        }
    }

    /// The findings about this stack.
    /// - Parameters:
    ///   - installed: the path of the installed module.
    ///   - ignores: whether the settings of this service let the module answer PAM_IGNORE.
    func findings(installed: String, ignores: Bool) -> [Finding] {
        places.flatMap { place in
            [
                place.moduleFinding(installed), place.denyFinding, place.controlFinding,
                place.awayFinding, place.bypassFinding, place.skipFinding,
                ignores ? place.ignoreFinding : nil,
            ].compactMap(\.self)
        }
    }

    /// The finding for a file that libpam refuses.
    static func finding(_ error: PAMError) -> Finding {
        let line = error.line > 0 ? ":\(error.line)" : ""
        let message = "\(stackPath(error.file))\(line): \(error.sentence)"
        return error.reason == .lineTooLong
            ? Finding(
                problem: "stack-line-too-long", message,
                "Nobody gets in. Move arguments of the module to mpin.conf.")
            : Finding(
                problem: "stack-wrong", message, "Correct it: libpam may let nobody in by this service.")
    }
}

extension PAMStack.Entry {
    /// File and line, for a sentence.
    var place: String { "\(stackPath(file)):\(line)" }
}

/// The path of a file of a stack, for a sentence.
private func stackPath(_ file: String) -> String { file.hasPrefix("/") ? file : "/etc/pam.d/\(file)" }

extension PAMStack.ModulePosition {
    private var control: PAMControl { entry.rule.control }

    /// Whether the rule lets in users who reach it, although nobody who does could get in without it.
    var opensWhatIsClosed: Bool { granted.contains(.success) && !without.contains(.success) }

    /// Whether nobody who reaches the rule gets in, with it or without it.
    var isClosed: Bool { !without.contains(.success) }

    /// Whether the rule lets in users whom no later rule lets in, because none of these refuses them.
    var isEnoughAlone: Bool {
        control.action(for: "success") == .ok && without.contains(.none) && granted.contains(.success)
    }

    /// Whether a refusal by M-Pin makes the whole stack refuse.
    fileprivate var isStrict: Bool {
        switch control.action(for: "auth_err") {
        case .bad, .die: true
        case .ignore, .ok, .done, .reset, .jump: false
        }
    }

    fileprivate func moduleFinding(_ installed: String) -> Finding? {
        guard entry.rule.module.hasPrefix("/"), entry.rule.module != installed else { return nil }
        return Finding(
            problem: "stack-other-module", "\(entry.place) names \(entry.rule.module), not \(installed).",
            "Write 'pam_mpin.so' without a path.")
    }

    /// The first rule after this one that asks, lets in or refuses.
    fileprivate var next: PAMRule? { after.first { !$0.rule.isQuiet }?.rule }

    fileprivate var controlFinding: Finding? {
        guard !isStrict else { return nil }
        let advice = "Write 'required', or one of the controls of pam_mpin(8)."
        switch control.action(for: "success") {
        case .done, .jump: break
        case .ignore, .ok, .bad, .die, .reset:
            return Finding(
                problem: "stack-optional",
                "\(entry.place): with '\(control.text)' the login goes on although M-Pin refused.", advice)
        }
        guard control.action(for: "auth_err") == .ignore, let next, !next.letsEverybodyIn else {
            return Finding(
                problem: "stack-optional",
                "\(entry.place): with '\(control.text)' the login goes on although M-Pin refused; nothing "
                    + "after it asks.",
                advice)
        }
        guard !next.refusesEverybody else { return nil }
        return Finding(
            note: "first-factor",
            "\(entry.place): users whom M-Pin refuses, even if blocked, are asked for the password.")
    }

    /// M-Pin's refusal is final here, but not if its server is away.
    fileprivate var awayFinding: Finding? {
        guard isStrict else { return nil }
        switch control.action(for: "authinfo_unavail") {
        case .bad, .die: return nil
        case .ignore, .ok, .done, .reset, .jump: break
        }
        return Finding(
            warning: "fails-open",
            "\(entry.place): with '\(control.text)' the login goes on without M-Pin while the server is "
                + "away, and any account of this host can bring that about.",
            "Take 'authinfo_unavail' out of the control, unless you want this.")
    }

    fileprivate var bypassFinding: Finding? {
        guard isStrict, let bypass = bypasses.first(where: { !$0.rule.isQuiet }) else { return nil }
        return Finding(
            problem: "stack-bypassed",
            "\(bypass.place): users whom \(bypass.rule.module) lets in are not asked by M-Pin at "
                + "\(entry.place).",
            "Write 'required' in place of '\(bypass.rule.control.text)', or put M-Pin before it.")
    }

    fileprivate var skipFinding: Finding? {
        guard let first = skipped.first else { return nil }
        let modules = skipped.map { "\($0.rule.module) (\($0.place))" }.joined(separator: ", ")
        return Finding(
            warning: "stack-skipped", "\(entry.place): users whom M-Pin lets in skip \(modules).",
            "Put '\(first.rule.module)' before M-Pin, or let M-Pin be the second factor "
                + "('sudo mpin setup --factor second').")
    }

    fileprivate var denyFinding: Finding? {
        guard let index = before.firstIndex(where: { $0.rule.refusesEverybody }) else { return nil }
        let isPassedOver = before[..<index].contains { earlier in
            earlier.rule.control.all.contains { action in
                if case .jump = action { true } else { action == .done }
            }
        }
        guard !isPassedOver else { return nil }
        return Finding(
            problem: "stack-after-deny",
            "\(entry.place) comes after \(before[index].place), which refuses everybody.",
            "Put the line of pam_mpin.so before that of pam_deny.so.")
    }

    fileprivate var ignoreFinding: Finding? {
        let action = control.action(for: "ignore")
        guard action == .bad || action == .die else { return nil }
        return Finding(
            note: "stack-denies-ignored",
            "\(entry.place): '\(control.text)' refuses users whom M-Pin does not ask because of "
                + "'unenrolled = ignore' or an exemption.",
            "Add 'ignore=ignore' to the control if you want to let them pass.")
    }
}

extension PAMRule {
    fileprivate var letsEverybodyIn: Bool { moduleName == "pam_permit.so" }
    fileprivate var refusesEverybody: Bool { moduleName == "pam_deny.so" }
}
