// SPDX-License-Identifier: Apache-2.0
// The listener for monitoring, `metrics-listen`.
import MPinDatabase
import MPinServer
import MPinWire

struct Monitoring {
    let readiness: Readiness

    init(
        of storage: ServerDatabase, _ authority: any Authority, needsAuthority: Bool = false,
        _ metrics: Metrics
    ) {
        readiness = Readiness(
            storage: storage, authority: authority, needsAuthority: needsAuthority, metrics: metrics)
    }

    /// The listener, if the settings have one. Only an address that other machines can reach has TLS.
    func served(_ sockets: Sockets, tls: ServerTLS?, log: RequestLog) -> [Served] {
        guard let socket = sockets.metrics else { return [] }
        return [
            Served(
                .metrics, socket, routes: .metrics(MetricsRouter(readiness, at: socket.listener)),
                limiter: .undivided(log), tls: socket.listener.isDistant ? tls : nil)
        ]
    }
}
