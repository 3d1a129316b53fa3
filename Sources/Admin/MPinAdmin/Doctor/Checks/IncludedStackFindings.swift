// SPDX-License-Identifier: Apache-2.0
// Findings about stacks that several services run: which section of mpin.conf holds in each of them.
import MPinSystem
import MPinProof
import MPinHostStore

extension Check {
    static let includedStacks = Check("included stacks", reads: "the PAM stacks, and mpin.conf") {
        $0.sharedFindings + $0.apartFindings
    }
}

extension Examination {
    /// Services that run M-Pin's rule because they include the file in which it stands.
    fileprivate var sharedFindings: [Finding] {
        StackCheck.sentences(about: stacks, in: doctor.stacks) { try? settings(of: $0.service).get() }.map {
            Finding(
                note: "stack-included", $0, "If a service shall do otherwise, give it a section of its own.")
        }
    }

    /// Services in which the section of the stack that they run, or of their usual one, does not hold.
    fileprivate var apartFindings: [Finding] {
        guard let text = doctor.settingsText else { return [] }
        return stacks.compactMap { check in
            guard let settings = try? settings(of: check.service).get() else { return nil }
            guard let section = settings.section else { return unreached(check, text) }
            return section.elementsEqual(check.service.utf8) ? apart(check.service, text) : nil
        }
    }

    private func unreached(_ check: StackCheck, _ text: SettingsText) -> Finding? {
        guard let rule = check.includedRule(in: doctor.stacks), text.sections.contains(rule.file) else {
            return nil
        }
        let (service, file) = (shown(check.service), shown(rule.file))
        return Finding(
            warning: "section-apart",
            "The section [\(file)] does not hold for \(service), which includes \(shown(rule.place)).",
            "Write 'section=\(file)' behind \(pamModule) in that line, as mpin setup does, or give "
                + "[\(service)] a section.")
    }

    private func apart(_ service: String, _ text: SettingsText) -> Finding? {
        let key = "section="
        let stack = arguments(of: service).first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
        let others = sections(for: service, in: stack).filter { $0 != service }
        guard let other = others.first(where: text.sections.contains) else { return nil }
        let missing = ["never", "users", "groups", "networks", "method"].filter {
            !text.values($0, in: other).isEmpty && text.values($0, in: service).isEmpty
        }
        guard !missing.isEmpty else { return nil }
        return Finding(
            warning: "section-apart",
            "[\(shown(service))] is a section of its own: what [\(shown(other))] says about "
                + "\(missing.joined(separator: ", ")) does not hold for \(shown(service)).",
            "Write it there too, or take [\(shown(service))] out.")
    }
}
