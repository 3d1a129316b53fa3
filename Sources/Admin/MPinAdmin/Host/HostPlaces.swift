// SPDX-License-Identifier: Apache-2.0
// The paths on a login host that `mpin setup` reads and writes: below `/`, or, for a test, below a folder.

/// The paths of one host.
package struct HostPlaces {
    /// The folder of mpin.conf.
    let settingsFolder: String
    /// The folder of the PAM stacks.
    let stacks: PAMFolder
    /// The folder of tokens.
    package let store: [UInt8]
    /// The folder for copies of the stacks from before setup.
    let backups: String
    /// The folder in which setup tests new stacks before it installs them.
    let drafts: String

    /// The paths of this machine.
    package static let standard = HostPlaces(below: "")

    /// The paths below the folder `root`, which is empty for this machine.
    package init(below root: String) {
        settingsFolder = root + "/etc/mpin"
        stacks = PAMFolder(below: root)
        store = [UInt8]((root + "/var/lib/mpin").utf8)
        backups = root + "/var/lib/mpin/before"
        drafts = root + "/run/mpin-setup"
    }

    /// The path of mpin.conf.
    package var settings: String { settingsFolder + "/mpin.conf" }
}
