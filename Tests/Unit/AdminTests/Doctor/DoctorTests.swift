// SPDX-License-Identifier: Apache-2.0
// `mpin doctor` on a host that is a folder: which stacks ask for M-Pin, and what it mends.
import Foundation
@testable import MPinAdmin
import Testing

@Suite struct DoctorTests {
    private func doctor(_ host: FolderHost) -> Doctor {
        Doctor(
            config: Array(host.places.settings.utf8), store: host.places.store, of: host.places)
    }

    @Test func `it names the services that ask for M-Pin`() throws {
        let host = try FolderHost()
        let before = doctor(host).examine(mends: false, verbose: true).lines
        #expect(before.contains { $0.contains("No service asks for M-Pin. [") })
        try host.switchOn("su")
        let after = doctor(host).examine(mends: false, verbose: true).lines
        #expect(after.contains { $0.contains("M-Pin is used by su. [stacks]") })
        #expect(!after.contains { $0.contains("No service asks for M-Pin.") })
    }

    @Test
    func `it reads packages' stacks and the rules of other, and reports a service that setup's rule opens`()
        throws
    {
        let host = try FolderHost()
        let ours = "auth required pam_mpin.so\n"
        for (name, text) in [
            ("usr/lib/pam.d/vendor", ours), ("usr/lib/pam.d/login", ours), ("etc/pam.d/other", ours),
            ("etc/pam.d/bare", "account required pam_permit.so\n"),
        ] { try host.write(text, to: name) }
        let lines = doctor(host).examine(mends: false, verbose: true).lines
        #expect(lines.contains { $0.contains("M-Pin is used by bare, other, vendor. [stacks]") })
        try host.switchOn("su")
        let on = try #require(host.text(of: "etc/pam.d/su"))
        for (text, isOpened) in [(on, false), (on.replacing("pam_unix.so", with: "pam_deny.so"), true)] {
            try host.write(text, to: "etc/pam.d/su")
            let found = doctor(host).examine(mends: false, verbose: true).lines
            #expect(found.contains { $0.contains("nobody could log in by 'su'") } == isOpened)
        }
    }

    @Test func `it mends open modes, and changes nothing unless it is told to`() throws {
        let host = try FolderHost()
        try host.giveKey()
        let users = String(decoding: host.places.store, as: UTF8.self) + "/users"
        func mode() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: users)[.posixPermissions] as? Int
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: users)
        let seen = doctor(host).examine(mends: false, verbose: false)
        #expect(seen.lines.contains { $0.contains("[store-open]") } && seen.exit == 2)
        #expect(try mode() == 0o755)
        let mended = doctor(host).examine(mends: true, verbose: false)
        #expect(mended.lines.contains("mended:  \(users) has mode 0700"))
        #expect(!mended.lines.contains { $0.contains("[store-open]") })
        #expect(try mode() == 0o700)
    }
}
