// SPDX-License-Identifier: Apache-2.0
// The listeners for clients and those for proxies.
import MPinServer
import MPinWire
import NIOCore

/// A router that answers clients.
protocol ClientRouter: Sendable {
    /// The refusal of a request by its head, before the body is read; nil to accept it.
    func refusal(ofHead request: Request) -> Response?
    func respond(to request: Request) async -> Response
}

extension PublicRouter: ClientRouter {}
extension AuthorityRouter: ClientRouter {}

struct ClientListeners {
    let sockets: Sockets
    let settings: DaemonSettings
    let tls: ServerTLS?
    let log: RequestLog

    func served(_ router: some ClientRouter) -> [Served] {
        let queue = RequestQueue(RequestLimits(processors: System.coreCount))
        let total = settings.proxyListen.isEmpty ? connections : connections / 2
        let limiter = ConnectionLimiter(ConnectionLimits(total: total), log)
        let ofProxies = ConnectionLimiter(ConnectionLimits(undivided: total), log)
        let forwarding = Forwarding(
            proxies: TrustedProxies(settings.trustedProxies),
            limiter: ConnectionLimiter(ConnectionLimits(total: total), log))
        let open = sockets.public.map {
            Served(.public, $0, routes: .clients(router, queue), limiter: limiter, tls: tls(at: $0))
        }
        let behind = sockets.proxy.map {
            Served(
                .proxy, $0, routes: .clients(router, queue, by: forwarding), limiter: ofProxies,
                tls: tls(at: $0))
        }
        return open + behind
    }

    private func tls(at socket: ListeningSocket) -> ServerTLS? { socket.listener.isTCP ? tls : nil }
}
