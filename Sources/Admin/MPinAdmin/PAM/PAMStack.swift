// SPDX-License-Identifier: Apache-2.0
// The auth rules of a PAM service, with all includes resolved, and the position of a module among them.

/// The auth rules of a PAM service.
struct PAMStack: Sendable {
    /// A rule, and the file that it is in.
    struct Entry: Equatable, Sendable {
        let file: String
        let line: Int
        let rule: PAMRule
        /// The number of substacks around it.
        let level: Int
    }

    /// The position of a module among the rules.
    struct ModulePosition: Equatable, Sendable {
        let entry: Entry
        let before: [Entry]
        /// The rules before it that can prevent its call: `sufficient`, `success=done`, and jumps over it.
        let bypasses: [Entry]
        let after: [Entry]
        /// The rules after it that a login which it grants skips, although they may refuse a user who knows
        /// the password: a second factor, a group, an address.
        let skipped: [Entry]
        /// How logins that reach it can end without it, and with it if it lets the user in.
        let without: Set<StackResult>
        let granted: Set<StackResult>
    }

    let service: String
    /// Whether the rules are those of `other`.
    private(set) var isOfOther = false
    private(set) var items: [Item] = []

    struct Item {
        let level: Int
        /// nil: a substack begins here.
        let entry: Entry?
    }

    /// The stack of a service, as libpam builds it: a service without a file, or without auth rules, has the
    /// rules of `other`.
    /// - Parameters:
    ///   - file: returns the name of a service's file.
    ///   - read: returns the text of a file, given by its name in the folder or by its full path.
    init(
        service: String, file: (String) -> String = { $0 }, read: (String) throws(PAMError) -> [UInt8]
    ) throws(PAMError) {
        self.service = service
        var missing: PAMError?
        do { items = try PAMStack(included: file(service), read: read).items } catch {
            guard error.isMissingFile else { throw error }
            missing = error
        }
        guard items.isEmpty else { return }
        do { items = try PAMStack(included: file(PAMStack.other), read: read).items } catch {
            guard error.isMissingFile else { throw error }
            if let missing { throw missing }
        }
        isOfOther = !items.isEmpty && service != PAMStack.other
    }

    /// The auth rules of a file that others include.
    init(included name: String, read: (String) throws(PAMError) -> [UInt8]) throws(PAMError) {
        service = name
        try add(PAMFile(name, text: read(name)), open: [name], level: 0, read: read)
    }

    /// The service whose rules stand in for those that are missing.
    static let other = "other"

    /// The rules, in the order in which they run.
    var rules: [Entry] { items.compactMap(\.entry) }

    /// All positions of a module.
    func places(of module: String = pamModule) -> [ModulePosition] {
        items.indices.compactMap { index in
            guard let entry = items[index].entry, entry.rule.calls(module) else { return nil }
            let before = items[..<index]
            return ModulePosition(
                entry: entry, before: before.compactMap(\.entry),
                bypasses: before.indices.compactMap { passes($0, over: index) ? items[$0].entry : nil },
                after: items[(index + 1)...].compactMap(\.entry), skipped: skipped(behind: index),
                without: results(past: index, answering: "ignore"),
                granted: results(past: index, answering: "success"))
        }
    }

    private mutating func add(
        _ file: PAMFile, open: [String], level: Int, read: (String) throws(PAMError) -> [UInt8]
    ) throws(PAMError) {
        for statement in file.statements where statement.concernsAuth {
            let name: String
            var inner = level
            switch statement.content {
            case .rule(let rule):
                let entry = Entry(file: file.name, line: statement.line, rule: rule, level: level)
                items.append(Item(level: level, entry: entry))
                continue
            case .includeAll(let included), .include(_, let included, isSubstack: false): name = included
            case .include(_, let included, isSubstack: true):
                name = included
                items.append(Item(level: level, entry: nil))
                inner += 1
            }
            // Nine files of sixteen lines could include each other 2^36 times, so the rules are limited too.
            guard !open.contains(name), open.count < 16, items.count < 4_096 else {
                throw PAMError(
                    file: file.name, line: statement.line, "the file includes itself, or too many others.")
            }
            let included: PAMFile
            do { included = try PAMFile(name, text: read(name)) } catch {
                guard error.reason == .missing else { throw error }
                throw PAMError.missing(file.name, line: statement.line)
            }
            try add(included, open: open + [name], level: inner, read: read)
        }
    }

    /// Whether some answer of one rule's module means that a later rule is skipped.
    private func passes(_ index: Int, over target: Int) -> Bool {
        guard let control = items[index].entry?.rule.control else { return false }
        let letsIn = ["success", "new_authtok_reqd"].map(control.action).filter { $0 == .done }
        return (letsIn + control.all.filter(\.isJump)).contains { reach($0, from: index) >= target }
    }

    /// The last item that an action skips. As in libpam, `done` and `die` end the substack that they are in,
    /// and a jump counts a substack as one rule.
    private func reach(_ action: PAMAction, from index: Int) -> Int { skip(action, from: index).last }

    /// The same, and whether there were fewer rules than a jump counts: then libpam lets nobody in.
    func skip(_ action: PAMAction, from index: Int) -> (last: Int, isTooFar: Bool) {
        let level = items[index].level
        let end = items[index...].firstIndex { $0.level < level } ?? items.endIndex
        if action == .done || action == .die { return (end - 1, false) }
        guard case .jump(var count) = action else { return (index, false) }
        var landing = index
        while landing + 1 < end, count > 0 {
            repeat { landing += 1 } while landing + 1 < end && items[landing + 1].level > level
            count -= 1
        }
        return (landing, count > 0)
    }

    private func skipped(behind index: Int) -> [Entry] {
        guard let control = items[index].entry?.rule.control else { return [] }
        let last = reach(control.action(for: "success"), from: index)
        return items.indices[(index + 1)...].prefix { $0 <= last }.compactMap { later in
            guard let entry = items[later].entry else { return nil }
            let rule = entry.rule
            let isUsual = rule.isOfPassword || rule.control.isWithoutEffect || isInsteadOfPassword(later)
            return isUsual || rule.calls(pamModule) ? nil : entry
        }
    }

    /// Whether a rule never refuses, and users whom it lets in need no password: a fingerprint, for instance.
    private func isInsteadOfPassword(_ index: Int) -> Bool {
        guard let control = items[index].entry?.rule.control, !control.mayRefuse else { return false }
        let last = reach(control.action(for: "success"), from: index)
        return items[index...last].dropFirst().contains { $0.entry?.rule.asksPassword ?? false }
    }
}

extension PAMError {
    /// Whether the file of a service is missing, and not one that it includes.
    fileprivate var isMissingFile: Bool { reason == .missing && line == 0 }
}

extension PAMRule {
    /// Whether the rule skips a number of others.
    var counts: Bool { control.all.contains(where: \.isJump) }
}

extension PAMAction {
    var isJump: Bool {
        if case .jump = self { true } else { false }
    }
}

extension PAMControl {
    private var outcomes: [PAMAction] { all + [action(for: "default")] }

    fileprivate var mayRefuse: Bool {
        // A jump on failure may lead to pam_deny.so.
        outcomes.contains { $0 == .bad || $0 == .die || $0 == .reset } || action(for: "auth_err").isJump
    }

    /// Whether the rule has no effect, whatever its module answers.
    fileprivate var isWithoutEffect: Bool { outcomes.allSatisfy { $0 == .ok || $0 == .ignore } }
}

extension PAMRule {
    private static let password: Set<String> = [
        "pam_unix.so", "pam_sss.so", "pam_ldap.so", "pam_krb5.so", "pam_winbind.so",
    ]
    /// Modules that stand beside those in Debian's stacks, or never refuse.
    private static let besidePassword: Set<String> = [
        "pam_deny.so", "pam_permit.so", "pam_cap.so", "pam_group.so", "pam_env.so", "pam_faildelay.so",
    ]

    /// The module without its folder.
    var moduleName: String { module.split(separator: "/").last.map(String.init) ?? module }

    fileprivate var asksPassword: Bool { Self.password.contains(moduleName) }

    fileprivate var isOfPassword: Bool {
        // Without `preauth`, pam_faillock only counts wrong passwords; with it, it refuses after too many.
        asksPassword || Self.besidePassword.contains(moduleName)
            || moduleName == "pam_faillock.so" && !arguments.contains("preauth")
    }
}

/// The file name of the module in a stack.
let pamModule = "pam_mpin.so"
