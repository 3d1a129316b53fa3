// SPDX-License-Identifier: Apache-2.0
// The answer under `page = no` to browsers that have cached the page and would show it for ever. They request
// the page's worker now and then, and get one that deletes the caches and unregisters itself.

extension ServedPage {
    /// The worker that removes the page; nil for every other path.
    static func workerRemoval(for request: Request, _ path: [String]) -> Response? {
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
