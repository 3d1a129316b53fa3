// SPDX-License-Identifier: Apache-2.0
// `mpin doctor`: checks everything that a login needs, and gives advice for each finding.
import CPlatform
import MPinLogin
import MPinProof
import MPinHostStore

/// The checks of a host, and the places that they look at.
package struct Doctor {
    let config: [UInt8]?
    let givenStore: [UInt8]?
    /// The folder of the PAM stacks.
    let stacks: PAMFolder
    /// The folder of the stacks from before setup.
    let backups: String
    let isRoot = geteuid() == 0
    /// The uids that may own files of this host. Beside root it is the caller, who may have a store for
    /// tests.
    let owners: Set<UInt32> = [0, geteuid()]

    /// Checks of this host. nil for `config` or `store` is the usual path.
    package init(config: [UInt8]?, store: [UInt8]?, of places: HostPlaces = .standard) {
        self.config = config
        givenStore = store
        (stacks, backups) = (places.stacks, places.backups)
    }

    /// Runs all checks; if `mends`, repairs first what is safe to repair.
    package func examine(mends: Bool, verbose: Bool) -> DoctorReport {
        var findings = Examination(self).findings
        guard mends else { return DoctorReport(findings, verbose: verbose) }
        var mended: [Mended] = []
        // A repair can reveal more findings, such as those in a folder that could not be read before.
        for _ in 0..<5 {
            let fixes = findings.compactMap(\.fix).filter { fix in !mended.contains { $0.fix == fix } }
            guard !fixes.isEmpty else { break }
            mended += fixes.map { Mended($0, owners: owners) }
            findings = Examination(self).findings
        }
        return DoctorReport(findings, mended, verbose: verbose)
    }

    /// Test QR codes of one mode or of all modes. Throws if the address is too long for a QR code.
    package func screens(_ mode: ScreenMode) throws(Failure) -> DoctorReport {
        DoctorReport(screens: try drawnScreens(mode, settings(of: nil)))
    }

    /// The settings of a service, with the module's arguments in its stack.
    /// - Parameter service: nil: mpin itself.
    func settings(
        of service: String?, _ arguments: [String] = []
    ) -> Result<Settings, SettingsError> {
        let given = moduleArguments(arguments, config: config, store: givenStore)
        do throws(SettingsError) {
            return .success(
                try Settings.load(arguments: given, service: service.map { [UInt8]($0.utf8) })
            )
        } catch { return .failure(error) }
    }
}

extension Check {
    static let unseen = Check("unseen", reads: "who runs doctor") { run in
        guard !run.doctor.isRoot else { return [] }
        return [
            Finding(
                note: "unseen",
                "Not checked, because you are not root: the store and the host's key if they are root's, "
                    + "sshd's settings, sudo's rules, root's password, and whether '_mpin' can run the "
                    + "relay.",
                "Run 'sudo mpin doctor'.")
        ]
    }
}
