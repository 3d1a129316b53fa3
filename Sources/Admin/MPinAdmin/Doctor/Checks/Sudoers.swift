// SPDX-License-Identifier: Apache-2.0
// Finds rules of sudo that ask for another user's PIN, or for none. Reads the output of `cvtsudoers -f json`.
import FoundationEssentials
import MPinSystem

extension Check {
    static let sudo = Check("sudo", reads: "sudo's rules, by cvtsudoers", isForRoot: true) { run in
        guard run.asks("sudo") || run.asks("sudo-i"), fileFacts("/etc/sudoers")?.kind == .file else {
            return []
        }
        // Warnings come before the JSON in the same output.
        guard let end = ran("/usr/bin/cvtsudoers", ["-f", "json", "/etc/sudoers"]), end.status == 0,
            let sudoers = Sudoers(json: [UInt8](end.said.utf8.drop { $0 != 0x7b }))
        else {
            return [
                Finding(
                    warning: "sudo-unread", "sudo's rules cannot be read by 'cvtsudoers'.",
                    "Run 'sudo visudo -c', and correct them.")
            ]
        }
        return sudoers.findings
    }
}

/// The rules of sudo, as far as they concern the PIN.
struct Sudoers: Decodable, Sendable {
    private let defaults: [Group]
    private let rules: [UserRule]

    private enum CodingKeys: String, CodingKey {
        case defaults = "Defaults"
        case rules = "User_Specs"
    }

    fileprivate struct Group: Decodable {
        fileprivate let options: [[String: Value]]?
        private enum CodingKeys: String, CodingKey { case options = "Options" }
    }

    fileprivate struct UserRule: Decodable {
        let users: [[String: Value]]?
        let commands: [Group]?
        private enum CodingKeys: String, CodingKey {
            case users = "User_List"
            case commands = "Cmnd_Specs"
        }
    }

    /// The value of an option. Lists and other types are not needed here.
    fileprivate enum Value: Decodable {
        case flag(Bool)
        case text(String)
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .other
            }
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        defaults = try container.decodeIfPresent([Group].self, forKey: .defaults) ?? []
        rules = try container.decodeIfPresent([UserRule].self, forKey: .rules) ?? []
    }

    /// The output of `cvtsudoers -f json`; nil if it cannot be decoded.
    init?(json: [UInt8]) {
        guard let sudoers = try? JSONDecoder().decode(Sudoers.self, from: Data(json)) else { return nil }
        self = sudoers
    }

    /// The findings for a sudo whose stack asks M-Pin.
    var findings: [Finding] {
        let found = otherPasswords + [unasked, remembers].compactMap(\.self)
        return found.isEmpty ? [Finding(ok: "sudo", "sudo asks for the caller's PIN.")] : found
    }

    private func isSet(_ name: String, to value: Bool) -> Bool {
        defaults.contains { $0.isSet(name, to: value) }
    }

    private var otherPasswords: [Finding] {
        [("targetpw", "the target's"), ("rootpw", "root's"), ("runaspw", "the default target's")]
            .filter { isSet($0.0, to: true) }
            .map { name, whose in
                Finding(
                    warning: "sudo-other-password",
                    "sudoers has '\(name)': sudo asks for \(whose) PIN, not for the caller's.",
                    "Remove it, or enrol those accounts.")
            }
    }

    /// A note about NOPASSWD and `!authenticate`: they may be intended, or forgotten.
    private var unasked: Finding? {
        let users = rules.filter { rule in
            (rule.commands ?? []).contains { $0.isSet("authenticate", to: false) }
        }.flatMap(\.names)
        let everywhere = isSet("authenticate", to: false) ? ["'Defaults !authenticate'"] : []
        let who = everywhere + users
        guard !who.isEmpty else { return nil }
        return Finding(
            note: "sudo-unasked",
            "By these rules sudo asks for no PIN and no password: \(who.joined(separator: ", ")).",
            "Check that you want this.")
    }

    private var remembers: Finding? {
        let never = defaults.contains { group in
            (group.options ?? []).contains { option in
                if case .text(let minutes) = option["timestamp_timeout"] {
                    minutes.hasPrefix("-")
                } else {
                    false
                }
            }
        }
        guard never else { return nil }
        return Finding(
            note: "sudo-remembers",
            "sudoers has a negative 'timestamp_timeout': sudo asks once for each session.",
            "Set a number of minutes.")
    }
}

extension Sudoers.Group {
    fileprivate func isSet(_ name: String, to value: Bool) -> Bool {
        (options ?? []).contains { option in
            if case .flag(value) = option[name] { true } else { false }
        }
    }
}

extension Sudoers.UserRule {
    /// `alice`, `%ops`.
    fileprivate var names: [String] {
        (users ?? []).flatMap { user in
            user.compactMap { kind, value in
                guard case .text(let name) = value else { return nil }
                return kind == "usergroup" ? "%" + name : name
            }
        }
    }
}
