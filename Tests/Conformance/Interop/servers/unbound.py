# SPDX-License-Identifier: Apache-2.0
# What a device sees of a server that does not bind proofs: mpind behind a helper that removes the
# fields that Milagro's server does not send. Everything else is from mpind.
import json
import os
import socketserver
import threading
from http.server import BaseHTTPRequestHandler

from support.wire import Wire

OWN = {
    "/codeStatus": ("Status", "seen", "attempt", "asked", "life"), "/service": ("server",),
    "/mpinAuthenticate": ("ttlSeconds",),
}


class Handler(BaseHTTPRequestHandler):
    def passes_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.append(self.path)
        answer = self.server.wire.call(self.command, self.path, body or None)
        said = answer.body
        own = next((keys for path, keys in OWN.items() if self.path.endswith(path)), None)
        if own and answer.status == 200:
            said = json.dumps({key: value for key, value in answer.json.items() if key not in own}).encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.headers["Content-Type"] or "text/plain")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_GET = do_POST = do_PUT = passes_on

    def address_string(self):
        return "local"

    def log_message(self, *_):
        pass


class Unbound(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Used by `with`; at a socket beside the one of mpind."""
    daemon_threads = True

    def __init__(self, mpind):
        path = f"{mpind.home}/unbound.sock"
        if os.path.exists(path):
            os.remove(path)
        super().__init__(path, Handler)
        self.address, self.wire, self.asked = f"unix:{path}", Wire(mpind.addresses[0]), []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()
