// SPDX-License-Identifier: Apache-2.0
// Findings about exemptions: doctor lists them, and warns if one of them exempts everybody.
import MPinLogin
import MPinProof
import MPinHostStore

extension Settings {
    /// The findings about exemptions.
    /// - Parameter place: the file, and the section or line, that has the exemptions.
    func exemptionFindings(_ place: String) -> [Finding] {
        guard exempts else { return [] }
        let given = [Exemption.users, .groups, .from].filter { names($0) }
        let list = given.map { "'\(words(of: $0))'" }.joined(separator: ", ")
        let note = Finding(
            note: "exempt", "\(place): M-Pin does not ask some users: \(list).",
            "Remove anybody who should no longer be exempt; each such login is logged as 'exempt'.")
        let unknown = unknownNames().filter(\.isExemption).map {
            Finding(
                problem: "exempt-unknown", "\(place): \($0.sentence)",
                "Correct the name, or take it out. A name with blanks stands in double quotes.")
        }
        return [note] + unknown
            + given.filter { exemptsEverybody($0) }.map {
                Finding(
                    warning: "exempt-everybody", "\(place): '\(words(of: $0))' exempts everybody.",
                    "Name who is exempt, or take M-Pin out of the stack.")
            }
    }

    private func names(_ exemption: Exemption) -> Bool {
        switch exemption {
        case .users: !exemptUsers.isEmpty
        case .groups: !exemptGroups.isEmpty
        case .from: !exemptFrom.isEmpty
        }
    }

    /// Whether an exemption has `*`, or a network with a prefix of 0 bits: both exempt everybody.
    private func exemptsEverybody(_ exemption: Exemption) -> Bool {
        switch exemption {
        case .users: Settings.isBoundless(exemptUsers)
        case .groups: Settings.isBoundless(exemptGroups)
        case .from: exemptFrom.contains { !$0.isExclusion && $0.isBoundless }
        }
    }

    private static func isBoundless(_ list: [Pattern]) -> Bool {
        list.contains { !$0.isExclusion && $0.text.allSatisfy { $0 == 0x2a } }
    }
}
