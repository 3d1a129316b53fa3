// SPDX-License-Identifier: Apache-2.0
// Reads the PAM stacks, sshd's settings and sudo's rules of this host, and checks them by means of MPinHost.
import CPlatform
import MPinHost
import MPinLogin
import MPinProof
import MPinStore

struct Stacks {
    let doctor: Doctor
    let checks: [StackCheck]
    private let errors: [Finding]

    init(_ doctor: Doctor) {
        self.doctor = doctor
        var checks: [StackCheck] = []
        var errors: [Finding] = []
        for name in serviceNames(in: doctor.stacks) {
            do throws(PAMError) {
                let check = StackCheck(try doctor.stacks.stack(name))
                if check.asks { checks.append(check) }
            } catch {
                // An error in a stack without M-Pin is not our concern.
                if namesModule(name, in: doctor.stacks) || namesModule(error.file, in: doctor.stacks) {
                    errors.append(StackCheck.finding(error, explained(error.problem)))
                }
            }
        }
        self.checks = checks
        self.errors = errors
    }

    private func asks(_ service: String) -> Bool { checks.contains { $0.service == service } }

    var findings: [Finding] {
        var found = errors
        for check in checks { found += findings(check) }
        found +=
            sharedFindings + apartFindings + argumentFindings + exemptionFindings + triesFindings
            + sectionFindings + openedFindings + doctor.goneFindings
        if checks.isEmpty {
            found.append(
                Finding(
                    .nobodyAsked, "No service asks for M-Pin.",
                    "Run 'sudo mpin setup', which shows what it would do first."))
        } else {
            let names = checks.map(\.service).joined(separator: ", ")
            found.append(Finding(.stacks, "M-Pin is used by \(names)."))
        }
        let unsaid = checks.map(\.service).filter { service in
            guard case .success(let settings) = settings(of: service) else { return false }
            return settings.remote == nil
        }
        if let finding = Finding.seat(unsaidIn: unsaid, hasConsole: hasConsole()) { found.append(finding) }
        if unsaid.contains("login"), let finding = Finding.loginHost(at: loginStarters()) {
            found.append(finding)
        }
        found += Finding.asUser(in: checks)
        if doctor.isRoot, !checks.isEmpty {
            found += sshdFindings + loginFindings + sudoFindings + [rootFinding]
        }
        if mpin_clock_is_kept() == 0 {
            found.append(
                Finding(
                    .clockUnkept, "According to the kernel, nothing synchronizes this host's clock.",
                    "Run 'sudo timedatectl set-ntp true'."))
        }
        return found.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The settings of a service, with the arguments of the module's first line in the stack.
    func settings(of service: String) -> Result<Settings, SettingsError> {
        doctor.settings(of: service, arguments(of: service))
    }

    func arguments(of service: String) -> [String] {
        checks.first { $0.service == service }?.places.first?.entry.rule.arguments ?? []
    }

    private func findings(_ check: StackCheck) -> [Finding] {
        var ignores = false
        if case .success(let settings) = settings(of: check.service) {
            ignores = settings.unenrolled == .ignore || settings.exempts
        }
        return check.findings(installed: Doctor.module, ignores: ignores)
    }

    /// The errors in the module's arguments, which are read as the module reads them.
    private var argumentFindings: [Finding] {
        checks.flatMap { check in
            check.places.compactMap { place -> Finding? in
                guard !place.entry.rule.arguments.isEmpty,
                    case .success = doctor.settings(of: check.service),
                    case .failure(let error) = doctor.settings(
                        of: check.service, place.entry.rule.arguments)
                else { return nil }
                return Finding(
                    .stackArguments,
                    "\(place.entry.place): \(Failure(error).sentence)",
                    "Correct the argument: until then nobody can log in by '\(check.service)'.")
            }
        }
    }

    /// The exemptions in arguments. Those in mpin.conf are in `settingsFindings`.
    private var exemptionFindings: [Finding] {
        checks.flatMap { check in
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
    private var triesFindings: [Finding] {
        let loose = checks.map(\.service).compactMap { service -> String? in
            let usual = Settings.usualTries(of: Array(service.utf8))
            guard case .success(let settings) = settings(of: service), settings.tries > usual else {
                return nil
            }
            return "\(shown(service)) (\(settings.tries), by default \(usual))"
        }
        guard !loose.isEmpty else { return [] }
        return [
            Finding(
                .manyTries,
                "'tries' lets one login try more PINs than the default: \(loose.joined(separator: ", ")).",
                "Lower it, or take it out: three wrong PINs in a row lock in any case, and sudo and login "
                    + "ask again by themselves.")
        ]
    }

    /// Stacks that setup switched on, but whose section is missing in mpin.conf: there a user without a PIN
    /// can no longer log in.
    private var sectionFindings: [Finding] {
        guard let said = doctor.settingsText, said.values("unenrolled").isEmpty else { return [] }
        return checks.map(\.service).filter { service in
            guard case .success(let settings) = settings(of: service) else { return false }
            return settings.section == nil && isOfSetup(service)
        }.map { service in
            Finding(
                .sectionMissing,
                "mpin setup switched on M-Pin in '\(shown(service))', but \(doctor.file) has no section "
                    + "[\(shown(service))]: users without a PIN cannot log in there.",
                "Run 'sudo mpin setup --service \(shown(service))', which writes it again.")
        }
    }

    /// Stacks that setup switched on, and that somebody closed below the rule that lets in users with a PIN.
    private var openedFindings: [Finding] {
        let opened = checks.filter { $0.places.contains(where: \.opensWhatIsClosed) }.map(\.service)
        return opened.filter(isOfSetup).map { name in
            let service = shown(name)
            return Finding(
                .stackOpened,
                "Without the rule of mpin setup nobody could log in by '\(service)': it lets in users with a "
                    + "PIN.",
                "To close the service, run 'sudo mpin setup --undo --service \(service)'.")
        }
    }

    /// Whether setup has written into the stack of a service.
    private func isOfSetup(_ service: String) -> Bool {
        ((try? doctor.stacks.read(service)) ?? []).firstRange(of: Array(Mark.begin.utf8)) != nil
    }

    private var sshdFindings: [Finding] {
        guard asks("sshd"), fileFacts("/usr/sbin/sshd")?.kind == .file else { return [] }
        guard let ssh = SSHPlan.current(user: "nobody") else {
            let why = SSHDaemon.run(["-T"]).map { firstLine($0.said) } ?? "it cannot be run"
            return [
                Finding(
                    .sshdUnread, "'sshd -T' does not print its settings: \(why)",
                    "Run 'sudo sshd -t', and correct it.")
            ]
        }
        guard case .success(let settings) = settings(of: "sshd") else { return [] }
        return ssh.findings(
            SSHWanted(
                deadline: settings.deadline,
                asksPIN: settings.method == .pin || settings.method == .pinAndPhone,
                asksPhone: settings.method != .pin, pinNeedsKey: settings.remotePIN == .key),
            apart: SSHDaemon().changes)
    }

    private var loginFindings: [Finding] {
        guard asks("login"), case .success(let settings) = doctor.settings(of: "login"),
            settings.method != .pin, let text = fileText("/etc/login.defs")
        else { return [] }
        let found = Finding.login(timeout: loginTimeout(text), deadline: settings.deadline)
        return found.map { [$0] } ?? []
    }

    private var sudoFindings: [Finding] {
        guard asks("sudo") || asks("sudo-i"), fileFacts("/etc/sudoers")?.kind == .file else { return [] }
        // Warnings come before the JSON in the same output.
        guard let end = ran("/usr/bin/cvtsudoers", ["-f", "json", "/etc/sudoers"]), end.status == 0,
            let sudoers = Sudoers(json: [UInt8](end.said.utf8.drop { $0 != 0x7b }))
        else {
            return [
                Finding(
                    .sudoUnread, "sudo's rules cannot be read by 'cvtsudoers'.",
                    "Run 'sudo visudo -c', and correct them.")
            ]
        }
        return sudoers.findings
    }

    private var rootFinding: Finding {
        var ways = WaysIn()
        ways.rootHasPassword = hasPassword("root", shadow: fileText("/etc/shadow") ?? [])
        let login = checks.first { $0.service == "login" }
        if login?.hasOtherWay ?? true { ways.passwordServices = ["login"] }
        if let login { ways.passesUnenrolled = passesRoot(login) }
        ways.rootHasKey = SSHPlan.takesRootsKey(SSHPlan.current(user: "root"))
        if ways.certain.isEmpty { ways.byOthers = withoutServer.firstWay().map { [$0.words] } ?? [] }
        return ways.finding
    }

    private var withoutServer: WithoutServer {
        var codes: Set<UInt32> = []
        if case .success(let settings) = doctor.settings(of: nil) {
            codes = uidsWithCodes(in: settings.store)
        }
        return WithoutServer(
            codes: codes, stack: { service in (try? doctor.stacks.stack(service)).map { StackCheck($0) } },
            settings: { service in try? settings(of: service).get() },
            ssh: { SSHPlan.current(user: $0) })
    }

    /// Whether the module ignores root at the console and a later module asks for the password. If `login`
    /// counts as remote, `never` refuses root instead.
    private func passesRoot(_ login: StackCheck) -> Bool {
        guard case .success(let settings) = settings(of: "login") else { return false }
        guard !(settings.remote ?? !hasConsole()) || settings.never == .nobody else { return false }
        let file = String(decoding: settings.store, as: UTF8.self) + "/users/0"
        return settings.unenrolled == .ignore && login.asksThePassedOver && fileFacts(file)?.kind == .missing
    }
}

private func namesModule(_ name: String, in folder: PAMFolder) -> Bool {
    ((try? folder.read(name)) ?? []).firstRange(of: Array(pamModule.utf8)) != nil
}
