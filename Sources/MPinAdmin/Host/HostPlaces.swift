// SPDX-License-Identifier: Apache-2.0
// Where a login host has what `mpin setup` reads and writes: below the root, or, for a test, below a folder.
package import MPinHost

/// The paths of one host.
package struct HostPlaces {
    /// The folder of mpin.conf.
    let settingsFolder: String
    /// The folder of PAM's stacks.
    package let stacks: PAMFolder
    /// The folder of tokens.
    package let store: [UInt8]
    /// The stacks from before setup.
    let backups: String
    /// What setup tries out before anybody else sees it.
    let drafts: String

    /// Where this machine has them.
    package static let standard = HostPlaces(below: "")

    /// A host that begins at a folder; that of this machine is empty.
    package init(below root: String) {
        settingsFolder = root + "/etc/mpin"
        stacks = PAMFolder(path: root + PAMFolder.standard.path)
        store = [UInt8]((root + "/var/lib/mpin").utf8)
        backups = root + "/var/lib/mpin/before"
        drafts = root + "/run/mpin-setup"
    }

    /// The path of mpin.conf.
    package var settings: String { settingsFolder + "/mpin.conf" }
}
