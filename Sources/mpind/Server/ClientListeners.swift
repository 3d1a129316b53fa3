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
    let journal: Journal

    func served(_ router: some ClientRouter) -> [Served] {
        let turns = TurnGate(TurnLimits(processors: System.coreCount))
        let places = settings.proxyListen.isEmpty ? connections : connections / 2
        let door = Door(ConnectionLimits(total: places), privileged: privilegedUsers(), journal)
        let proxies = Door(ConnectionLimits(undivided: places), privileged: [], journal)
        let forwarding = Forwarding(trusted: settings.trustedProxies)
        let shares = Places(ConnectionLimits(total: places), journal)
        let open = sockets.public.map {
            Served(.public, $0, routes: .clients(router, turns), door: door, tls: tls(at: $0))
        }
        let behind = sockets.proxy.map {
            Served(
                .proxy, $0, routes: .clients(router, turns, by: forwarding, places: shares), door: proxies,
                tls: tls(at: $0))
        }
        return open + behind
    }

    private func tls(at socket: ListeningSocket) -> ServerTLS? { socket.listener.isTCP ? tls : nil }
}
