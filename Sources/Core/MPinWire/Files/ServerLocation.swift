// SPDX-License-Identifier: Apache-2.0
// The settings of mpind.conf that say where the server is on its machine; commands of a login host read them
// too.
#if !hasFeature(Embedded)

    /// The addresses, sockets and folders of a server.
    package struct ServerLocation: Equatable, Sendable {
        package static let file = "/etc/mpin/mpind.conf"
        package static let usual = ServerLocation()
        package static let usualAuthoritySocket = "/run/mpind-ta/authority.sock"

        package var listen: [Listener] = [.unix("/run/mpind/mpind.sock")]
        /// The listeners for proxies, which name the addresses of their clients.
        package var proxyListen: [Listener] = []
        /// The listener for monitoring only.
        package var metricsListen: Listener?
        package var adminSocket = "/run/mpind/admin.sock"
        /// With a certificate and its key, every TCP listener uses TLS.
        package var certificate: String?
        package var data = "/var/lib/mpind"
        package var authorityData = "/var/lib/mpind-ta"
        /// The socket of `mpind authority`; nil if the server has the master secret in its own process.
        package var authoritySocket: String? = usualAuthoritySocket
        package var publicURL: PublicURL?
        /// The page that phones open to approve logins.
        package var page = PageSetting.package

        package init() {}

        /// What the sections of a file say. Lines that mpind would refuse say nothing.
        package init(_ sections: [Section]) {
            guard let section = sections.first else { return }
            var row = RowReader(section)
            read(&row)
            readForClients(&row)
        }

        /// The rows of every server, whatever its role.
        package mutating func read(_ row: inout RowReader) {
            row.texts("listen", &listen, Listener.init)
            row.texts("proxy-listen", &proxyListen, Listener.init)
            row.text("metrics-listen", &metricsListen, Listener.init)
            row.text("admin-socket", &adminSocket, absolutePath)
            row.text("tls-certificate", &certificate, absolutePath)
            row.text("data", &data, absolutePath)
            if row.text("authority-data", &authorityData, absolutePath) { authoritySocket = nil }
            row.text("authority-socket", &authoritySocket, absolutePath)
        }

        /// The rows of a server that clients ask.
        package mutating func readForClients(_ row: inout RowReader) {
            row.text("public-url", &publicURL, PublicURL.init)
            row.text("page", &page, PageSetting.init)
        }
    }

    /// The setting `page`.
    package enum PageSetting: Equatable, Sendable {
        /// The page of the package mpin-page, if it is installed.
        case package
        case folder(String)
        case off

        package static let usualFolder = "/usr/share/mpin-page"

        /// `yes`, `no`, or an absolute path.
        package init?(_ text: String) {
            switch text {
            case "yes": self = .package
            case "no": self = .off
            default:
                guard text.hasPrefix("/") else { return nil }
                self = .folder(text)
            }
        }

        /// The folder of the page; nil if there is none.
        package var folder: String? {
            switch self {
            case .package: PageSetting.usualFolder
            case .folder(let path): path
            case .off: nil
            }
        }
    }

    /// A path that begins with `/`; nil for other text.
    package func absolutePath(_ text: String) -> String? { text.hasPrefix("/") ? text : nil }
#endif
