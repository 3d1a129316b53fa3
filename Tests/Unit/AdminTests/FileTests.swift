// SPDX-License-Identifier: Apache-2.0
// Files of the host, other programs, mpin.conf as setup writes it, and ways into the host.
import Foundation
@testable import MPinAdmin
import MPinSystem
import MPinWire
import Octets
import Testing

@Suite struct FileTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "/host-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `a file is replaced atomically and keeps its mode, and no other file is left`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/x"
        try HostFile(new: path, mode: 0o640).replace(with: [1, 2, 3])
        #expect(try HostFile(path).text == [1, 2, 3])
        try Data([9]).write(to: URL(filePath: folder + "/.x.mpin-new"))
        try HostFile(path).replace(with: [4])
        #expect(try HostFile(path).text == [4] && names() == ["x"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        try HostFile(path).remove()
        #expect(try names().isEmpty)
    }

    @Test func `a file that was changed in the meantime is not overwritten`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/x"
        let new = HostFile(new: path)
        try Data([1]).write(to: URL(filePath: path))
        #expect(throws: HostFileError(path, .changed)) { try new.replace(with: [2]) }
        let file = try HostFile(path)
        try Data([3]).write(to: URL(filePath: path))
        #expect(throws: HostFileError(path, .changed)) { try file.replace(with: [2]) }
        #expect(throws: HostFileError(path, .changed)) { try file.remove() }
        #expect(try HostFile(path).text == [3] && names() == ["x"])
    }

    @Test func `a pattern of an Include expands to the existing files`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["b.conf", "a.conf", "c"] { try Data().write(to: URL(filePath: "\(folder)/\(name)")) }
        let found = SSHMatch.paths(folder + "/*.conf").compactMap { $0.split(separator: "/").last }
        #expect(found == ["a.conf", "b.conf"])
        #expect(SSHMatch.paths(folder + "/none*").isEmpty && SSHMatch.paths(folder + "/d").isEmpty)
    }

    @Test func `links, folders, pipes and missing paths are not files`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/x"
        #expect(throws: HostFileError(path, .missing)) { try HostFile(path) }
        #expect(throws: HostFileError(folder, .notAFile)) { try HostFile(folder) }
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
        #expect(throws: HostFileError(path, .notAFile)) { try HostFile(path) }
        #expect(try !HostFile(path, followsLink: true).text.isEmpty)
        let pipe = folder + "/pipe"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        #expect(throws: HostFileError(pipe, .notAFile)) { try HostFile(pipe) }
    }

    @Test func `a program runs without our environment and descriptors`() throws {
        let end = try #require(ran("/bin/sh", ["-c", "echo $0 \"$HOME\"; ls /proc/self/fd; exit 3", "a b"]))
        #expect(end.status == 3)
        #expect(end.said.split(separator: "\n").map(String.init) == ["a b ", "0", "1", "2", "3"])
        #expect(ran("/bin/sh", ["-c", "kill -9 $$"])?.status == nil)
        #expect(ran("/nowhere") == nil)
    }
}

@Suite struct HostSettingsTests {
    private var settings: HostSettings {
        var settings = HostSettings(
            backend: "https://a.example", caFile: "/etc/mpin/ca.pem", phoneAddress: "https://p.example/")
        settings.addresses = ["a.example 192.0.2.1", "a.example 2001:db8::1"]
        settings.set("sudo", ignoresUnenrolled: true)
        settings.set("login", ignoresUnenrolled: true)
        settings.set("login", ignoresUnenrolled: false)
        settings.set("gdm-password", ignoresUnenrolled: true)
        settings.atHost = ["gdm-password"]
        return settings
    }

    private func text(_ text: String) throws -> SettingsText { try SettingsText(Array(text.utf8)) }

    private func written(_ settings: HostSettings, _ before: String) throws -> String {
        String(decoding: settings.written(in: try text(before)).octets, as: UTF8.self)
    }

    @Test func `setup reads its own settings again, and changes nothing`() throws {
        let said = try written(settings, HostSettings.mark + "\n")
        #expect(HostSettings(try text(said)) == settings)
        #expect(settings.services.map(\.name) == ["gdm-password", "login", "sudo"])
        #expect(said.contains("reach this service.\nremote = no\n\n[login]\n"))
        #expect(said.ranges(of: "remote").count == 1)
        #expect(said.contains("PIN here are not let in.\nunenrolled = deny\n"))
        #expect(said.hasPrefix("\(HostSettings.mark)\nbackend = https://a.example\n"))
        #expect(try written(settings, said) == said)
        let plain = HostSettings(backend: "unix:/run/x")
        #expect(try HostSettings(text(written(plain, ""))) == plain)
    }

    @Test func `the section of sudo is enough for sudo -i, unless the file says something else there`() throws
    {
        let sudo = "[sudo]\n# People without a PIN here are asked for the password.\nunenrolled = ignore\n"
        let head = "backend = unix:/run/x\n\n"
        func after(_ more: String) throws -> String {
            let before = try text(head + sudo + more)
            var wish = HostSettings(before)
            wish.set("sudo-i", ignoresUnenrolled: true)
            wish.leave("sudo-i", to: "sudo", in: before)
            return String(decoding: wish.written(in: before).octets, as: UTF8.self)
        }
        let earlier =
            "\n[sudo-i]\n# People without a PIN here are asked for the password.\nunenrolled = ignore\n"
        #expect(try after("") == head + sudo)
        #expect(try after(earlier) == head + sudo)
        #expect(try after(earlier + "\n[su]\ntries = 1\n") == head + sudo + "\n[su]\ntries = 1\n")
        for more in ["tries = 2\n", "# mine\n"] {
            #expect(try after(earlier + more) == head + sudo + earlier + more)
        }
        let other = earlier.replacing("ignore", with: "deny")
        #expect(try after(other).contains("[sudo-i]"))
    }

    @Test func `lines of the administrator stay, except the keys that setup must set`() throws {
        let before = """
            # mine
            help = ask me
            backend=unix:/run/mpind/mpind.sock

            [sudo]
              unenrolled  =  deny
            backup-codes = yes
            # end
            [cockpit]
            tries = 1
            """
        var wish = HostSettings(try text(before))
        #expect(wish.backend == "unix:/run/mpind/mpind.sock" && wish.services.map(\.name) == ["sudo"])
        #expect(try written(wish, before) == before + "\n")
        wish.set("login", ignoresUnenrolled: true)
        let added =
            "\n[login]\n# People without a PIN here are asked for the password.\nunenrolled = ignore\n"
        #expect(try written(wish, before) == before + "\n" + added)
        wish.set("sudo", ignoresUnenrolled: true)
        wish.set("cockpit", ignoresUnenrolled: false)
        let after = try written(wish, before)
        #expect(
            after.contains(
                "[sudo]\n# People without a PIN here are asked for the password.\nunenrolled = ignore\n"
                    + "backup-codes = yes\n# end\n[cockpit]\ntries = 1\n"
                    + "# People without a PIN here are not let in.\nunenrolled = deny\n\n[login]\n"))
        // The comment that setup wrote about a key changes with the key.
        wish.set("cockpit", ignoresUnenrolled: true)
        #expect(try written(wish, after).ranges(of: "not let in").isEmpty)
        wish.backend = "https://b.example"
        #expect(try written(wish, before).hasPrefix("# mine\nhelp = ask me\nbackend = https://b.example\n"))
    }

    @Test func `a service that becomes remote loses only the lines that setup wrote`() throws {
        var wish = settings
        let said = try written(wish, "")
        wish.atHost = []
        let after = try written(wish, said)
        #expect(!after.contains("remote") && !after.contains("Only people"))
        #expect(try HostSettings(text(after)) == wish)
        let own = said.replacing("# Only people at this host reach this service.", with: "# The lab.")
        #expect(try written(wish, own).contains("# The lab.\n\n[login]"))
    }

    @Test func `several values of a key are replaced, added and removed in place`() throws {
        var said = try text("a = 1\nb = 2\na = 3\n[x]\na = 4\n")
        said.set("a", ["5", "6", "7"])
        #expect(String(decoding: said.octets, as: UTF8.self) == "a = 5\na = 6\na = 7\nb = 2\n[x]\na = 4\n")
        said.set("a", [])
        said.set("a", ["8"], in: "y")
        #expect(said.values("a").isEmpty && said.values("a", in: "x") == ["4"])
        #expect(String(decoding: said.octets, as: UTF8.self) == "b = 2\n[x]\na = 4\n\n[y]\na = 8\n")
        #expect(said.value("b", of: "x") == "2" && said.value("a", of: "x") == "4")
        #expect(throws: GrammarError.self) { try text("a = 1\nrubbish\n") }
    }

    @Test func `desktops are services whose daemons authenticate local users`() {
        for service in ["gdm-password", "gdm-fingerprint", "gdm", "lightdm", "sddm", "polkit-1"] {
            #expect(HostSettings.isDesktop(service))
        }
        for service in ["sudo", "login", "sshd", "xgdm", "polkit", "lightdm-greeter", "cockpit"] {
            #expect(!HostSettings.isDesktop(service))
        }
    }

    @Test func `services without a proven seat get a warning`() {
        let seats = ["sudo", "sudo-i", "su", "su-l", "login", "sshd", "cron"]
        #expect(Finding.seat(unsaidIn: seats) == nil)
        let finding = Finding.seat(unsaidIn: seats + ["gdm-password", "cockpit"])
        #expect(finding?.level == .warning && finding?.word == "seat-unsaid")
        #expect(finding?.message.contains("log in by gdm-password, cockpit are at") == true)
    }

    @Test func `differences are shown as diff shows them`() {
        func shown(_ a: String?, _ b: String?) -> [String] {
            difference("/x", from: a.map { Array($0.utf8) }, to: b.map { Array($0.utf8) })
        }
        #expect(shown("a\nb\n", "a\nb\n").isEmpty)
        #expect(shown(nil, "a\nb\n") == ["--- /dev/null", "+++ /x", "@@ -1,0 +1,2 @@", "+a", "+b"])
        #expect(
            shown("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nnew\n5\n6\n7\n8\n") == [
                "--- /x", "+++ /x", "@@ -2,6 +2,7 @@", " 2", " 3", " 4", "+new", " 5", " 6", " 7",
            ])
        #expect(
            shown("a\n1\n2\n3\n4\n5\n6\n7\n8\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\n8\nb\nc\n") == [
                "--- /x", "+++ /x", "@@ -1,4 +1,4 @@", "-a", "+A", " 1", " 2", " 3", "@@ -8,3 +8,4 @@", " 7",
                " 8", " b", "+c",
            ])
        #expect(shown("a\na\n", "a\n") == ["--- /x", "+++ /x", "@@ -1,2 +1,1 @@", " a", "-a"])
    }

    @Test func `an account has a password only if one can be typed`() {
        let shadow = Array("x:$y$j9T$:1\nroot:hhhhhhhh:1\na:!hash:1\nb:*:1\nc::1\nd".utf8)
        #expect(hasPassword("root", shadow: shadow) && hasPassword("x", shadow: shadow))
        for name in ["a", "b", "c", "d", "e", ""] { #expect(!hasPassword(name, shadow: shadow), "\(name)") }
    }

    @Test func `access is certain only where M-Pin asks nothing`() {
        var ways = WaysIn()
        #expect(ways.certain.isEmpty)
        ways.passwordServices = ["login"]
        ways.passesUnenrolled = true
        #expect(ways.certain.isEmpty)
        ways.rootHasPassword = true
        #expect(ways.certain.count == 2)
        ways = WaysIn()
        ways.rootHasKey = true
        #expect(ways.certain == ["root's ssh key"])
    }

    @Test func `su gives access only after another login`() {
        var ways = WaysIn()
        ways.rootHasPassword = true
        ways.passwordServices = ["su"]
        #expect(ways.certain.isEmpty)
        ways.sshTakesPassword = true
        #expect(ways.certain == ["root's password by su, after a login by ssh"])
        ways.passwordServices = []
        #expect(ways.certain.isEmpty)
        ways.passwordServices = ["su", "login"]
        #expect(ways.certain == ["root's password by login"])
    }

    private static let key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + String(repeating: "x", count: 43)

    @Test(arguments: [
        ("", false), ("\n \n# \(key)\n\t#x\n", false), ("rubbish", false), ("ssh-ed25519 AAAA", false),
        ("ssh-dss " + key.dropFirst(12), false), (key, true), ("# x\n\n \(key) root@x\r\n", true),
        ("command=\"true\" \(key)", false), ("no-pty,Command=\"a \\\" b, c\" \(key)", false),
        ("command=\"x\",no-pty \(key)\n\(key)", true), ("from=\"10.0.0.1,command=x\" \(key)", true),
        ("restrict,pty \(key)", true), ("cert-authority \(key)", false),
        ("expiry-time=\"20200101\" \(key)", false), ("command=\"\(key)", false),
        ("environment=\"A=\\\"\",command=\"x\" \(key)", false),
    ])
    func `a key gives access only if it permits any command`(_ text: String, _ isWay: Bool) {
        #expect(hasLoginKey(Array(text.utf8)) == isWay)
    }

    @Test func `the groups of an account are those that name it and its own`() {
        let text = Array("root:x:0:\nwheel:x:10:alice,root\nssh:x:11:rooty\nx:0:root\nother:x::\n".utf8)
        #expect(groups(of: "root", gid: 0, group: text) == ["root", "wheel"])
    }
}
