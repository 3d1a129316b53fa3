// SPDX-License-Identifier: Apache-2.0
// Checks of the PAM stacks that ask M-Pin: their rules, their arguments, and what setup has written there.
import MPinSystem
import MPinLogin
import MPinProof
import MPinHostStore

extension Check {
    static let stacks = Check("stacks", reads: "the PAM stacks, with mpin.conf") { run in
        run.unreadStacks + run.stacks.flatMap { run.findings($0) }
    }

    static let sections = Check("sections", reads: "the module's arguments, and the sections of mpin.conf") {
        $0.argumentFindings + $0.exemptionFindings + $0.triesFindings + $0.sectionFindings
            + $0.openedFindings
    }

    static let uses = Check("uses", reads: "the PAM stacks") { run in
        guard !run.stacks.isEmpty else {
            return [
                Finding(
                    note: "nobody-asked", "No service asks for M-Pin.",
                    "Run 'sudo mpin setup', which shows what it would do first.")
            ]
        }
        let names = run.stacks.map(\.service).joined(separator: ", ")
        return [Finding(ok: "stacks", "M-Pin is used by \(names).")]
    }

    static let seats = Check("seats", reads: "the callers of PAM, the consoles and what starts login") {
        run in
        let unsaid = run.withoutSeat
        let starters = unsaid.contains("login") ? Finding.loginHost(at: loginStarters()) : nil
        return [Finding.seat(unsaidIn: unsaid, hasConsole: hasConsole()), starters].compactMap(\.self)
            + Finding.asUser(in: run.stacks)
    }
}

extension Examination {
    fileprivate func findings(_ check: StackCheck) -> [Finding] {
        var ignores = false
        if case .success(let settings) = settings(of: check.service) {
            ignores = settings.unenrolled == .ignore || settings.exempts
        }
        return check.findings(installed: Doctor.module, ignores: ignores)
    }

    /// The errors in the module's arguments, which are read as the module reads them.
    fileprivate var argumentFindings: [Finding] {
        stacks.flatMap { check in
            check.places.compactMap { place -> Finding? in
                guard !place.entry.rule.arguments.isEmpty,
                    case .success = doctor.settings(of: check.service),
                    case .failure(let error) = doctor.settings(
                        of: check.service, place.entry.rule.arguments)
                else { return nil }
                return Finding(
                    problem: "stack-arguments",
                    "\(place.entry.place): \(Failure(error).sentence)",
                    "Correct the argument: until then nobody can log in by '\(check.service)'.")
            }
        }
    }

    /// The exemptions in arguments. Those in mpin.conf are in `settingsFindings`.
    fileprivate var exemptionFindings: [Finding] {
        stacks.flatMap { check in
            check.places.flatMap { place -> [Finding] in
                let rule = place.entry.rule
                guard rule.arguments.contains(where: { $0.hasPrefix("exempt-") }),
                    case .success(let settings) = doctor.settings(
                        of: check.service, rule.arguments)
                else { return [] }
                return settings.exemptionFindings(place.entry.place)
            }
        }
    }

    /// Services in which settings or arguments let a login try more PINs than by default.
    fileprivate var triesFindings: [Finding] {
        let loose = stacks.map(\.service).compactMap { service -> String? in
            let usual = Settings.usualTries(of: Array(service.utf8))
            guard case .success(let settings) = settings(of: service), settings.tries > usual else {
                return nil
            }
            return "\(shown(service)) (\(settings.tries), by default \(usual))"
        }
        guard !loose.isEmpty else { return [] }
        return [
            Finding(
                warning: "many-tries",
                "'tries' lets one login try more PINs than the default: \(loose.joined(separator: ", ")).",
                "Lower it, or take it out: three wrong PINs in a row lock in any case, and sudo and login "
                    + "ask again by themselves.")
        ]
    }

    /// Stacks that setup switched on, but whose section is missing in mpin.conf: there a user without a PIN
    /// can no longer log in.
    fileprivate var sectionFindings: [Finding] {
        guard let said = doctor.settingsText, said.values("unenrolled").isEmpty else { return [] }
        return stacks.map(\.service).filter { service in
            guard case .success(let settings) = settings(of: service) else { return false }
            return settings.section == nil && isOfSetup(service)
        }.map { service in
            Finding(
                warning: "section-missing",
                "mpin setup switched on M-Pin in '\(shown(service))', but \(doctor.file) has no section "
                    + "[\(shown(service))]: users without a PIN cannot log in there.",
                "Run 'sudo mpin setup --service \(shown(service))', which writes it again.")
        }
    }

    /// Stacks that setup switched on, and that somebody closed below the rule that lets in users with a PIN.
    fileprivate var openedFindings: [Finding] {
        let opened = stacks.filter { $0.places.contains(where: \.opensWhatIsClosed) }.map(\.service)
        return opened.filter(isOfSetup).map { name in
            let service = shown(name)
            return Finding(
                warning: "stack-opened",
                "Without the rule of mpin setup nobody could log in by '\(service)': it lets in users with a "
                    + "PIN.",
                "To close the service, run 'sudo mpin setup --undo --service \(service)'.")
        }
    }

    /// Whether setup has written into the stack of a service.
    private func isOfSetup(_ service: String) -> Bool {
        ((try? doctor.stacks.read(service)) ?? []).firstRange(of: Array(Mark.begin.utf8)) != nil
    }
}
