// SPDX-License-Identifier: Apache-2.0
// A host that is a folder, for commands that are given their paths.
import Foundation
@testable import MPinAdmin
import TestSupport

/// It has its own stacks, settings and store; server and sshd are those of this machine, and not touched.
struct FolderHost {
    private let folder: TemporaryFolder
    let places: HostPlaces
    static let stack = "auth required pam_unix.so\naccount required pam_unix.so\n"

    init() throws {
        folder = try TemporaryFolder()
        places = HostPlaces(below: folder.path)
        for name in [
            "etc", "etc/mpin", "etc/pam.d", "run", "usr", "usr/lib", "usr/lib/pam.d", "var", "var/lib",
        ] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o755])
        }
        for service in ["su", "login"] { try write(FolderHost.stack, to: "etc/pam.d/\(service)") }
    }

    /// Makes a store with a host key, so that the host need not join.
    func giveKey() throws {
        let store = folder.path + "/var/lib/mpin"
        for (path, mode) in [(store, 0o755), (store + "/users", 0o700)] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: mode])
        }
        let key = "mpin-host = 1\nname = db1\nkey = \(String(repeating: "11", count: 32))\nepoch = 1\n"
        for (name, text) in [("host", key), ("users/.mpin-store", "")] {
            try write(text, to: "var/lib/mpin/\(name)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: "\(store)/\(name)")
        }
    }

    /// Switches M-Pin on in a stack, as setup writes it.
    func switchOn(_ service: String) throws {
        let plain = try PAMFile(service, text: Array(FolderHost.stack.utf8))
        let text = try plain.with(.only, read: places.stacks.read)
        try write(String(decoding: text, as: UTF8.self), to: "etc/pam.d/\(service)")
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
    }

    func text(of name: String) -> String? {
        try? String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
    }

    func setup(_ respondent: ScriptedRespondent) -> Setup {
        var setup = Setup(Dialogue(showsProgress: true, with: respondent), of: places)
        setup.backend = "unix:/nowhere/s"
        setup.waivesWayBack = true
        return setup
    }
}
