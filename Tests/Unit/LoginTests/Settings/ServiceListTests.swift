// SPDX-License-Identifier: Apache-2.0
// Lists of mpin.conf: services that accept backup codes, users who read plain text.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Testing

@Suite struct `Lists of services and users` {
    @Test(arguments: [
        ("backup-codes = sudo", "sudo-i", true), ("[sudo]\nbackup-codes = sudo", "sudo-i", true),
        ("backup-codes = sudo\n[sudo-i]\nbackup-codes = none", "sudo-i", false),
        ("backup-codes = sudo-i", "sudo-i", true), ("backup-codes = sudo-i", "sudo", false),
        ("backup-codes = su", "su-l", true), ("[su]\nbackup-codes = su", "su-l", true),
        ("backup-codes = su-l", "su", false), ("backup-codes = su", "sudo-i", false),
    ])
    func `accept backup codes at sudo -i and su - where they accept them at sudo and su`(
        _ lines: String, _ service: String, _ taken: Bool
    ) throws {
        #expect(try readSettings(leastSettings + lines, service: service).takesBackupCodes == taken)
    }

    @Test(
        arguments: [
            ("", []), ("backup-codes = none", []), ("backup-codes = sudo login", ["sudo", "login"]),
            ("[su]\nbackup-codes = su", ["su"]), ("[su]\nbackup-codes = sudo", []),
            ("backup-codes = su sudo\n[su]\nbackup-codes = none", ["sudo"]),
        ] as [(String, [String])])
    func `name the services that accept backup codes`(_ lines: String, _ services: [String]) throws {
        let text = Array((leastSettings + lines + "\n").utf8)
        #expect(
            try Settings.servicesWithCodes(text: text, file: Array("mpin.conf".utf8))
                == services.map { Array($0.utf8) })
    }

    @Test(arguments: [
        ("qr-off-users = alice bob", true), ("qr-off-users = bob", false), ("qr-off-users = al*", true),
        ("qr-off-users = a* !alice", false), ("qr-off-users = !bob", true), ("qr-off-users = none", false),
        ("[su]\nqr-off-users = alice", true), ("[sudo]\nqr-off-users = alice", false),
        ("qr-off-users = alice\n[su]\nqr-off-users = none", false),
        ("qr-off-users = Alice", false),
    ])
    func `draw no QR code for users who read plain text`(_ lines: String, _ isOff: Bool) throws {
        let settings = try readSettings(leastSettings + "qr = utf8\n" + lines)
        #expect(settings.qrStyle(for: Array("alice".utf8)) == (isOff ? .off : .utf8))
        #expect(try readSettings(leastSettings + "qr = off").qrStyle(for: Array("alice".utf8)) == .off)
    }

    @Test(arguments: ["", "all", "alice all", "!"])
    func `refuse a value of qr-off-users that would mean every user`(_ value: String) throws {
        let error = try #require(settingsFault(leastSettings + "qr-off-users = \(value)"))
        #expect(error.key == Array("qr-off-users".utf8) && error.problem == .key(.badValue))
    }
}
