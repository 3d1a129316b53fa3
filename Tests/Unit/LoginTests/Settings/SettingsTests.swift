// SPDX-License-Identifier: Apache-2.0
// mpin.conf and the module's arguments: defaults, layers, and errors with file, line and key.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Testing

@Suite struct `The settings` {
    @Test func `have their defaults`() throws {
        let settings = try readSettings(leastSettings)
        #expect(settings.answer == .sealed)
        #expect(settings.method == .pinAndPhone)
        #expect(settings.remotePIN == .key)
        #expect(settings.phoneAddress == nil && settings.phoneCode == .required)
        #expect(settings.tries == 3)
        #expect([settings.deadline, settings.connectTimeout, settings.callTimeout] == [100, 3, 10])
        #expect(settings.unenrolled == .deny && settings.backupCodeOffline == 7)
        #expect(settings.never == .standard)
        #expect(settings.users == [] && settings.groups == [] && settings.networks == [])
        #expect(settings.qrOffUsers == [] && settings.qrStyle(for: Array("alice".utf8)) == .auto)
        #expect(settings.qr == .auto && settings.screen == Screen(columns: 80, rows: 24))
        #expect(settings.backupCodes == [] && !settings.takesBackupCodes)
        #expect(settings.help == nil && settings.caFile == nil && settings.alsoOrigins == [])
        #expect(settings.store == Array("/var/lib/mpin".utf8))
    }

    @Test(arguments: [
        ("backup-codes = su", true), ("backup-codes = sudo  login\tsu", true), ("backup-codes = sudo", false),
        ("backup-codes = none", false), ("backup-codes = su\n[su]\nbackup-codes = none", false),
        ("[su]\nbackup-codes = su", true), ("[sudo]\nbackup-codes = su", false),
        ("[su]\nbackup-codes = sudo", false), ("backup-codes = Su", false),
    ])
    func `accept backup codes in the services that they name`(_ lines: String, _ taken: Bool) throws {
        #expect(try readSettings(leastSettings + lines).takesBackupCodes == taken)
    }

    @Test(arguments: [
        "", "yes", "no", "all", "sudo all", "su none", "su*", "!su", "su, sudo", "su/x", "s\u{fc}",
    ])
    func `accept as services no text that looks like another value`(_ value: String) throws {
        let error = try #require(settingsFault(leastSettings + "backup-codes = \(value)"))
        #expect(
            error.key == Array("backup-codes".utf8) && error.problem == .key(.badValue) && error.line == 2)
    }

    @Test(arguments: [("sudo", 1), ("sudo-i", 1), ("login", 1), ("sshd", 3), ("su", 3)])
    func `allow one try where the program asks again`(_ service: String, _ tries: Int) throws {
        #expect(try readSettings(leastSettings, service: service).tries == tries)
        #expect(try readSettings(leastSettings + "tries = 2", service: service).tries == 2)
    }

    @Test func `accept every key`() throws {
        let settings = try readSettings(
            """
            backend = https://one.example.org
            backend = https://[2001:db8::1]:8443/mpin
            backend-address = One.example.org 192.0.2.1
            backend-address = one.example.org 2001:db8::2
            ca-file = /etc/mpin/ca.pem
            also-origin = https://dta.example.org:444
            method = pin
            remote-pin = long
            phone-address = https://login.example.org/go
            phone-code = optional
            tries = 10
            deadline = 60
            connect-timeout = 2
            call-timeout = 5
            unenrolled = ignore
            backup-code-offline = 90
            never = root 1001
            users = a* !ab?
            groups = wheel
            networks = 192.0.2.0/24 !192.0.2.7
            exempt-users = backup
            exempt-groups = none
            exempt-from = 192.0.2.8/29
            qr = ascii-inverse
            screen = 132x43
            help = ask Bob, extension 12 # really
            relay = /opt/mpin-relay
            store = /srv/mpin
            """)
        #expect(settings.backends.map(\.channel) == [.https, .https])
        #expect(settings.backends.map(\.name) == [Array("one.example.org".utf8), nil])
        #expect(
            settings.hello(attempt: []).addresses == [
                Array("one.example.org 192.0.2.1".utf8), Array("one.example.org 2001:db8::2".utf8),
            ])
        #expect(settings.method == .pin && settings.remotePIN == .long && settings.phoneCode == .optional)
        #expect(
            [settings.tries, settings.deadline, settings.connectTimeout, settings.callTimeout] == [
                10, 60, 2, 5,
            ])
        #expect(settings.unenrolled == .ignore && settings.backupCodeOffline == 90)
        #expect(settings.never == .users([Array("root".utf8), Array("1001".utf8)]))
        #expect(settings.users.count == 2 && settings.groups.count == 1 && settings.networks.count == 2)
        #expect(settings.exemptUsers.count == 1 && settings.exemptGroups == [])
        #expect(settings.exemptFrom.count == 1)
        #expect(settings.qr == .asciiInverse && settings.screen == Screen(columns: 132, rows: 43))
        #expect(settings.help == Array("ask Bob, extension 12 # really".utf8))
        #expect(settings.relay == Array("/opt/mpin-relay".utf8) && settings.store == Array("/srv/mpin".utf8))
    }

    @Test func `of a service override the general ones, and arguments override both`() throws {
        let text =
            leastSettings
            + "tries = 5\nhelp = all\n[sshd]\ntries = 4\nbackend = unix:/run/b\n[su]\nhelp = su\n"
        let sshd = try readSettings(text, service: "sshd")
        #expect(sshd.tries == 4 && sshd.help == Array("all".utf8))
        #expect(sshd.backends.map(\.address) == [Array("unix:/run/b".utf8)])
        let su = try readSettings(text, ["tries=2", "backend=unix:/run/c", "backend=unix:/run/d"])
        #expect(su.tries == 2 && su.help == Array("su".utf8))
        #expect(su.backends.map(\.address) == [Array("unix:/run/c".utf8), Array("unix:/run/d".utf8)])
        #expect(try readSettings(text, ["service=sshd"]).tries == 4)
    }

    @Test(arguments: [
        ("nonsense = 1\n", 2, "nonsense", KeyError.Problem.unknown), ("tries = 0\n", 2, "tries", .badValue),
        ("tries = 11\n", 2, "tries", .badValue), ("tries = +1\n", 2, "tries", .badValue),
        ("tries = 1\ntries = 1\n", 3, "tries", .repeated), ("\n\nmethod = face\n", 4, "method", .badValue),
        ("[other]\ndeadline = soon\n", 3, "deadline", .badValue), ("[su]\nspam = 1\n", 3, "spam", .unknown),
        ("backup-code-offline = 91\n", 2, "backup-code-offline", .badValue),
        ("backup-code-offline = 7d\n", 2, "backup-code-offline", .badValue),
        ("networks = 192.0.2.0/33\n", 2, "networks", .badValue),
        ("networks = example.org\n", 2, "networks", .badValue), ("screen = 80\n", 2, "screen", .badValue),
        ("store = var/lib\n", 2, "store", .badValue), ("never =\n", 2, "never", .badValue),
        ("also-origin = https://a.example.org/path\n", 2, "also-origin", .badValue),
        ("phone-address = https://a.example.org/#x\n", 2, "phone-address", .badValue),
        ("phone-address = http://a.example.org/\n", 2, "phone-address", .badValue),
        ("qr = big\n", 2, "qr", .badValue), ("ca-file = etc/ca.pem\n", 2, "ca-file", .badValue),
        ("proxy = x\n", 2, "proxy", .badValue), ("help =\n", 2, "help", .badValue),
        ("backend-address = 192.0.2.1\n", 2, "backend-address", .badValue),
        ("backend-address = login.example.org\n", 2, "backend-address", .badValue),
        ("backend-address = login.example.org other.example.org\n", 2, "backend-address", .badValue),
        ("backend-address = 192.0.2.1 192.0.2.1\n", 2, "backend-address", .badValue),
        ("backend-address = login.example.org fe80::1%eth0\n", 2, "backend-address", .badValue),
        ("backend-address = login.example.org:443 192.0.2.1\n", 2, "backend-address", .badValue),
    ])
    func `that are wrong report file, line and key`(
        _ text: String, _ line: Int, _ key: String, _ problem: KeyError.Problem
    ) throws {
        let error = try #require(settingsFault(leastSettings + text))
        #expect(error.file == Array("mpin.conf".utf8))
        #expect(error.line == line)
        #expect(error.key == Array(key.utf8))
        #expect(error.problem == .key(problem))
    }

    @Test(arguments: [
        ("unavailable = deny\n", 2, "unavailable"), ("unavailable = ignore\n", 2, "unavailable"),
        ("[other]\nremote-ignore = yes\n", 3, "remote-ignore"),
    ])
    func `have no policy for a server that is away`(_ text: String, _ line: Int, _ key: String) throws {
        let error = try #require(settingsFault(leastSettings + text))
        #expect(error.problem == .conflict(.stackDecides))
        #expect(error.line == line && error.key == Array(key.utf8))
    }

    @Test func `need a backend`() throws {
        #expect(try #require(settingsFault("tries = 1\n")).problem == .key(.missing))
        #expect(settingsFault("tries = 1\n", ["backend=unix:/run/x"]) == nil)
    }

    @Test(arguments: [
        "unix:run/x", "unix:", "unix:/" + String(repeating: "x", count: 107), "http://localhost:8011",
        "http://192.0.2.1",
        "http://127.0.0.1.example.org", "http://127.0.0.1@evil.example.org", "http://127.0.0.2",
        "http://[::2]",
        "https://", "https://user@example.org", "https://example.org:0", "https://example.org:65536",
        "https://example.org:", "https://example.org/?x", "https://example.org/#x", "https://exa mple.org",
        "https://example.org/a\\b",
        "https://[::1", "ftp://example.org", "HTTPS://example.org", "//example.org", "example.org",
    ])
    func `refuse an invalid backend`(_ backend: String) throws {
        #expect(try #require(settingsFault("backend = \(backend)\n")).key == Array("backend".utf8))
    }

    @Test(arguments: [
        ("unix:/run/mpind.sock", Backend.Channel.unix), ("http://127.0.0.1:8011", .loopback),
        ("http://[::1]/", .loopback),
        ("https://example.org", .https), ("https://example.org:8443/mpin/", .https),
        ("https://[2001:db8::1]:1", .https),
    ])
    func `accept a valid backend`(_ backend: String, _ channel: Backend.Channel) throws {
        #expect(try readSettings("backend = \(backend)\n").backends.map(\.channel) == [channel])
    }

    @Test func `never enrol over plain http`() throws {
        #expect(throws: SettingsError.self) {
            try readSettings("backend = http://127.0.0.1\n").checkForEnrolment()
        }
        try readSettings(leastSettings).checkForEnrolment()
    }

    @Test(arguments: [
        (
            "backend = https://a.example.org\nanswer = unsealed\n",
            SettingsError.Conflict.unsealedNeedsPIN
        ),
        (leastSettings + "answer = unsealed\nmethod = pin\n", .unsealedNeedsHTTPS),
        ("backend = http://127.0.0.1\nanswer = unsealed\nmethod = pin\n", .unsealedNeedsHTTPS),
        (leastSettings + "connect-timeout = 5\ncall-timeout = 4\n", .connectTimeoutTooLong),
        ("backend = https://a.example.org\nanswer = unsealed\nmethod = otp\n", .unsealedNeedsPIN),
    ])
    func `that contradict each other are refused`(
        _ text: String, _ conflict: SettingsError.Conflict
    ) throws {
        #expect(try #require(settingsFault(text)).problem == .conflict(conflict))
    }

    @Test func `may set remote only for a service`() throws {
        let error = try #require(settingsFault(leastSettings + "remote = no\n[su]\n"))
        #expect(error.problem == .conflict(.needsSection))
        #expect(error.line == 2 && error.key == Array("remote".utf8))
        #expect(
            try readSettings(leastSettings + "[su]\nremote = no\n[login]\nremote = yes\n").remote == false)
        #expect(try readSettings(leastSettings + "[su]\nremote = no\n", service: "sudo").remote == nil)
        #expect(try readSettings(leastSettings + "[su]\nremote = no\n", ["remote=yes"]).remote == true)
        #expect(settingsFault(leastSettings + "[su]\nremote = maybe\n") != nil)
    }

    @Test(arguments: ["standing", "enroll", "change-pin", "bind", "webauthn"])
    func `are refused for a service that has the name of an internal question`(_ service: String) throws {
        for (arguments, own) in [([[UInt8]](), service), ([Array("service=\(service)".utf8)], "sudo")] {
            let error = #expect(throws: SettingsError.self) {
                try Settings(
                    text: Array(leastSettings.utf8), file: Array("f".utf8), arguments: arguments,
                    service: Array(own.utf8))
            }
            #expect(error?.problem == .conflict(.reservedService))
        }
    }

    @Test func `of a Milagro server are accepted`() throws {
        #expect(settingsFault("backend = https://a.example.org\nanswer = unsealed\nmethod = pin\n") == nil)
    }

    @Test(arguments: [
        ("tries", "tries", KeyError.Problem.badValue), ("spam=1", "spam", .unknown),
        ("config=relative", "config", .badValue),
        ("service=", "service", .badValue), ("tries=x", "tries", .badValue), ("", "", .badValue),
    ])
    func `given as arguments are reported by their position`(
        _ argument: String, _ key: String, _ problem: KeyError.Problem
    ) throws {
        let error = try #require(settingsFault(leastSettings, ["deadline=50", argument]))
        #expect(error.file == [])
        #expect(error.line == 2)
        #expect(error.key == Array(key.utf8))
        #expect(error.problem == .key(problem))
    }

    @Test func `are read from a file that only root can change`() throws {
        let folder = try Folder()
        try folder.write(leastSettings, to: "mpin.conf", mode: 0o644)
        let arguments = [Array("config=\(folder.path)/mpin.conf".utf8)]
        #expect(try Settings.load(arguments: arguments, service: [0x78]).tries == 3)
        try folder.write(leastSettings, to: "mpin.conf", mode: 0o666)
        #expect(throws: SettingsError.self) {
            try Settings.load(arguments: arguments, service: [0x78])
        }
        let missing = [Array("config=\(folder.path)/none".utf8)]
        #expect(throws: SettingsError.self) {
            try Settings.load(arguments: missing, service: [0x78])
        }
    }
}
