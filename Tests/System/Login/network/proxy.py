# SPDX-License-Identifier: Apache-2.0
# A proxy in front of the real mpind that records what passes, and breaks one answer on demand.
import http.server
import os
import socket
import socketserver
import ssl
import subprocess
import threading

from support.wire import Connection


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_one(self):
        proxy = self.server.proxy
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        proxy.record += f"{self.command} {self.path}\n{self.headers}".encode() + body + b"\n"
        proxy.calls.append(self.path)
        proxy.bodies.setdefault(self.path, []).append(body)
        for fault in proxy.faults:
            if fault.at in self.path and fault.instead(self, body):
                return
        self.answer(*self.forward(body))

    do_GET = do_PUT = do_POST = do_DELETE = handle_one

    def forward(self, body):
        proxy = self.server.proxy
        upstream = Connection(proxy.upstream, proxy.source, timeout=None)
        try:
            # The body may differ from the one that came.
            headers = {name: value for name, value in self.headers.items()
                       if name.lower() != "content-length"}
            upstream.request(self.command, self.path, body=body or None, headers=headers)
            answer = upstream.getresponse()
            return answer.status, answer.read(), answer.getheaders()
        except OSError:
            return 502, b"", []
        finally:
            upstream.close()

    def answer(self, status, body, headers=()):
        self.server.proxy.record += body + b"\n"
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def hang_up(self):
        """Closes the connection so that the client sees it at once."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *arguments):
        pass


class Fault:
    """What happens instead of the answer to calls whose path contains `at`."""

    def __init__(self, at):
        self.at = at

    def instead(self, handler, body):
        raise NotImplementedError


class Drops(Fault):
    """The connection ends without an answer; the server has got the request if `heard`."""

    def __init__(self, at, heard=False):
        super().__init__(at)
        self.heard = heard

    def instead(self, handler, body):
        if self.heard:
            handler.forward(body)
        self.falls_silent(handler.server.proxy)
        handler.hang_up()
        return True

    def falls_silent(self, proxy):
        """What else happens before the connection ends."""


class Dies(Drops):
    """The server disappears before it answers."""

    def falls_silent(self, proxy):
        proxy.close_listener()


class DiesAfter(Dies):
    """The server answers, and disappears at once."""

    def instead(self, handler, body):
        handler.answer(*handler.forward(body))
        # At once: a proof that is sent over this connection is lost.
        handler.hang_up()
        self.falls_silent(handler.server.proxy)
        return True


class Hangs(Drops):
    """There is no answer, and the connection stays open."""

    def falls_silent(self, proxy):
        proxy.released.wait(60)


class Answers(Fault):
    """A status and a body that the test chooses."""

    def __init__(self, at, status, body=b""):
        super().__init__(at)
        self.status, self.body = status, body

    def instead(self, handler, body):
        handler.answer(self.status, self.body, [("Content-Type", "application/json")])
        return True


class CutsOff(Fault):
    """Half of the true answer, and then the end of the connection."""

    def instead(self, handler, body):
        status, answer, _ = handler.forward(body)
        handler.send_response_only(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(answer)))
        handler.end_headers()
        handler.wfile.write(answer[:len(answer) // 2])
        handler.wfile.flush()
        handler.hang_up()
        return True


class Changes(Fault):
    """The true answer, its body changed by a function."""

    def __init__(self, at, change, status=None):
        super().__init__(at)
        self.change, self.status = change, status

    def instead(self, handler, body):
        status, answer, headers = handler.forward(body)
        handler.answer(self.status or status, self.change(answer), headers)
        return True


class Rewrites(Fault):
    """The true answer to a changed request: a function changes the request's body."""

    def __init__(self, at, change):
        super().__init__(at)
        self.change = change

    def instead(self, handler, body):
        handler.answer(*handler.forward(self.change(body)))
        return True


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 16

    def handle_error(self, request, address):
        """Ignores the error: most of these tests make a client hang up."""

    def get_request(self):
        connection, _ = self.socket.accept()
        return connection, ("local", 0)


class Proxy:
    """Listens on `path`, a Unix socket, and forwards to `upstream`: another socket, or, with `source`, a TCP
    address that it reaches from there. Used by `with`."""

    def __init__(self, path, upstream, *faults, source=None):
        self.path, self.faults, self.source = path, faults, source
        self.upstream = upstream if source else f"unix:{upstream}"
        self.record, self.calls, self.bodies = bytearray(), [], {}
        self.released = threading.Event()

    def listen(self):
        server = Server(self.path, Handler)
        os.chmod(self.path, 0o666)
        return server

    def __enter__(self):
        self.server = self.listen()
        self.server.proxy = self
        self.listening = True
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def close_listener(self):
        if self.listening:
            self.listening = False
            os.unlink(self.path)

    def __exit__(self, *_):
        self.released.set()
        self.close_listener()
        self.server.shutdown()
        self.server.server_close()


class TLSServer(Server):
    """The same on a TCP port; each client's handshake takes place in its own thread."""

    address_family = socket.AF_INET
    allow_reuse_address = True

    def get_request(self):
        connection, address = self.socket.accept()
        secure = self.proxy.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return secure, address


class Front(Proxy):
    """The same with TLS in front of the true server, at an https address of this machine and with its own
    certificate."""

    def __init__(self, upstream, *faults, name="localhost", port=0, source=None, ip="127.0.0.1"):
        super().__init__(None, upstream, *faults, source=source)
        self.name, self.port, self.ip = name, port, ip
        self.certificate, key = f"/etc/ssl/{name}.pem", f"/etc/ssl/{name}.key"
        if not os.path.exists(key):
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                            "-nodes", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
                            "-keyout", key, "-out", self.certificate], check=True, capture_output=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, key)

    def listen(self):
        server = TLSServer((self.ip, self.port), Handler)
        self.address = f"https://{self.name}:{server.server_address[1]}"
        return server

    def close_listener(self):
        if self.listening:
            self.listening = False
            self.server.shutdown()
            self.server.server_close()
