// SPDX-License-Identifier: Apache-2.0
// A login host for a test: a store as the commands make it, for an account of this machine.
import Foundation
import TestSupport
import Testing

/// A store as `mpin host join` makes it before it asks for anything, and an account of this machine.
struct Host {
    static let id = String(repeating: "0a", count: 32)

    private let folder: TemporaryFolder
    var store: String { folder.path + "/store" }
    let user: String

    init() throws {
        folder = try TemporaryFolder()
        user = unsafe String(cString: try #require(unsafe getpwuid(geteuid())).pointee.pw_name)
        let code = folder.path + "/code"
        try Data("BCDF-GHJK-LMNP-QRST\n".utf8).write(to: URL(filePath: code))
        let join =
            "'\(try built("mpin"))' host join db1 --code-fd 3 --relay /nowhere --store '\(store)' "
        let ending = try run("/bin/sh", ["-c", join + "--backend unix:/nowhere/s 3<'\(code)'"])
        try #require(ending.status == 2)
    }

    func mpin(_ words: String...) throws -> Ending { try command(["mpin"] + words + ["--store", store]) }

    func allow() throws -> Ending {
        try mpin("allow", user, Host.id, "--way", "phone", "--label", "a phone", "--json")
    }
}

extension Host {
    /// Writes a host key that no server knows, so that the store is complete.
    func giveKey() throws {
        try write(
            "mpin-host = 1\nname = db1\nkey = \(String(repeating: "11", count: 32))\nepoch = 1\n", to: "host")
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(store)/\(name)"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(store)/\(name)")
    }
}
