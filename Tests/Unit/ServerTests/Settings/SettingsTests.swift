// SPDX-License-Identifier: Apache-2.0
// The daemon's settings: their values, its listeners, and the account of a new server.
import FoundationEssentials
import Glibc
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

/// The settings of a file with this text.
func settings(_ text: String) throws -> DaemonSettings {
    let folder = try newFolder()
    defer { removeFolder(folder) }
    let file = folder + "/mpind.conf"
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    return try DaemonSettings(file: file, data: nil)
}

@Suite(.slow) struct SettingsTests {
    @Test func `an empty file gives the defaults`() throws {
        let settings = try settings("# nothing\n")
        #expect(settings.listen == [.unix("/run/mpind/mpind.sock")])
        #expect(settings.data == "/var/lib/mpind")
        #expect(settings.authorityData == "/var/lib/mpind-ta")
        #expect(settings.adminSocket == "/run/mpind/admin.sock")
        #expect(settings.registration == .code)
        #expect(!settings.requestsOTP)
        #expect(settings.page == .package && !settings.isHTTPS)
        #expect(settings.publicURL == nil)
        try settings.check()
    }

    @Test func `without the system's file the defaults apply, and a named file must exist`() throws {
        let folder = try newFolder()
        defer { removeFolder(folder) }
        let missing = folder + "/mpind.conf"
        let defaults = try settings("")
        #expect(try DaemonSettings(file: nil, data: nil, system: missing) == defaults)
        #expect(throws: SetupError.self) { try DaemonSettings(file: missing, data: nil) }
        try "registration = all".write(toFile: missing, atomically: false, encoding: .utf8)
        #expect(throws: SetupError.self) { try DaemonSettings(file: nil, data: nil, system: missing) }
        // Here the path cannot be opened, which is not the same as a missing file.
        #expect(throws: SetupError.self) { try DaemonSettings(file: nil, data: nil, system: missing + "/x") }
    }

    @Test(arguments: [
        "listen = unix:/run/a\nlisten = unix:/run/a", "listen = unix:/run/mpind/admin.sock",
        "listen = 127.0.0.1:1\nlisten = 127.0.0.1:1\npublic-url = http://127.0.0.1:1",
    ]) func `an address that is given twice is refused`(_ text: String) throws {
        let settings = try settings(text)
        let error = #expect(throws: SetupError.self) { try settings.check() }
        #expect(error?.description.contains("twice") == true)
    }

    @Test func `every setting is read`() throws {
        let settings = try settings(
            """
            listen = unix:/run/a.sock
            listen = 127.0.0.1:8011
            listen = [::1]:8011
            public-url = https://Login.Example.org:443/
            data = /srv/mpind
            authority-data = /srv/ta
            admin-socket = /run/b.sock
            registration = confirm
            request-otp = yes
            page = /srv/page
            """)
        #expect(settings.page == .folder("/srv/page") && settings.isHTTPS)
        #expect(
            settings.listen == [
                .unix("/run/a.sock"), .tcp(host: "127.0.0.1", port: 8011), .tcp(host: "::1", port: 8011),
            ])
        #expect(settings.publicURL?.origin == "https://login.example.org")
        #expect(settings.registration == .confirm)
        #expect(settings.requestsOTP)
        try settings.check()
        let policy = settings.policy
        for (host, status) in [
            ("login.example.org", nil), ("127.0.0.1:8011", nil), ("[::1]:8011", nil), ("localhost:8011", 421),
        ] as [(String, Int?)] {
            let head = Request(method: "GET", target: "/status", host: host, peer: Server.address)
            #expect(policy.refusal(of: head)?.status == status)
        }
    }

    @Test(arguments: [
        "listen = 0.0.0.0", "listen = localhost:8011", "listen = 127.0.0.1:0",
        "listen = 127.0.0.1:70000", "listen = 127.0.0.1:+80", "session-life = +30",
        "listen = unix:relative", "listen = unix:", "listen =", "public-url = login.example.org",
        "public-url = https://", "public-url = https://a/b", "public-url = https://a b",
        "public-url = ftp://a",
        "data = relative", "registration = all", "data = /a\ndata = /b", "tls-key = k",
        "tls-certificate = ./c", "proxy-listen = proxy:80", "trusted-proxy = 10.0.0.0/33",
        "trusted-proxy = example.org", "listen = 2001:db8::1:443", "listen = [192.0.2.1]:443", "role = dta2",
        "database = mysql://x", "rpa-listen = unix:/x", "metrics-listen = metrics:9", "unknown = 1",
        "role = dta3", "role = dta1\nrps-credentials = c.json", "rps-credentials = /c.json",
        "role = all\nrps-credentials = /c", "role = dta1\nrps-credentials = /c\nregistration = confirm",
        "page = maybe", "page = ./page", "page =", "page = no\npage = yes", "[sshd]\ndata = /a", "no line",
    ]) func `an invalid line is an error that names the file and the line`(_ text: String) throws {
        let error = #expect(throws: SetupError.self) { try settings("# first\n" + text) }
        #expect(error?.description.contains("mpind.conf, line ") == true)
    }

    @Test(
        arguments: [
            ("listen = 192.0.2.1:443", "needs TLS"),
            ("proxy-listen = 0.0.0.0:80\ntrusted-proxy = ::1", "needs TLS"),
            ("tls-key = /k", "belong together"), ("tls-certificate = /c", "belong together"),
            ("proxy-listen = 127.0.0.1:80", "`trusted-proxy`"),
            ("trusted-proxy = 127.0.0.1", "`proxy-listen` on TCP"),
            ("proxy-listen = unix:/run/p\ntrusted-proxy = 127.0.0.1", "`proxy-listen` on TCP"),
            ("listen = unix:/run/p\nproxy-listen = unix:/run/p", "is given twice"),
            ("proxy-listen = 127.0.0.1:80\ntrusted-proxy = 10.0.0.1", nil),
            ("proxy-listen = unix:/run/p", nil),
            ("listen = 0.0.0.0:443\nlisten = [::]:443\ntls-certificate = /c\ntls-key = /k", nil),
        ] as [(String, String?)])
    func `listeners for other machines need TLS, and proxies are trusted by address`(
        _ text: String, _ sentence: String?
    ) throws {
        let settings = try settings("public-url = https://login.example.org\n" + text)
        guard let sentence else { return try settings.check() }
        let error = #expect(throws: SetupError.self) { try settings.check() }
        #expect(error?.description.contains(sentence) == true)
    }

    @Test func `a listener on TCP needs a public-url`() throws {
        let settings = try settings("listen = 127.0.0.1:8011")
        #expect(throws: SetupError.self) { try settings.check() }
    }

    @Test func `with only a data folder every path is inside it`() throws {
        let settings = try DaemonSettings(file: nil, data: "/srv/x")
        #expect(settings.listen == [.unix("/srv/x/mpind.sock")])
        #expect(settings.adminSocket == "/srv/x/admin.sock")
        #expect(settings.authorityData == "/srv/x/authority")
    }

    @Test func `a settings file that others may write is refused`() throws {
        let folder = try newFolder()
        defer { removeFolder(folder) }
        let file = folder + "/mpind.conf"
        try "".write(toFile: file, atomically: false, encoding: .utf8)
        #expect(unsafe chmod(file, 0o666) == 0)
        #expect(throws: SetupError.self) { try DaemonSettings(file: file, data: nil) }
        #expect(throws: SetupError.self) { try DaemonSettings(file: folder + "/nothing", data: nil) }
    }
}

@Suite(.slow) struct AccountTests {
    private let root = UserAccount(named: "root")
    private let nobody = UserAccount(named: "nobody")

    @Test func `a new server belongs to its caller, and root can make one for another account`() throws {
        func owner(_ user: String?, _ hasFolder: Bool, _ caller: UInt32) throws -> UserAccount? {
            try UserAccount.ofNewServer(user: user, hasFolder: hasFolder, caller: caller)
        }
        #expect(root?.uid == 0)
        #expect(try owner(nil, false, 0) == UserAccount(named: "_mpind"))
        #expect(try owner(nil, true, 0) == nil)
        #expect(try owner(nil, false, 1000) == nil)
        #expect(try owner("root", false, 0) == nil)
        #expect(try owner("nobody", true, 0) == nobody)
        #expect(try owner("nobody", false, #require(nobody).uid) == nil)
        #expect(throws: SetupError.self) { try owner("root", true, 1000) }
        #expect(throws: SetupError.self) { try owner("nobody-of-that-name", true, 0) }
    }
}

@Suite(.slow) struct CompatibilitySettingsTests {
    @Test func `the profile alone has Milagro's numbers and no external RPA`() throws {
        #expect(try settings("").compatibility == nil)
        #expect(try settings("profile = none").compatibility == nil)
        let compatibility = try #require(try settings("profile = compat").compatibility)
        #expect(compatibility.accessNumberLife == 300)
        #expect(compatibility.maxInvalidLogins == 3)
        #expect(compatibility.externalRPA == ExternalRPA())
    }

    @Test func `every setting of the profile is read`() throws {
        let settings = try settings(
            """
            profile = compat
            access-number-life = 60
            access-number-checksum = no
            allow-origin = https://Shop.example.org:443/
            allow-origin = https://other.example.org:8443
            max-invalid-logins = 5
            rpa-listen = 127.0.0.1:8012
            rpa-verify-url = http://127.0.0.1:8005/mpinVerify
            rpa-permit-url = https://rpa.example.org/permit?x=1
            authenticate-url = /mpinAuthenticate
            logout-url = /logout
            register-forward-headers = X-Forwarded-For Cookie
            wait-for-login-result = yes
            """)
        let compatibility = try #require(settings.compatibility)
        #expect(compatibility.accessNumberLife == 60)
        #expect(compatibility.maxInvalidLogins == 5)
        #expect(!compatibility.checksNumbers)
        #expect(
            compatibility.allowedOrigins == ["https://shop.example.org", "https://other.example.org:8443"])
        for (origin, status) in [
            ("https://shop.example.org", nil), ("https://shop.example.org.evil.example", 403),
            ("http://shop.example.org", 403), ("null", 403),
        ] {
            let asked = Request(
                method: "POST", target: "/rps/pass1", host: "localhost", origin: origin,
                peer: .local(user: 0, process: 1))
            #expect(settings.policy.refusal(of: asked)?.status == status)
        }
        #expect(settings.rpaListen == .tcp(host: "127.0.0.1", port: 8012))
        let externalRPA = compatibility.externalRPA
        #expect(externalRPA.verifyURL == "http://127.0.0.1:8005/mpinVerify")
        #expect(externalRPA.permitURL == "https://rpa.example.org/permit?x=1")
        #expect(externalRPA.authenticateURL == "/mpinAuthenticate")
        #expect(externalRPA.logoutURL == "/logout")
        #expect(externalRPA.forwarding == .some(["x-forwarded-for", "cookie"]))
        #expect(externalRPA.waitsForResult)
        try settings.check()
    }

    @Test(arguments: [
        "profile = all", "profile =", "max-invalid-logins = 5", "profile = none\naccess-number-life = 60",
        "profile = compat\nmax-invalid-logins = 0", "profile = compat\nmax-invalid-logins = many",
        "allow-origin = https://shop.example.org", "access-number-checksum = no",
        "profile = compat\nallow-origin = *", "profile = compat\nallow-origin = shop.example.org",
        "profile = compat\nallow-origin = https://shop.example.org/pad",
        "profile = compat\naccess-number-checksum = maybe", "profile = compat\naccess-number-life = 10",
        "profile = compat\naccess-number-life = 301", "profile = compat\nlogout-url = https://a:0/",
        "profile = compat\nrpa-listen = 0.0.0.0:8012", "profile = compat\nrpa-verify-url = http://a.example/",
        "rpa-listen = unix:/run/x", "profile = compat\nrpa-verify-url = http://127.0.0.1.example.org/",
        "profile = compat\nrpa-verify-url = https://user@rpa.example.org/", "public-url = HTTPS://a.example",
        "profile = compat\nrpa-verify-url = https:///x", "profile = compat\nrpa-verify-url = /x",
        "profile = compat\nrpa-verify-url = file:///etc/passwd",
        "profile = compat\nrpa-permit-url = https://a b", "profile = compat\nauthenticate-url = mpin",
        "profile = compat\nlogout-url = javascript:x", "profile = compat\nwait-for-login-result = 1",
        "profile = compat\nregister-forward-headers =", "profile = compat\nprofile = compat",
    ]) func `an invalid line is an error that names the file and the line`(_ text: String) throws {
        let error = #expect(throws: SetupError.self) { try settings("# first\n" + text) }
        #expect(error?.description.contains("mpind.conf, line ") == true)
    }

    @Test func `the server's name, images and prefix are read as given`() throws {
        let service = try settings(
            """
            service-name = Example Ltd, München
            logo-url = https://example.org/logo.png
            icon-url = /icon.svg
            rps-prefix = mfa-2
            set-device-name = yes
            """
        ).service
        #expect(service.name == "Example Ltd, München")
        #expect((service.logoURL, service.iconURL) == ("https://example.org/logo.png", "/icon.svg"))
        #expect(service.prefix == "mfa-2" && service.asksDeviceName)
        #expect(try settings("").service == ServiceDescription())
    }

    @Test(arguments: [
        "service-name =", "service-name = \u{202e}x", "logo-url = javascript:x", "icon-url = x.png",
        "rps-prefix = dta2", "rps-prefix = a/b", "rps-prefix = A", "rps-prefix =", "set-device-name = 1",
        "service-name = " + String(repeating: "x", count: 65),
    ]) func `a value that no client could show or follow is an error`(_ text: String) throws {
        #expect(throws: SetupError.self) { try settings(text) }
    }

    @Test func `lifetimes can be shortened but not extended`() throws {
        let lives = try settings(
            """
            code-life = 3600
            qr-code-life = 60
            registration-life = 600
            otp-life = 20
            application-session-life = 30
            authorization-code-life = 5
            """
        ).lives
        #expect((lives.code, lives.qrCode, lives.registration) == (3_600_000, 60_000, 600_000))
        #expect((lives.otp, lives.applicationSession, lives.authorizationCode) == (20_000, 30_000, 5_000))
        #expect(try settings("").lives == Lives())
        for (key, most) in [
            ("code-life", 86_400), ("qr-code-life", 600), ("registration-life", 3600), ("otp-life", 120),
            ("application-session-life", 300), ("authorization-code-life", 60),
        ] {
            _ = try settings("\(key) = \(most)")
            for wrong in ["\(most + 1)", "0", "-1", "4", "1h", "", "9223372036854775807"] {
                #expect(throws: SetupError.self, "\(key) = \(wrong)") { try settings("\(key) = \(wrong)") }
            }
        }
    }

    @Test func `the RPA's address must differ from the other listeners`() throws {
        let text = "profile = compat\nlisten = unix:/run/a\nrpa-listen = unix:/run/a"
        #expect(throws: SetupError.self) { try settings(text).check() }
    }
}
