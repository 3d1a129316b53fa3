// SPDX-License-Identifier: Apache-2.0
// The server's certificate, which can be reloaded without closing a connection.
import Glibc
import MPinService
import NIOCore
import NIOSSL
import NIOTLS
import Synchronization

final class ServerTLS: Sendable {
    private let certificate: String
    private let key: String
    private let metrics: Metrics
    /// The certificate for new connections, and when it expires.
    private let shown: Mutex<Shown>

    private struct Shown {
        let context: NIOSSLContext
        let end: UnixTime
    }

    /// Throws `SetupError` if the files cannot be used.
    init(certificate: String, key: String, _ metrics: Metrics) throws(SetupError) {
        (self.certificate, self.key, self.metrics) = (certificate, key, metrics)
        let loaded = try ServerTLS.load(certificate, key)
        shown = Mutex(loaded)
        metrics.uses(certificateUntil: loaded.end)
        warn()
    }

    /// nil without a certificate in the settings.
    convenience init?(_ settings: DaemonSettings, _ metrics: Metrics) throws(SetupError) {
        guard let certificate = settings.certificate, let key = settings.certificateKey else { return nil }
        try self.init(certificate: certificate, key: key, metrics)
    }

    /// The handler of one connection, which keeps the certificate that it began with.
    func handler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: shown.withLock { $0.context }) }

    /// Reads the files again. If they are not valid, the earlier certificate stays in use and a warning is
    /// logged.
    func reload() {
        do throws(SetupError) {
            let loaded = try ServerTLS.load(certificate, key)
            shown.withLock { $0 = loaded }
            metrics.uses(certificateUntil: loaded.end)
            mpind.log(
                "certificate",
                [LogField("file", setting: certificate), LogField("ends", loaded.end.headerText)])
            warn()
        } catch {
            logWarning("The earlier certificate stays in use. \(error)")
        }
    }

    /// Logs a warning if the certificate has expired or soon will.
    func warn() {
        let end = shown.withLock { $0.end }
        let left = end.seconds - Effects.system.now().seconds
        guard left < ServerTLS.warningSeconds else { return }
        logWarning(
            "The certificate in \(certificate) \(left < 0 ? "ended" : "ends") on"
                + " \(end.headerText). Renew it, then"
                + " `sudo systemctl reload mpind`.")
    }

    private static let warningSeconds: Int64 = 14 * 86_400

    /// Only TLS 1.2 with forward secrecy and AEAD, and TLS 1.3; no renegotiation.
    private static func load(
        _ certificate: String, _ key: String
    ) throws(SetupError) -> Shown {
        try checkPrivateKeyFile(key)
        let (chain, end) = try chain(certificate)
        do {
            let key = try NIOSSLPrivateKey(file: key, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.cipherSuiteValues = [
                .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
                .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
                .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
            ]
            configuration.renegotiationSupport = .none
            configuration.applicationProtocols = ["http/1.1"]
            // A client that does not answer our closing message must not keep its place longer.
            configuration.shutdownTimeout = .milliseconds(100)
            return Shown(context: try NIOSSLContext(configuration: configuration), end: end)
        } catch {
            throw SetupError(
                "`tls-key` \(key) is not a PEM key, or not the key of the first certificate in"
                    + " `tls-certificate` \(certificate).")
        }
    }

    /// Reads the server's own certificate, which is the first, and those that lead to its CA.
    private static func chain(
        _ path: String
    ) throws(SetupError) -> (certificates: [NIOSSLCertificate], end: UnixTime) {
        let certificates: [NIOSSLCertificate]
        do { certificates = try NIOSSLCertificate.fromPEMFile(path) } catch {
            throw SetupError("`tls-certificate` \(path) cannot be read as certificates in PEM.")
        }
        guard let own = certificates.first else {
            throw SetupError("`tls-certificate` \(path) holds no certificate.")
        }
        return (certificates, UnixTime(seconds: Int64(own.notValidAfter)))
    }
}

/// A handler behind TLS: reports how the handshake ended, and passes no error of it on to HTTP.
final class HandshakeWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let ended: @Sendable (_ failure: String?) -> Void
    private var isReady = false

    /// `ended` gets a sentence if the handshake failed, and nil if it is complete.
    init(ended: @escaping @Sendable (_ failure: String?) -> Void) { self.ended = ended }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            isReady = true
            ended(nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A client that disconnects was not refused: relays connect only to see whether the server listens.
        if !isReady, let reason = reason(error) { ended(reason) }
        context.close(promise: nil)
    }
}

/// A sentence for what went wrong, as far as the library names it; nil if the client just disconnected.
private func reason(_ error: any Error) -> String? {
    let text = "\(error)".uppercased()
    guard !text.contains("EOF"), !text.contains("UNCLEAN") else { return nil }
    let certificate = "The client refused this server's certificate: for its CA, its name or its dates."
    let known = [
        ("UNKNOWN_CA", "The client does not know the CA of this server's certificate (see ca-file there)."),
        ("CERTIFICATE_EXPIRED", "The client says that this server's certificate has expired: renew it."),
        // OpenSSL's clients send their refusal in plain text, although TLS 1.3 has encrypted everything by
        // then.
        ("DECRYPTION_FAILED", certificate), ("BAD_CERTIFICATE", certificate),
        ("CERTIFICATE_UNKNOWN", certificate),
        ("UNSUPPORTED_PROTOCOL", "The client speaks TLS 1.1 or older; this server requires 1.2."),
        ("NO_SHARED_CIPHER", "The client has no cipher suite or curve in common with this server."),
        ("WRONG_CURVE", "The client has no cipher suite or curve in common with this server."),
        ("HTTP_REQUEST", "The client speaks plain HTTP; this address is https."),
        ("WRONG_VERSION_NUMBER", "The client does not speak TLS."),
    ]
    return known.first { text.contains($0.0) }?.1 ?? "The handshake failed."
}
