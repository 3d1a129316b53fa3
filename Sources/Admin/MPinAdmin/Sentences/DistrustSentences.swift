// SPDX-License-Identifier: Apache-2.0
// Sentences that say why a server is not trusted, or not reached through a proxy, and what to do.
import CPlatform
import MPinCurl
import MPinHostStore
import MPinLogin
import MPinProof
import MPinWire

extension Distrust {
    func sentence(_ server: String) -> String {
        if self == .socket, isHidden([server]) { return "\(server): permission denied." }
        return "\(server) cannot be trusted: \(fault)."
    }

    /// Whether this user may not look into the folder of the first Unix socket.
    private func isHidden(_ backends: [String]) -> Bool {
        guard let address = backends.first(where: { $0.hasPrefix("unix:") }) else { return false }
        return unsafe access(String(address.dropFirst(5)), F_OK) != 0 && mpin_errno() == EACCES
    }

    /// What the administrator can do.
    /// - Parameter backends: the addresses that were tried.
    func advice(_ backends: [String]) -> String {
        switch self {
        case .tls: "Is it an https server? It must speak TLS 1.2 or 1.3."
        case .version: "Switch TLS 1.2 or 1.3 on at the server."
        case .certificate: "'openssl s_client -showcerts -connect \(place(backends))' shows what is wrong."
        case .issuer:
            "If you trust that CA, name its certificate: '--ca-file FILE', or 'ca-file' in mpin.conf. The "
                + "server must also send the certificates between the CA's and its own."
        case .selfSigned:
            "If it is your server, name that certificate: '--ca-file FILE', or 'ca-file' in mpin.conf."
        case .expired:
            "Renew the certificate on the server. If it has not expired, this host's clock is wrong: "
                + "'sudo timedatectl set-ntp true'."
        case .notYetValid:
            "The clock of this host, or of the machine that made the certificate, is wrong: "
                + "'sudo timedatectl set-ntp true'."
        case .name:
            "In the server's address use a name that the certificate has, or get a certificate for this "
                + "name. 'openssl s_client -connect \(place(backends)) </dev/null | openssl x509 -noout -ext "
                + "subjectAltName' lists its names."
        case .socket where isHidden(backends):
            "You may not look into its folder: run this command as root (sudo)."
        case .socket:
            "Is mpind installed and running? Root alone may write the socket's folder and those above it: "
                + "'namei -l \(socketPath(backends))' shows who may."
        case .owner:
            "'sudo ss -xlp src \(socketPath(backends))' shows which program that is. Stop it, and start "
                + "mpind by 'sudo systemctl start mpind'."
        }
    }

    /// The path of the first Unix socket, quoted for the shell.
    private func socketPath(_ backends: [String]) -> String {
        let path = backends.first { $0.hasPrefix("unix:") }?.dropFirst(5)
        return path.map { shellWord(shown(String($0))) } ?? "PATH"
    }

    /// Host and port of the first https address, in the form that openssl expects.
    private func place(_ backends: [String]) -> String {
        let origins = backends.compactMap { Origin.split($0)?.origin }
        return origins.first(where: \.isHTTPS).map { "\($0.host):\($0.port)" } ?? "HOST:PORT"
    }
}

extension Settings {
    /// The proxy through which all backends are reached; nil if there is none, or not all backends use it.
    private var wayToServer: String? {
        guard backends.allSatisfy({ $0.channel == .https }) else { return nil }
        return proxy.map { text($0) }
    }

    /// Why no answer came, and what to do; nil if the proxy is not the cause.
    func proxyFault(_ status: UInt16?) -> (fault: String, cure: String)? {
        guard let proxy = wayToServer else { return nil }
        if let said = status.flatMap({ RelayResponse.proxysWord($0) }) {
            return (
                "The proxy at \(proxy) refused (HTTP \(said)).",
                "It must let this host CONNECT to the server in 'backend', and ask for no password."
            )
        }
        switch status {
        case .some(RelayResponse.unreachable):
            return (
                "The proxy at \(proxy) did not answer.", "Is it running, and is 'proxy' in mpin.conf right?"
            )
        case .none, .some(RelayResponse.timedOut):
            return (
                "The proxy at \(proxy), or the server behind it, did not answer in time.",
                "Look at the load of both, and at the name servers of this host."
            )
        default: return nil
        }
    }
}
