// SPDX-License-Identifier: Apache-2.0
// `mpin doctor`: looks at everything that a login needs, and says of each finding what to do about it.
import CPlatform
package import MPinHost
import MPinLogin
import MPinProof
import MPinStore

/// Where it looks.
package struct Doctor {
    let config: [UInt8]?
    let givenStore: [UInt8]?
    /// The folder of PAM's stacks.
    let stacks: PAMFolder
    let isRoot = geteuid() == 0
    /// Who may own what is root's: a store of one's own is one's own.
    let owners: Set<UInt32> = [0, geteuid()]

    /// A look at this host, by mpin.conf and the store, or what was named in their places, and by its stacks.
    package init(config: [UInt8]?, store: [UInt8]?, stacks: PAMFolder = .standard) {
        self.config = config
        givenStore = store
        self.stacks = stacks
    }

    /// Looks at everything, and repairs what is safe to repair if it `mends`.
    package func examine(mends: Bool, verbose: Bool) -> DoctorReport {
        var findings = findings()
        guard mends else { return DoctorReport(findings, verbose: verbose) }
        var mended: [Mended] = []
        // What a closed folder hides is seen when the folder is mended.
        for _ in 0..<5 {
            let fixes = findings.compactMap(\.fix).filter { fix in !mended.contains { $0.fix == fix } }
            guard !fixes.isEmpty else { break }
            mended += fixes.map { Mended($0, owners: owners) }
            findings = self.findings()
        }
        return DoctorReport(findings, mended, verbose: verbose)
    }

    /// A test picture in one way or in each. Throws if the address is too long for one.
    package func screens(_ mode: ScreenMode) throws(Failure) -> DoctorReport {
        DoctorReport(screens: try drawnScreens(mode, settings(of: "doctor", remote: false)))
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
        findings += Stacks(self).findings + mpindFindings()
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
