// SPDX-License-Identifier: Apache-2.0
// The addresses at which the daemon listens, and the URL by which clients know it.
import Octets

#if !hasFeature(Embedded)

    /// A Unix socket or a TCP address at which the daemon listens.
    package enum Listener: Equatable, Sendable {
        /// An absolute path.
        case unix(String)
        /// A literal address; plain HTTP is allowed only on loopback addresses.
        case tcp(host: String, port: Int)

        /// `unix:PATH`, `192.0.2.1:PORT` or `[2001:db8::1]:PORT`.
        package init?(_ text: String) {
            if text.hasPrefix("unix:") {
                let path = text.dropFirst(5)
                guard path.hasPrefix("/"), path.utf8.count < 108 else { return nil }
                self = .unix(String(path))
                return
            }
            guard let colon = text.lastIndex(of: ":"),
                let port = wholeNumber(Array(text[colon...].utf8.dropFirst()), in: 1...Int(UInt16.max))
            else { return nil }
            var host = text[..<colon]
            let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
            if isBracketed { host = host.dropFirst().dropLast() }
            guard host.contains(":") == isBracketed, let address = IPAddress(Array(host.utf8)) else {
                return nil
            }
            self = .tcp(host: address.text, port: port)
        }

        /// Whether this is a TCP address that other machines may reach.
        package var isDistant: Bool {
            switch self {
            case .unix: false
            case .tcp(let host, _): IPAddress(Array(host.utf8))?.isLoopback != true
            }
        }

        package var isTCP: Bool {
            switch self {
            case .unix: false
            case .tcp: true
            }
        }

        /// The path of a Unix socket; nil for a TCP address.
        package var path: String? {
            switch self {
            case .unix(let path): path
            case .tcp: nil
            }
        }

        /// The name in a Host header, `ADDRESS:PORT`; nil for a Unix socket.
        package var name: String? {
            switch self {
            case .unix: nil
            case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
            }
        }

        /// As written in the settings.
        package var text: String {
            switch self {
            case .unix(let path): "unix:" + path
            case .tcp: name ?? ""
            }
        }
    }

    /// A URL that has only scheme, host and port.
    package struct PublicURL: Equatable, Sendable {
        /// In lower case, without a default port, as in the Origin header.
        package let origin: String
        /// Host and port, as in the Host header.
        package let name: String
        /// Whether what comes from there cannot be changed in transit: by https, or by http on this machine.
        package let isSafe: Bool

        package init?(_ text: String) {
            let octets = [UInt8](text.utf8)
            let https = octets.dropping("https://")
            guard let rest = https ?? octets.dropping("http://"),
                let authority = URLAuthority(prefixOf: rest),
                authority.rest.isEmpty || authority.rest == ascii("/")
            else { return nil }
            let host = String(decoding: lowered(authority.host), as: UTF8.self)
            let port = authority.port.flatMap { $0 == (https == nil ? 80 : 443) ? nil : ":\($0)" }
            name = host + (port ?? "")
            origin = (https == nil ? "http://" : "https://") + name
            isSafe = https != nil || authority.isThisMachine
        }
    }

    extension URLAuthority {
        /// Reads an authority that a path or a query may follow.
        package init?(beforeQuery text: [UInt8]) {
            self.init(prefixOf: [UInt8](text.prefix { $0 != UInt8(ascii: "?") }))
        }

        /// Whether the host is a loopback address, or `localhost`.
        package var isThisMachine: Bool { address?.isLoopback == true || lowered(host) == ascii("localhost") }
    }
#endif
