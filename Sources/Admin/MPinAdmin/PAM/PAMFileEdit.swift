// SPDX-License-Identifier: Apache-2.0
// Adds the rule of `mpin setup` to a file of /etc/pam.d, and removes it again without a trace.

/// The role of the PIN beside the Unix password.
package enum Factor: String, CaseIterable, Sendable {
    case only, first, second

    /// The control of pam_mpin.so.
    var control: String {
        switch self {
        case .only: "[success=done ignore=ignore default=die]"
        case .first: "[success=done default=ignore]"
        case .second: "[success=ok ignore=ignore default=bad]"
        }
    }

    /// The comment that explains the rule in the file.
    var comment: String {
        switch self {
        case .only:
            "M-Pin alone. People without a PIN here (unenrolled = ignore) are asked for the password."
        case .first: "M-Pin is enough. People whom it refuses, even if blocked, are asked for the password."
        case .second: "M-Pin first, then the password: both are needed."
        }
    }

    /// The lines that setup writes into the stack of a service, with the marks. The argument tells the
    /// module, in services that include this stack too, whose section of mpin.conf holds.
    func block(for service: String) -> String {
        "\(Mark.begin)\n# \(comment)\n\(rule(" section=\(service)"))"
    }

    /// The lines after the comment, which another version may have worded differently.
    fileprivate func rule(_ arguments: String) -> String {
        "auth \(control) \(pamModule)\(arguments)\n\(Mark.end)\n"
    }
}

/// The marks between which `mpin setup` writes. The package's prerm knows them too.
enum Mark {
    static let begin = "# mpin setup: begin"
    static let end = "# mpin setup: end"
}

extension PAMFile {
    /// The factor that setup has written here; nil if there is none, or it was changed by hand.
    var factor: Factor? {
        guard let begin = text.firstRange(of: Array("\(Mark.begin)\n# ".utf8)),
            let end = text[begin.upperBound...].firstIndex(of: 0x0a)
        else { return nil }
        // Earlier versions wrote no argument.
        return Factor.allCases.first { factor in
            ["", " section=\(name)"].contains { text[(end + 1)...].starts(with: factor.rule($0).utf8) }
        }
    }

    /// The text without setup's lines, even if its rule was changed since; nil if there are none. What others
    /// wrote between the marks stays.
    func withoutSetup() throws(PAMError) -> [UInt8]? {
        try PAMFile.withoutSetup(text, in: name)
    }

    /// The same for a text that libpam need not accept.
    static func withoutSetup(_ text: [UInt8], in name: String) throws(PAMError) -> [UInt8]? {
        try SetupBlock(text, in: name)?.rest
    }

    /// The text with the rule before the first statement that asks the user for something.
    ///
    /// - Parameter read: as for `PAMStack`; the included files decide where the rule can stand.
    func with(
        _ factor: Factor, read: (String) throws(PAMError) -> [UInt8]
    ) throws(PAMError) -> [UInt8] {
        let plain = try withoutSetup() ?? text
        let file = plain == text ? self : try PAMFile(name, text: plain)
        let asks = try file.firstThatAsks { wanted throws(PAMError) in
            wanted == name ? plain : try read(wanted)
        }
        return Array(plain[..<asks.start] + Array(factor.block(for: name).utf8) + plain[asks.start...])
    }

    /// The text with the rule, for a login by which root proves it: without the rules that let root in
    /// without a question (pam_rootok), because after them no PIN would be asked for.
    func proving(
        _ factor: Factor, read: (String) throws(PAMError) -> [UInt8]
    ) throws(PAMError) -> [UInt8] {
        let file = try PAMFile(name, text: try with(factor, read: read))
        var text = file.text
        for statement in file.statements.reversed() {
            guard case .rule(let rule) = statement.content, rule.type == .auth, rule.isQuiet,
                rule.control.action(for: "success") == .done
            else { continue }
            text.replaceSubrange(statement.start..<statement.end, with: [])
        }
        return text
    }

    private func firstThatAsks(
        read: (String) throws(PAMError) -> [UInt8]
    ) throws(PAMError) -> PAMStatement {
        let stack = try PAMStack(included: name, read: read)
        if let there = stack.rules.first(where: { $0.rule.calls(pamModule) }) {
            throw PAMError(
                file: there.file, line: there.line,
                "pam_mpin.so is here already, but mpin setup did not add it. Take the line out (or run "
                    + "'sudo pam-auth-update --remove mpin mpin-first'), or leave the stack as it is.")
        }
        for statement in statements where statement.concernsAuth {
            let included: String
            var isSubstack = false
            switch statement.content {
            case .rule(let rule):
                guard rule.isQuiet else { return statement }
                guard !rule.counts else { throw PAMError.jumps(name, line: statement.line) }
                continue
            case .includeAll(let name): included = name
            case .include(_, let name, let substack):
                included = name
                isSubstack = substack
            }
            let rules = try PAMStack(included: included, read: read).rules
            let head = rules.prefix { $0.rule.isQuiet }
            // Debian's su-l has only `include su`: a rule before it would ask root too.
            guard !head.contains(where: { $0.rule.control.action(for: "success") == .done }) else {
                throw PAMError(
                    file: name, line: statement.line,
                    "it includes '\(shown(included))'. Use --service \(shown(included)).")
            }
            if head.count < rules.count { return statement }
            // A jump in an included file can reach into this one; a jump in a substack cannot.
            let jump = rules.first { $0.level == 0 && $0.rule.counts }
            if !isSubstack, let jump { throw PAMError.jumps(jump.file, line: jump.line) }
        }
        throw PAMError(file: name, "no rule here asks for a password, so there is no place for a PIN.")
    }
}

extension PAMRule {
    /// Modules that ask the user nothing, and stand before the module that does. pam_deny and pam_permit are
    /// not among them: after them a PIN would come too late.
    private static let quiet: Set<String> = [
        "pam_access.so", "pam_echo.so", "pam_env.so", "pam_faildelay.so", "pam_group.so", "pam_issue.so",
        "pam_keyinit.so", "pam_lastlog.so", "pam_limits.so", "pam_listfile.so", "pam_localuser.so",
        "pam_loginuid.so", "pam_motd.so", "pam_nologin.so", "pam_rootok.so", "pam_securetty.so",
        "pam_selinux.so", "pam_shells.so", "pam_succeed_if.so", "pam_time.so", "pam_tty_audit.so",
        "pam_usertype.so", "pam_warn.so", "pam_wheel.so",
    ]

    /// Whether the rule decides without a question.
    var isQuiet: Bool {
        Self.quiet.contains(moduleName) || moduleName == "pam_faillock.so" && arguments.contains("preauth")
    }
}
