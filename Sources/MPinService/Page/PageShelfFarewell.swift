// SPDX-License-Identifier: Apache-2.0
// `page = no` after a page: browsers that kept the page would serve it to themselves for ever. They ask for
// its worker now and then, and get one that takes everything away.

extension PageShelf {
    /// nil for every path but that of the worker.
    static func farewell(to request: Request, _ path: [String]) -> Response? {
        guard path == ["worker.js"], ["GET", "HEAD"].contains(request.method) else { return nil }
        return Response(
            200,
            headers: [("Content-Type", "text/javascript; charset=utf-8"), ("Cache-Control", "no-cache")]
                + pageHeaders,
            content: .octets([UInt8](worker.utf8)))
    }

    private static let worker = """
        addEventListener("install", () => skipWaiting());
        addEventListener("activate", (event) => event.waitUntil((async () => {
          for (const name of await caches.keys()) await caches.delete(name);
          await registration.unregister();
          for (const client of await clients.matchAll({ type: "window" })) client.navigate(client.url);
        })()));

        """
}
