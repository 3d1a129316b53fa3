# SPDX-License-Identifier: Apache-2.0
# The HTTP client of all suites, over a Unix socket, TCP or TLS; it sends what the C++ core on Linux sends.
import http.client
import json
import socket
import time

IP_FREEBIND = 15


class Answer:
    """Status, headers and octets; `json` is the body decoded, whatever the Content-Type."""

    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:200]!r}"


class Unexpected(AssertionError):
    """An answer after which a flow cannot continue."""


def connected(address, timeout=60, source=None):
    """A stream to `unix:PATH`, `127.0.0.1:PORT` or `[::1]:PORT`, from the address `source` if it is given."""
    if address.startswith("unix:"):
        stream = socket.socket(socket.AF_UNIX)
        stream.settimeout(timeout)
        stream.connect(address.removeprefix("unix:"))
        return stream
    host, port = address.rsplit(":", 1)
    stream = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    stream.settimeout(timeout)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if source:
        # An address of a prefix that is only routed here belongs to no interface.
        stream.setsockopt(socket.IPPROTO_IP, IP_FREEBIND, 1)
        stream.bind((source, 0))
    stream.connect((host.strip("[]"), int(port)))
    return stream


def host_name(address):
    """The server's name in the Host field of a request."""
    return "localhost" if address.startswith("unix:") else address


def elsewhere(url):
    """Address and path of an absolute URL; None for a path alone, which belongs to the backend."""
    return (url[7:].partition("/")[0], "/" + url[7:].partition("/")[2]) if url.startswith("http://") else None


class Connection(http.client.HTTPConnection):
    """A connection from `source`, if it is given; over TLS if `trust`, a client's context, is given."""

    def __init__(self, address, source=None, timeout=60, trust=None):
        name = "localhost:" + address.rpartition(":")[2] if trust else host_name(address)
        super().__init__(name, timeout=timeout)
        self.address, self.source, self.trust = address, source, trust

    def connect(self):
        self.sock = connected(self.address, self.timeout, self.source)
        if self.trust:
            self.sock = self.trust.wrap_socket(self.sock, server_hostname=self.host)


class Wire:
    """One backend. Every request has the custom headers; `heard` is called with each request and its
    answer."""

    def __init__(self, address, headers=(), source=None, timeout=60):
        self.address, self.headers, self.heard = address, dict(headers), None
        self.source, self.timeout = source, timeout

    def call(self, method, path, body=None, headers=()):
        """A request on its own connection; `body` is octets, or a value to encode as JSON."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        fields = {**self._usual(method, body), **self.headers, **dict(headers)}
        address, path = elsewhere(path) or (self.address, path)
        connection = Connection(address, self.source, self.timeout)
        try:
            # The core sends neither User-Agent nor Accept-Encoding.
            connection.putrequest(method, path, skip_accept_encoding=True)
            for name, value in fields.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            answer = Answer(connection.getresponse())
        finally:
            connection.close()
        if self.heard:
            self.heard(method, path, fields, body, answer)
        return answer

    @staticmethod
    def _usual(method, body):
        if method == "GET":
            return {"Accept": "*/*", "X-MIRACL-OS-Class": "linux"}
        usual = {"Content-Type": "application/json; charset=UTF-8", "Accept": "text/plain",
                 "X-MIRACL-OS-Class": "linux", "Content-Length": str(len(body or b""))}
        if method == "PUT":
            usual["Expect"] = "100-continue"
        return usual

    def get(self, path, **more):
        return self.call("GET", path, **more)

    def until(self, path, holds):
        """Asks until the answer is as wanted, and returns it."""
        end = time.monotonic() + 60
        while not holds(answer := self.get(path)):
            assert time.monotonic() < end, repr(answer)
            time.sleep(0.1)
        return answer

    def post(self, path, body, **more):
        return self.call("POST", path, body, **more)

    def put(self, path, body, **more):
        return self.call("PUT", path, body, **more)
