// SPDX-License-Identifier: Apache-2.0
// The server's certificate, which can be reloaded without closing a connection.
import MPinServer
import MPinWire
import Synchronization

final class ServerTLS: Sendable {
    private let certificate: String
    private let key: String
    private let metrics: Metrics
    /// For new connections.
    private let context: Mutex<TLSContext>

    /// Throws `SetupError` if the files cannot be used; nil without a certificate in the settings.
    init?(_ settings: DaemonSettings, _ metrics: Metrics) throws(SetupError) {
        guard let certificate = settings.certificate, let key = settings.certificateKey else { return nil }
        (self.certificate, self.key, self.metrics) = (certificate, key, metrics)
        context = Mutex(try TLSContext(certificate: certificate, key: key))
        metrics.uses(certificateUntil: end)
        warn()
    }

    /// When the certificate expires.
    private var end: UnixTime { context.withLock { $0.end } }

    /// The handler of one connection, which keeps the certificate that it began with.
    func handler(handshakeEnded: @escaping (HandshakeFailure?) -> Void) throws -> TLSHandler {
        try TLSHandler(context.withLock { $0 }, handshakeEnded: handshakeEnded)
    }

    /// Reads the files again. If they are not valid, the earlier certificate stays in use and a warning is
    /// logged.
    func reload() {
        do throws(SetupError) {
            let loaded = try TLSContext(certificate: certificate, key: key)
            context.withLock { $0 = loaded }
            metrics.uses(certificateUntil: end)
            mpind.log(
                "certificate", [LogField("file", setting: certificate), LogField("ends", end.headerText)])
            warn()
        } catch {
            logWarning("The earlier certificate stays in use. \(error)")
        }
    }

    /// Takes another key of session tickets: who got one by a theft could decrypt recorded connections of TLS
    /// 1.2 that were resumed with its tickets.
    func changeTicketKey() {
        let current = context.withLock { $0 }
        do throws(SetupError) {
            let other = try current.withOtherTicketKey()
            context.withLock { if $0 === current { $0 = other } }
        } catch { logWarning("The key of session tickets stays in use. \(error)") }
    }

    /// Logs a warning if the certificate has expired or soon will.
    func warn() {
        let left = end.seconds - Effects.system.now().seconds
        guard left < ServerTLS.warningSeconds else { return }
        logWarning(
            "The certificate in \(certificate) \(left < 0 ? "ended" : "ends") on \(end.headerText). Renew it,"
                + " then `sudo systemctl reload mpind`.")
    }

    private static let warningSeconds: Int64 = 14 * 86_400
}
