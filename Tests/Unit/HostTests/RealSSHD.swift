// SPDX-License-Identifier: Apache-2.0
// The real sshd with files in a private folder: it prints its settings, and serves nobody.
import Foundation
import MPinHost
import Testing

/// A folder with the files of an sshd.
final class RealSSHD {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    var daemon: SSHDaemon { SSHDaemon(folder + "/sshd_config") }

    /// Whether there is an sshd that this user can ask.
    static let isThere =
        FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd")
        && (geteuid() == 0 || FileManager.default.fileExists(atPath: "/run/sshd"))

    /// - Parameters:
    ///   - main: the text of the main file, whose first two lines include the other files.
    ///   - parts: the texts of the files of `sshd_config.d`, which sshd reads first.
    init(_ main: String, _ parts: [String: String] = [:]) throws {
        let head = "HostKey \(folder)/key\nInclude \(folder)/sshd_config.d/*.conf\n"
        try FileManager.default.createDirectory(
            atPath: folder + "/sshd_config.d", withIntermediateDirectories: true)
        for (name, text) in parts.merging(["../sshd_config": head + main], uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/sshd_config.d/\(name)"))
        }
        // sshd prints no settings without a host key.
        let made = ran("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", folder + "/key"])
        try #require(made?.status == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The findings of doctor about these files.
    func findings() throws -> [Finding] {
        let general = try #require(daemon.settings(of: SSHLogin()))
        let wanted = SSHWanted(deadline: 100, asksPIN: true, asksPhone: true, pinNeedsKey: true)
        return general.findings(wanted, apart: daemon.changes)
    }
}
