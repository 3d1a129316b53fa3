// SPDX-License-Identifier: Apache-2.0
// Services that run M-Pin's rule in a file that they include, for setup and doctor: whose section holds for
// them, and what they do with users who have no PIN.
import MPinHostStore

/// The sections of mpin.conf that can hold for a service; the first one that is there does.
/// - Parameter stack: the value of the argument `section` on the line of the module.
func sections(for service: String, in stack: String?) -> [String] {
    Settings.sections(for: Array(service.utf8), in: stack.map { Array($0.utf8) }).map {
        String(decoding: $0, as: UTF8.self)
    }
}

extension StackCheck {
    /// The module's line, if it stands in a file that the service includes.
    func includedRule(in folder: PAMFolder) -> PAMStack.Entry? {
        guard let entry = places.first?.entry, entry.file != folder.file(of: service) else { return nil }
        return entry
    }

    /// What the service does with users who have no PIN here.
    private func endOfUnenrolled(_ settings: Settings) -> String {
        let ignores = settings.unenrolled == .ignore
        if ignores, asksTheIgnored { return "are asked for the password" }
        return ignores || hasOtherWay ? "are left to the other rules" : "cannot log in"
    }

    /// One sentence for each line of the module that other services include.
    /// - Parameter settings: the settings of a service with the arguments of the line; nil: unknown.
    static func sentences(
        about checks: [StackCheck], in folder: PAMFolder, settings: (StackCheck) -> Settings?
    ) -> [String] {
        var groups: [(end: String, place: String, services: [String])] = []
        for check in checks {
            guard let entry = check.includedRule(in: folder), let settings = settings(check) else { continue }
            let section = settings.section.map { "The section [\(text($0))]" }
            let end =
                "\(section ?? "What stands above the first section") holds there, and users without a PIN "
                + "here \(check.endOfUnenrolled(settings))."
            let place = shown(entry.place)
            if let index = groups.firstIndex(where: { $0.end == end && $0.place == place }) {
                groups[index].services.append(shown(check.service))
            } else {
                groups.append((end, place, [shown(check.service)]))
            }
        }
        return groups.map { group in
            "By inclusion, \(group.place) also asks for M-Pin in \(group.services.joined(separator: ", ")). "
                + group.end
        }
    }
}
