// SPDX-License-Identifier: Apache-2.0
// `mpin why`: which methods are open, what closes the others, and what would be on the screen.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct WhyTests {
    /// A host with a key, and settings of its own.
    private struct HostFixture {
        let host: Host

        init(_ settings: String = "", phone: Bool = true) throws {
            host = try Host()
            try host.giveKey()
            if phone { try #require(host.allow().status == 0) }
            try host.write("backend = unix:/nowhere/s\nnever = none\n\(settings)\n", to: "mpin.conf")
        }

        func why(_ words: [String], of user: String? = nil) throws -> (status: CInt, told: [String: Any]) {
            let ending = try command(
                ["mpin", "why", user ?? host.user, "--json", "--config", host.store + "/mpin.conf"]
                    + ["--store", host.store] + words)
            return (ending.status, try object(ending))
        }
    }

    /// A login here, at a console, from a remote host, and from there with a key.
    private static let here = ["--service", "su"]
    private static let console = ["--service", "login", "--tty", "tty1"]
    private static let afar = ["--service", "sshd", "--rhost", "192.0.2.7"]
    private static let withKey = afar + ["--key"]

    private func reason(_ told: [String: Any], _ way: String) -> String? {
        let way = told[way] as? [String: Any]
        return way?["open"] as? Bool == true ? "open" : way?["reason"] as? String
    }

    @Test(arguments: [
        // Settings, and from where; the reasons for the PIN and for the second device, and what is asked for.
        ("", here, "no-pin-here", "open", "phone"),
        ("method = pin", here, "no-pin-here", "method", ""),
        ("method = phone", here, "method", "open", "phone"),
        ("", afar, "remote-pin", "open", "phone"),
        ("", withKey, "no-pin-here", "open", "phone pin"),
        ("remote-pin = no", withKey, "remote-pin", "open", "phone"),
        ("remote-pin = long", afar, "no-pin-here", "open", "phone pin"),
        ("networks = !192.0.2.0/24", afar, "remote-pin", "networks", "phone"),
        ("networks = !192.0.2.0/24", here, "no-pin-here", "open", "phone"),
        ("users = !*", here, "users", "users", ""),
        ("groups = no-such-group-*", here, "groups", "groups", ""),
        ("[su]\nmethod = phone\n[sshd]\nmethod = pin", here, "method", "open", "phone"),
        ("[su]\nmethod = phone\n[sshd]\nmethod = pin", withKey, "no-pin-here", "method", "pin"),
    ])
    func `each method has the reason that decides it`(
        _ settings: String, _ context: [String], _ pin: String, _ phone: String, _ asked: String
    ) throws {
        let (status, told) = try HostFixture(settings).why(context)
        #expect(reason(told, "pin") == pin && reason(told, "phone") == phone)
        #expect((told["asked"] as? [String])?.joined(separator: " ") == asked)
        let isOpen = pin == "open" || phone == "open"
        #expect(status == (isOpen ? 0 : 1))
        #expect((told["outcome"] == nil) == isOpen && (told["message"] == nil) == isOpen)
    }

    @Test func `a name in the rule never closes both methods`() throws {
        let place = try HostFixture()
        let (status, told) = try place.why(Self.here + ["--argument", "never=\(place.host.user)"])
        #expect(status == 1 && reason(told, "phone") == "never" && reason(told, "pin") == "never")
        #expect((told["message"] as? String)?.contains("'never = \(place.host.user)'") == true)
    }

    @Test(arguments: [
        ("optional", console, true), ("optional", here, false), ("optional", afar, false),
        ("required", console, false),
    ])
    func `Enter is an answer only on virtual consoles`(_ use: String, _ context: [String], _ enter: Bool)
        throws
    {
        #expect(try HostFixture("phone-code = \(use)").why(context).told["enter"] as? Bool == enter)
    }

    @Test(
        arguments: [
            ("", here, "setuid"), ("", here + ["--uid", "33"], "setuid-service"), ("", console, "console"),
            ("", ["--service", "login"], "console"),
            ("", ["--service", "login", "--tty", "pts/3"], "unproved"),
            ("", ["--service", "login", "--caller", "daemon"], "unproved"), ("", afar, "network"),
            ("", ["--service", "gdm-password"], "unproved"),
            ("", ["--service", "gdm-password", "--tty", ":0"], "unproved"),
            ("[gdm-password]\nremote = no", ["--service", "gdm-password", "--tty", ":0"], "setting"),
            ("[su]\nremote = yes", here, "setting"),
        ] as [(String, [String], String)])
    func `the row that decides whether the user is here is named`(
        _ settings: String, _ words: [String], _ row: String
    ) throws {
        let told = try HostFixture(settings).why(words).told
        #expect(told["seat"] as? String == row)
        let isHere = ["setuid", "console"].contains(row) || settings.contains("= no")
        #expect(told["remote"] as? Bool == !isHere)
    }

    @Test func `sshd is a remote service even without further facts`() throws {
        let told = try HostFixture().why(["--service", "sshd"]).told
        #expect(told["remote"] as? Bool == true && reason(told, "pin") == "remote-pin")
    }

    @Test
    func `a user who is not enrolled gets the policy's outcome, and remotely the same screen as others`()
        throws
    {
        for (policy, asked) in [("deny", ["phone"]), ("ignore", [])] {
            let place = try HostFixture("unenrolled = \(policy)", phone: false)
            let (status, told) = try place.why(Self.afar)
            #expect(status == 1 && told["outcome"] as? String == "not-enrolled")
            #expect(reason(told, "phone") == "no-file" && told["unenrolled"] as? String == policy)
            #expect(told["asked"] as? [String] == asked)
            // A user without an account is never skipped.
            let stranger = try place.why(Self.afar, of: "no such account")
            #expect(stranger.status == 1 && stranger.told["uid"] == nil)
            #expect(reason(stranger.told, "phone") == "no-such-account")
            #expect(stranger.told["asked"] as? [String] == ["phone"])
        }
    }

    @Test func `an incomplete host is the same for every user, and ends with 2`() throws {
        let place = try HostFixture()
        try FileManager.default.removeItem(atPath: place.host.store + "/host")
        for user in [place.host.user, "no such account"] {
            let (status, told) = try place.why(Self.afar, of: user)
            #expect(status == 2 && told["outcome"] as? String == "broken")
            #expect(reason(told, "pin") == "remote-pin" && reason(told, "phone") == "store")
            #expect(told["asked"] as? [String] == [])
        }
    }

    @Test func `settings under which no login is possible are reported`() throws {
        for (settings, words) in [
            ("unavailable = ignore", "'authinfo_unavail=ignore'"), ("method = pin otp", "method"),
            ("[other]\nno-such-key = 1", "no such key"),
        ] {
            let (status, told) = try HostFixture(settings).why(Self.afar)
            let error = told["error"] as? [String: String]
            #expect(status == 2 && error?["kind"] == "settings")
            #expect(error?["message"]?.contains(words) == true, "\(error ?? [:])")
        }
    }

    @Test func `an exempt user is not asked, and the setting is named`() throws {
        let place = try HostFixture("exempt-users = *\n[login]\nexempt-users = none\n[sudo]\ngrace = 90s")
        let (status, told) = try place.why(Self.here)
        #expect(status == 0 && told["exempt"] as? String == "exempt-users")
        #expect(told["outcome"] as? String == "exempt" && told["asked"] as? [String] == [])
        #expect((told["message"] as? String)?.contains("'exempt-users = *': the module steps aside") == true)
        // Root is asked in a remote login, whatever the settings say.
        let afar = try place.why(Self.withKey).told
        #expect((afar["exempt"] == nil) == (geteuid() == 0))
        #expect(geteuid() == 0 || (afar["message"] as? String)?.contains("the public key that sshd") == true)
        #expect(try place.why(Self.console).told["exempt"] == nil)
        let text = try command(
            ["mpin", "why", place.host.user, "--config", place.host.store + "/mpin.conf", "--store"]
                + [place.host.store, "--service", "sudo"]
        ).output
        for words in ["exempt         M-Pin does not ask", "'grace = 90s'"] {
            #expect(text.contains(words), "\(text)")
        }
    }

    @Test func `the text has the same content`() throws {
        let place = try HostFixture("unenrolled = ignore")
        let text = try command(
            [
                "mpin", "why", place.host.user, "--config", place.host.store + "/mpin.conf", "--store",
                place.host.store,
            ]
                + Self.withKey)
        let lines = text.output.split(separator: "\n")
        #expect(lines.first?.contains("in sshd, over the network, from 192.0.2.7") == true)
        for wanted in [
            "PIN            closed: The account has no PIN", "second device  open: a phone (0a0a0a0a)",
            "on the screen  access number", "'unenrolled = ignore'",
            "place          over the network: PAM_RHOST or PAM_TTY says so",
        ] {
            #expect(lines.contains { $0.contains(wanted) }, "\(wanted)\n\(text.output)")
        }
    }
}
