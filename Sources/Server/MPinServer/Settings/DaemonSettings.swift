// SPDX-License-Identifier: Apache-2.0
// The daemon's settings, read from mpind.conf or implied by a data folder.
import Glibc
import MPinDatabase
package import MPinWire

/// The settings of mpind and of `mpind authority`; see mpind.conf(5). Those of `location` are also members.
@dynamicMemberLookup package struct DaemonSettings: Equatable, Sendable {
    package static let file = ServerLocation.file
    /// The user as whom the system runs the server.
    package static let user = "_mpind"
    /// The user as whom the system runs the authority.
    package static let authorityUser = "_mpind-ta"

    /// Where the server is.
    package var location = ServerLocation()
    package var trustedProxies: [IPNetwork] = []
    package var certificateKey: String?
    /// nil: a SQLite file in the data folder.
    package var database: DatabaseSettings?
    package var logFormat = LogFormat.text
    package var registration = RegistrationPolicy.code
    package var requestsOTP = false
    package var service = ServiceDescription()
    package var lives = Lives()
    /// nil without `profile = compat`.
    package var compatibility: Compatibility?
    /// nil if this server has all roles itself.
    package var role: AuthorityRole?

    package subscript<T>(dynamicMember path: WritableKeyPath<ServerLocation, T>) -> T {
        get { location[keyPath: path] }
        set { location[keyPath: path] = newValue }
    }

    /// The rows of mpind.conf. Which of them a file may have depends on its `role` and `profile`.
    private mutating func read(_ row: inout RowReader) {
        role = AuthorityRole.read(&row, role)
        location.read(&row)
        row.texts("trusted-proxy", &trustedProxies) { IPNetwork(exactly: Array($0.utf8)) }
        row.text("tls-key", &certificateKey, absolutePath)
        var database = database ?? DatabaseSettings(address: "")
        database.read(&row)
        self.database = database.address.isEmpty ? nil : database
        row.choice("log-format", &logFormat, [("text", .text), ("json", .json)])
        guard role == nil else { return }
        location.readForClients(&row)
        row.choice("registration", &registration, [("code", .code), ("confirm", .confirm)])
        row.choice("request-otp", &requestsOTP, yesOrNo)
        service.read(&row)
        lives.readSettings(&row)
        var isCompatible = compatibility != nil
        row.choice("profile", &isCompatible, [("none", false), ("compat", true)])
        guard isCompatible else { return }
        var own = compatibility ?? Compatibility()
        own.read(&row)
        compatibility = own
    }

    /// Every setting that these have, with its value.
    package var rows: [SettingRow] {
        var copy = self
        var row = RowReader(Section(name: nil, entries: []))
        copy.read(&row)
        return row.rows
    }

    /// The listener for an external RPA.
    package var rpaListen: Listener? { compatibility?.rpaListen }

    /// Every listener but the administrators' socket.
    private var listeners: [Listener] {
        location.listen + location.proxyListen + [rpaListen, location.metricsListen].compactMap(\.self)
    }

    private init() {}

    /// Reads `file`. Without a file, `data` means a server of its own whose sockets are in that folder;
    /// without either, the system's file is read. If that is missing, the defaults apply, which open nothing
    /// to the network and let nobody register without a code.
    package init(
        file: String?, data: String?, system: String = DaemonSettings.file
    ) throws(SetupError) {
        if let data, file == nil {
            let folder = absolute(data)
            location.data = folder
            location.authorityData = folder + "/authority"
            location.authoritySocket = nil
            location.adminSocket = folder + "/admin.sock"
            location.listen = [.unix(folder + "/mpind.sock")]
            return
        }
        if let octets = try contentsOfSettings(file ?? system) {
            try read(octets, of: file ?? system)
        } else if let file {
            throw SetupError("There is no file \(file).")
        }
        if let data { location.data = absolute(data) }
    }

    private mutating func read(_ octets: [UInt8], of path: String) throws(SetupError) {
        let sections: [Section]
        do { sections = try parse(octets) } catch {
            throw SetupError("\(path), line \(error.line): \(error.reason.sentence)")
        }
        guard sections.count == 1, let section = sections.first else {
            throw SetupError("\(path), line \(sections.last?.line ?? 0): this file has no sections.")
        }
        var row = RowReader(section)
        read(&row)
        guard let error = row.error else { return }
        let key = String(decoding: error.key, as: UTF8.self)
        let bounds = row.rows.first { $0.key == key }?.bounds
        throw SetupError("\(path), line \(error.line): `\(key)`: \(error.sentence(bounds))")
    }

    /// Checks what must be true before anything listens.
    package func check() throws(SetupError) {
        guard !location.listen.isEmpty else {
            throw SetupError("There is nothing to listen on; set `listen`.")
        }
        var addresses = [Listener.unix(location.adminSocket)]
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
        guard location.proxyListen.contains(where: \.isTCP) == !trustedProxies.isEmpty else {
            throw SetupError(
                trustedProxies.isEmpty
                    ? "A `proxy-listen` on TCP needs `trusted-proxy`, the address of each proxy."
                    : "`trusted-proxy` needs a `proxy-listen` on TCP.")
        }
        let isTCP = (location.listen + location.proxyListen).contains(where: \.isTCP)
        guard location.publicURL != nil || role != nil || !isTCP else {
            throw SetupError(
                "A TCP listener needs `public-url`, the address by which clients know this server"
                    + " (--public-url http://127.0.0.1:PORT for one only on this machine).")
        }
    }

    /// A sentence for each setting that is valid but less strict than the default.
    package var warnings: [String] {
        var usual = DaemonSettings()
        usual.compatibility = compatibility.map { _ in Compatibility() }
        var warnings = rows.compactMap { row in
            row.looser.map { why in
                let other = usual.rows.first { $0.key == row.key }?.value ?? ""
                return "`\(row.key) = \(row.value ?? "")` is more than the default, \(other): \(why)"
            }
        }
        if database != nil, location.authoritySocket == nil {
            warnings.append(
                "The authority's book is a file in `authority-data`: a second server with this database could"
                    + " issue a client secret again. Use `authority-socket` and 'mpind authority --database'."
            )
        }
        return warnings
    }

    private func checkTLS() throws(SetupError) {
        guard (location.certificate == nil) == (certificateKey == nil) else {
            throw SetupError("`tls-certificate` and `tls-key` belong together; one of them is missing.")
        }
        guard location.certificate == nil, let open = listeners.first(where: \.isDistant) else { return }
        throw SetupError(
            "\(open.text) can be reached by other machines, so it needs TLS: set `tls-certificate` and"
                + " `tls-key`, or listen on 127.0.0.1 or a Unix socket behind a proxy.")
    }
}

extension DaemonSettings {
    /// Whether browsers use TLS, which ends here or at a proxy.
    package var isHTTPS: Bool {
        location.certificate != nil || location.publicURL?.origin.hasPrefix("https://") == true
    }

    /// The policy for requests: only these names as Host, and only web pages of these origins.
    package var policy: RequestPolicy {
        let names = location.listen.filter { !$0.isDistant }.compactMap(\.name)
        let scheme = location.certificate == nil ? "http://" : "https://"
        return RequestPolicy(
            names: names + (location.publicURL.map { [$0.name] } ?? []),
            origins: names.map { scheme + $0 } + (location.publicURL.map { [$0.origin] } ?? [])
                + (compatibility?.allowedOrigins ?? []))
    }
}

extension KeyError {
    /// - Parameter bounds: those of a setting that is a whole number.
    fileprivate func sentence(_ bounds: ClosedRange<Int>?) -> String {
        switch problem {
        case .unknown: "there is no such setting."
        case .repeated: "may be given only once."
        case .missing: "is missing."
        case .badValue:
            bounds.map { "give a whole number from \($0.lowerBound) to \($0.upperBound)." }
                ?? "this value is not allowed here; see mpind.conf(5)."
        }
    }
}

/// Makes a path of the command line absolute, by the current folder.
package func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(here) }
    return unsafe String(cString: here) + "/" + path
}
