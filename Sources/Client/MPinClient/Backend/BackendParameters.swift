// SPDX-License-Identifier: Apache-2.0
// A backend: its address, its clientSettings, and which addresses it may send the client to.
import MPinCurl
import MPinWire
import Octets

/// Where to send a request: a URL, and the Unix socket to connect to in place of its host.
struct Target: Equatable {
    let url: String
    let socket: String?

    func appending(_ text: String) -> Target { Target(url: url + text, socket: socket) }
    func appending(_ path: [UInt8]) -> Target { appending(String(decoding: path, as: UTF8.self)) }
    /// The address with a slash at its end.
    var asFolder: Target { url.hasSuffix("/") ? self : appending("/") }
}

/// A backend as the app named it.
struct NamedBackend {
    /// The address as it was named, without slashes at its end.
    let text: String
    private let origin: Origin
    private let socket: String?
    /// The prefix of every path.
    private let url: String

    /// nil for text that is neither a URL nor the path of a socket.
    init?(_ named: String) {
        var text = named
        while text.hasSuffix("/") { text.removeLast() }
        if text.hasPrefix("unix:/") {
            socket = String(text.dropFirst(5))
            url = "http://localhost"
        } else {
            socket = nil
            url = text
        }
        guard let (origin, path) = Origin.split(url), !path.contains("?") else { return nil }
        self.origin = origin
        self.text = text
    }

    /// The backend's key in the storages: its address without the scheme.
    var key: String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        return String(text[scheme.upperBound...])
    }

    /// The origin as mpind writes it into the approval details.
    var seenOrigin: String {
        if socket != nil { return "unix" }
        let isDefault = origin.port == (origin.isHTTPS ? 443 : 80)
        return (origin.isHTTPS ? "https://" : "http://") + origin.host + (isDefault ? "" : ":\(origin.port)")
    }

    func target(path: String) -> Target { Target(url: url + path, socket: socket) }

    /// An address that the backend named: a path of its own, or a URL of its origin or of a trusted one. The
    /// relay has its own rule (`Endpoint` of MPinCurl): a host lists origins, and trusts no domains.
    func target(named text: String, trusting trusted: TrustedDomains) throws(ClientFailure) -> Target {
        if isPath(text) { return target(path: text) }
        guard let (origin, _) = Origin.split(text) else {
            throw .answer("the server named an invalid address: \(ClientFailure.place(in: text))")
        }
        guard (socket == nil && origin == self.origin) || trusted.covers(origin) else {
            throw .untrusted(text)
        }
        return Target(url: text, socket: nil)
    }

    /// Whether the app trusts this backend, or has named no trusted domains.
    func isAmong(_ trusted: TrustedDomains) -> Bool {
        trusted.isEmpty || (socket == nil ? trusted.covers(origin) : trusted.names(text))
    }
}

/// The domains, origins and sockets that the app trusts.
struct TrustedDomains {
    private var domains: [String] = []
    private var origins: [Origin] = []
    private var sockets: [String] = []

    var isEmpty: Bool { domains.isEmpty && origins.isEmpty && sockets.isEmpty }

    mutating func add(_ text: String) throws(ClientFailure) {
        if text.hasPrefix("unix:/") {
            sockets.append(text)
        } else if let (origin, path) = Origin.split(text), path.isEmpty || path == "/" {
            origins.append(origin)
        } else if let (origin, path) = Origin.split("https://" + text), path.isEmpty, !text.contains(":") {
            domains.append(origin.host)
        } else {
            throw .flow("this is not a domain: \(text)")
        }
    }

    func covers(_ origin: Origin) -> Bool {
        let isInDomain = domains.contains { origin.host == $0 || origin.host.hasSuffix("." + $0) }
        return origins.contains(origin) || (origin.isHTTPS && isInDomain)
    }

    func names(_ socket: String) -> Bool { sockets.contains(socket) }
}

/// A backend with the clientSettings that it published.
struct BackendParameters {
    let place: NamedBackend
    /// The clientSettings, by key.
    let parameters: [String: JSON]
    let settings: ClientSettings

    /// Throws if the body is not the JSON of clientSettings. It must have `registerURL` or
    /// `mpinAuthServerURL`; every other key may be absent.
    init(_ place: NamedBackend, _ body: [UInt8]) throws(ClientFailure) {
        guard let parameters = JSON(body)?.object, let settings = message(ClientSettings.self, body),
            settings.registerURL != nil || settings.mpinAuthServerURL != nil
        else { throw .answer("the answer is not a valid clientSettings message") }
        self.place = place
        self.parameters = parameters
        self.settings = settings
    }

    /// A setting as text; a path becomes an absolute address, as in Milagro's core.
    func parameter(_ key: String) -> String? {
        switch parameters[key] {
        case .text(let text):
            text.hasPrefix("/") ? place.text + text : BackendParameters.withoutSocketScheme(text)
        case .flag(let value): value ? "true" : "false"
        case .whole(let value): String(value)
        case .number(let value): String(value)
        case .list, .object: parameters[key]?.octets.map { String(decoding: $0, as: UTF8.self) }
        case .null, nil: nil
        }
    }

    /// The target of an address in the settings; `what` names it in the message if it is missing.
    func target(_ named: String?, _ what: String, trusting trusted: TrustedDomains) throws(ClientFailure)
        -> Target
    {
        guard let named, !named.isEmpty else { throw .flow("this backend has no \(what)") }
        return try place.target(named: BackendParameters.withoutSocketScheme(named), trusting: trusted)
    }

    /// The address of a WebSocket also works for HTTP.
    private static func withoutSocketScheme(_ text: String) -> String {
        if text.hasPrefix("wss://") { return "https://" + text.dropFirst(6) }
        if text.hasPrefix("ws://") { return "http://" + text.dropFirst(5) }
        return text
    }

    /// Whether access numbers have a check digit. The checksum of old servers is not supported.
    var checksNumbers: Bool {
        (settings.cSum ?? 0) != 0 && settings.accessNumberUseCheckSum?.isOn != false
            && (settings.accessNumberDigits ?? AccessNumber.count) == AccessNumber.count
    }
}
