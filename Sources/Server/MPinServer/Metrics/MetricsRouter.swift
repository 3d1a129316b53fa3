// SPDX-License-Identifier: Apache-2.0
// The routes of the listener for monitoring. It answers nothing about users, and changes nothing.
package import MPinWire

/// Answers /metrics, /live and /ready.
package struct MetricsRouter: Sendable {
    /// Every route of this listener.
    private static let endpoints: [Endpoint<MetricsRouter>] = [
        .init(.get, "/metrics") { router, _ in await router.values() },
        // An answer shows that the event loop runs.
        .init(.get, "/live") { _, _ in Response(200, sentence: "live") },
        .init(.get, "/ready") { router, _ in await router.readiness() },
    ]

    private let ready: Readiness
    /// nil for a listener that other machines reach: there TLS keeps rebound names out.
    private let policy: RequestPolicy?

    /// The routes at this listener.
    package init(_ ready: Readiness, at listener: Listener) {
        self.ready = ready
        let port = listener.name.flatMap { $0.split(separator: ":").last }
        let names = [listener.name, port.map { "localhost:\($0)" }].compactMap(\.self)
        policy = listener.isDistant ? nil : RequestPolicy(names: names, origins: [])
    }

    /// The refusal of a request's head, before the body is read; nil lets it pass.
    package func refusal(ofHead request: Request) -> Response? {
        // Web pages have no business here.
        guard request.origin == nil else { return Response(403) }
        return policy?.refusal(of: request)
    }

    /// The answer to a request that `refusal` let pass.
    package func respond(to request: Request) async -> Response {
        if let refusal = refusal(ofHead: request) { return refusal }
        let found = request.path.flatMap { Endpoint.find($0, in: MetricsRouter.endpoints) }
        guard let endpoint = found?.endpoint else { return Response(404) }
        guard request.method == endpoint.method.rawValue else { return Response(405) }
        var response = await guarded { try await endpoint.answer(self, request, nil) }
        response.route = RouteName(of: endpoint)
        return response
    }

    /// Also tells which parts are ready, for servers that nobody asks for /ready.
    private func values() async -> Response {
        _ = await ready.faults()
        return Response(
            200,
            headers: [
                ("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Cache-Control", "no-store"),
            ], content: .octets([UInt8](ready.metrics.text.utf8)))
    }

    /// 503 if the server cannot work, and a line for each part with a fault.
    private func readiness() async -> Response {
        let faults = await ready.faults()
        let isReady = ready.isReady(with: faults)
        let lines = faults.map { "\($0.part.rawValue): \($0.sentence)" }
        return Response(
            isReady ? 200 : 503, sentence: ((isReady ? ["ready"] : []) + lines).joined(separator: "\n"))
    }
}
