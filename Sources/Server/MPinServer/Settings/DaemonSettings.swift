// SPDX-License-Identifier: Apache-2.0
// The daemon's settings, read from mpind.conf or implied by a data folder.
import Glibc
import MPinDatabase
package import MPinWire

/// The settings of mpind and of `mpind authority`; see mpind.conf(5).
package struct DaemonSettings: Equatable, Sendable {
    package static let file = "/etc/mpin/mpind.conf"
    /// The user as whom the system runs the server.
    package static let user = "_mpind"
    /// The user as whom the system runs the authority.
    package static let authorityUser = "_mpind-ta"
    package static let usualAdminSocket = "/run/mpind/admin.sock"
    package static let usualAuthoritySocket = "/run/mpind-ta/authority.sock"
    package static let usualData = "/var/lib/mpind"
    package static let usualAuthorityData = "/var/lib/mpind-ta"

    package var listen: [Listener] = [.unix("/run/mpind/mpind.sock")]
    package var publicURL: PublicURL?
    /// The page that phones open to approve logins.
    package var page = PageSetting.package
    package var data = usualData
    /// nil: a SQLite file in the data folder.
    package var database: DatabaseSettings?
    package var authorityData = usualAuthorityData
    /// The socket of `mpind authority`; nil if the server has the master secret in its own process.
    package var authoritySocket: String? = usualAuthoritySocket
    package var adminSocket = usualAdminSocket
    package var registration = RegistrationPolicy.code
    package var requestsOTP = false
    package var logFormat = LogFormat.text
    package var service = ServiceDescription()
    package var lives = Lives()
    /// nil without `profile = compat`.
    package var compatibility: Compatibility?
    /// nil if this server has all roles itself.
    package var role: AuthorityRole?
    /// The listeners for proxies, which name the addresses of their clients.
    package var proxyListen: [Listener] = []
    package var trustedProxies: [IPNetwork] = []
    /// With a certificate and its key, every TCP listener uses TLS.
    package var certificate: String?
    package var certificateKey: String?
    /// The listener for an external RPA only.
    package var rpaListen: Listener?
    /// The listener for monitoring only.
    package var metricsListen: Listener?

    /// Every listener but the administrators' socket.
    private var listeners: [Listener] {
        listen + proxyListen + [rpaListen, metricsListen].compactMap(\.self)
    }

    /// Reads `file`. Without a file, `data` means a server of its own whose sockets are in that folder;
    /// without either, the system's file is read. If that is missing, the defaults apply, which open nothing
    /// to the network and let nobody register without a code.
    package init(
        file: String?, data: String?, system: String = DaemonSettings.file
    ) throws(SetupError) {
        if let data, file == nil {
            let folder = absolute(data)
            self.data = folder
            authorityData = folder + "/authority"
            authoritySocket = nil
            adminSocket = folder + "/admin.sock"
            listen = [.unix(folder + "/mpind.sock")]
            return
        }
        if let octets = try contentsOfSettings(file ?? system) {
            try read(octets, of: file ?? system)
        } else if let file {
            throw SetupError("There is no file \(file).")
        }
        if let data { self.data = absolute(data) }
    }

    /// The settings of every server, whatever its role.
    private static let commonKeys: [StaticString] =
        [
            "listen", "proxy-listen", "trusted-proxy", "tls-certificate", "tls-key", "data", "authority-data",
            "authority-socket", "admin-socket", "metrics-listen", "log-format",
        ] + DatabaseSettings.keys
    private static let keys: [StaticString] =
        commonKeys + [
            "role", "public-url", "registration", "request-otp", "profile", "page",
        ]

    private mutating func read(_ octets: [UInt8], of path: String) throws(SetupError) {
        let sections: [Section]
        do { sections = try parse(octets) } catch {
            throw SetupError("\(path), line \(error.line): \(error.reason.sentence)")
        }
        guard sections.count == 1, let section = sections.first else {
            throw SetupError("\(path), line \(sections.last?.line ?? 0): this file has no sections.")
        }
        do { try take(section) } catch {
            throw SetupError("\(path), line \(error.line): `\(text(error.key))`: \(error.sentence)")
        }
    }

    private mutating func take(_ section: Section) throws(KeyError) {
        compatibility = try Compatibility(section)
        service = try ServiceDescription(section)
        lives = try Lives(section)
        logFormat = try LogFormat(section)
        role = try AuthorityRole(section)
        database = try DatabaseSettings(section)
        try section.allow(
            only: role != nil
                ? DaemonSettings.commonKeys + AuthorityRole.keys
                : DaemonSettings.keys + ServiceDescription.keys + Lives.keys
                    + (compatibility == nil ? [] : Compatibility.keys))
        try takeListeners(section)
        if let entry = try section.one("tls-certificate") { certificate = try value(entry, absolutePath) }
        if let entry = try section.one("tls-key") { certificateKey = try value(entry, absolutePath) }
        if let entry = try section.one("public-url") { publicURL = try value(entry, PublicURL.init) }
        if let entry = try section.one("page") { page = try value(entry, PageSetting.init) }
        if let entry = try section.one("data") { data = try value(entry, absolutePath) }
        if let entry = try section.one("authority-data") {
            authorityData = try value(entry, absolutePath)
            authoritySocket = nil
        }
        if let entry = try section.one("authority-socket") {
            authoritySocket = try value(entry, absolutePath)
        }
        if let entry = try section.one("admin-socket") { adminSocket = try value(entry, absolutePath) }
        if let entry = try section.one("registration") {
            registration = try value(entry, RegistrationPolicy.init(rawValue:))
        }
        if let entry = try section.one("request-otp") { requestsOTP = try value(entry, yesOrNo) }
    }

    private mutating func takeListeners(_ section: Section) throws(KeyError) {
        let sockets = section.all("listen")
        if !sockets.isEmpty { listen = [] }
        for entry in sockets { listen.append(try value(entry, Listener.init)) }
        for entry in section.all("proxy-listen") { proxyListen.append(try value(entry, Listener.init)) }
        for entry in section.all("trusted-proxy") { trustedProxies.append(try value(entry, network)) }
        if let entry = try section.one("rpa-listen") { rpaListen = try value(entry, nearListener) }
        if let entry = try section.one("metrics-listen") { metricsListen = try value(entry, Listener.init) }
    }

    private func network(_ text: String) -> IPNetwork? { IPNetwork(exactly: Array(text.utf8)) }

    /// Checks what must be true before anything listens.
    package func check() throws(SetupError) {
        guard !listen.isEmpty else { throw SetupError("There is nothing to listen on; set `listen`.") }
        var addresses = [Listener.unix(adminSocket)]
        for listener in listeners {
            guard !addresses.contains(listener) else {
                throw SetupError(
                    "\(listener.text) is given twice in `listen`, `proxy-listen`, `admin-socket`,"
                        + " `rpa-listen` and `metrics-listen`.")
            }
            addresses.append(listener)
        }
        try checkTLS()
        guard lives.locks.longest >= lives.locks.first else {
            throw SetupError("`lock-longest` must not be shorter than `lock-first`.")
        }
        guard proxyListen.contains(where: \.isTCP) == !trustedProxies.isEmpty else {
            throw SetupError(
                trustedProxies.isEmpty
                    ? "A `proxy-listen` on TCP needs `trusted-proxy`, the address of each proxy."
                    : "`trusted-proxy` needs a `proxy-listen` on TCP.")
        }
        guard publicURL != nil || role != nil || !(listen + proxyListen).contains(where: \.isTCP) else {
            throw SetupError(
                "A TCP listener needs `public-url`, the address by which clients know this server"
                    + " (--public-url http://127.0.0.1:PORT for one only on this machine).")
        }
    }

    /// A sentence for each setting that is valid but less strict than the default.
    package var warnings: [String] {
        var warnings: [String] = []
        let usual = Compatibility.usualWrongPINs
        if let most = compatibility?.maxInvalidLogins, most > usual {
            warnings.append(
                "`max-invalid-logins = \(most)` is more than the default, \(usual): "
                    + "an attacker can try that many PINs of a Milagro client before it is blocked.")
        }
        if database != nil, authoritySocket == nil {
            warnings.append(
                "The authority's book is a file in `authority-data`: a second server with this database could"
                    + " issue a client secret again. Use `authority-socket` and 'mpind authority --database'."
            )
        }
        return warnings
    }

    private func checkTLS() throws(SetupError) {
        guard (certificate == nil) == (certificateKey == nil) else {
            throw SetupError("`tls-certificate` and `tls-key` belong together; one of them is missing.")
        }
        guard certificate == nil, let open = listeners.first(where: \.isDistant) else { return }
        throw SetupError(
            "\(open.text) can be reached by other machines, so it needs TLS: set `tls-certificate` and"
                + " `tls-key`, or listen on 127.0.0.1 or a Unix socket behind a proxy.")
    }
}

extension DaemonSettings {
    /// Whether browsers use TLS, which ends here or at a proxy.
    package var isHTTPS: Bool {
        certificate != nil || publicURL?.origin.hasPrefix("https://") == true
    }

    /// The policy for requests: only these names as Host, and only web pages of these origins.
    package var policy: RequestPolicy {
        let names = listen.filter { !$0.isDistant }.compactMap(\.name)
        let scheme = certificate == nil ? "http://" : "https://"
        return RequestPolicy(
            names: names + (publicURL.map { [$0.name] } ?? []),
            origins: names.map { scheme + $0 } + (publicURL.map { [$0.origin] } ?? [])
                + (compatibility?.allowedOrigins ?? []))
    }
}

/// The value of a setting; throws if `read` returns nil.
func value<R>(_ entry: Entry, _ read: (String) -> R?) throws(KeyError) -> R {
    guard let value = read(text(entry.value)) else { throw entry.badValue }
    return value
}

extension KeyError {
    fileprivate var sentence: String {
        switch problem {
        case .unknown: "there is no such setting."
        case .repeated: "may be given only once."
        case .missing: "is missing."
        case .badValue:
            bounds.map { "give a whole number from \($0.lowerBound) to \($0.upperBound)." }
                ?? "this value is not allowed here; see mpind.conf(5)."
        }
    }

    /// The bounds of a setting that is a whole number.
    private var bounds: ClosedRange<Int64>? {
        Lives.bounds(of: key) ?? ServiceDescription.bounds(of: key) ?? Compatibility.bounds(of: key)
    }
}

private func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

func yesOrNo(_ text: String) -> Bool? { ["yes": true, "no": false][text] }

/// A listener that only this machine can reach; nil for other text.
private func nearListener(_ text: String) -> Listener? {
    Listener(text).flatMap { $0.isDistant ? nil : $0 }
}

func absolutePath(_ text: String) -> String? { text.hasPrefix("/") ? text : nil }

/// Makes a path of the command line absolute, by the current folder.
package func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(here) }
    return unsafe String(cString: here) + "/" + path
}
