// SPDX-License-Identifier: Apache-2.0
// `mpin doctor`: looks at everything that a login needs, and says of each finding what to do about it.
import ArgumentParser
import CPlatform
import MPinHost
import MPinLogin
import MPinProof

struct DoctorCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for what is wrong on this host, and say what to do.",
        discussion: """
            Looks at module, relay, settings, server, clock, phone page, store, PAM, sshd and sudo. Counts \
            as no attempt. The words in brackets are explained in mpin(1).

            EXIT STATUS: 0 no problem, 1 problems, 2 settings or store cannot be read.
            """)

    @Flag(help: "Repair what is safe to repair: modes of our files, and the store's marker.")
    var fix = false
    @Flag(name: .shortAndLong, help: "Show what is in order, too.") var verbose = false
    @Option(
        name: .customLong("screen"), defaultAsFlag: ScreenMode.every,
        help: ArgumentHelp(
            "Draw a test picture for a phone, in one way or in each, and look at nothing else.",
            valueName: "mode"))
    var screen: ScreenMode?
    @Option(help: ArgumentHelp("Settings, in place of /etc/mpin/mpin.conf.", valueName: "file"))
    var config: String?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> DoctorReport {
        let doctor = Doctor(config: config, store: store.store)
        if let screen {
            return DoctorReport(
                screens: try drawnScreens(screen, doctor.settings(of: "doctor", remote: false)))
        }
        var findings = doctor.findings()
        guard fix else { return DoctorReport(findings, verbose: verbose) }
        var mended: [Mended] = []
        // What a closed folder hides is seen when the folder is mended.
        for _ in 0..<5 {
            let fixes = findings.compactMap(\.fix).filter { fix in !mended.contains { $0.fix == fix } }
            guard !fixes.isEmpty else { break }
            mended += fixes.map { Mended($0, owners: doctor.owners) }
            findings = doctor.findings()
        }
        return DoctorReport(findings, mended, verbose: verbose)
    }
}

/// Where it looks.
struct Doctor {
    let config: [UInt8]?
    let givenStore: [UInt8]?
    let isRoot = geteuid() == 0
    /// Who may own what is root's: a store of one's own is one's own.
    let owners: Set<UInt32> = [0, geteuid()]

    init(config: String?, store: String?) {
        self.config = config.map(absolute)
        givenStore = store.map(absolute)
    }

    /// The settings of a service, with the arguments of its stack.
    func settings(
        of service: String, remote: Bool, _ arguments: [String] = []
    ) -> Result<Settings, SettingsError> {
        let given = moduleArguments(arguments, config: config, store: givenStore)
        do throws(SettingsError) {
            return .success(
                try Settings.load(arguments: given, service: [UInt8](service.utf8), remote: remote))
        } catch { return .failure(error) }
    }

    func findings() -> [Finding] {
        let settings = settings(of: "doctor", remote: false)
        var findings = installed(settings) + settingsFindings(settings)
        var key = HostKeyBox()
        findings += storeFindings(settings, &key)
        if case .success(let settings) = settings {
            findings += serverFindings(settings, key) + pageFindings(settings)
        }
        let stacks = Stacks(self)
        findings += stacks.findings + mpindFindings()
        return findings + unseenFindings
    }

    private var unseenFindings: [Finding] {
        guard !isRoot else { return [] }
        return [
            Finding(
                .unseen,
                "Not checked, because you are not root: the store and the host's key if they are root's, "
                    + "sshd's "
                    + "settings, sudo's rules, root's password, and whether '_mpin' can run the relay.",
                "Run 'sudo mpin doctor'.")
        ]
    }
}
