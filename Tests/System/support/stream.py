# SPDX-License-Identifier: Apache-2.0
# HTTP below the level of a client: sends arbitrary octets and reads answers, on persistent connections.
import json
import socket

from support.wire import connected

LONGEST_HEAD = 65536


class Closed(Exception):
    """The server closed the connection before an answer was complete."""


class Malformed(AssertionError):
    """The octets that came are not an HTTP answer."""


class Stream:
    """One connection to the server."""

    def __init__(self, address, timeout):
        self.socket, self.read, self.open = connected(address, timeout), b"", True

    def send(self, octets):
        """Sends what the server accepts: it may answer and close before it has read everything."""
        try:
            self.socket.sendall(octets)
        except (BrokenPipeError, ConnectionResetError):
            self.open = False

    def ends(self):
        """Closes the sending half of the connection."""
        self.open = False
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        self.open = False
        self.socket.close()

    def _more(self):
        try:
            octets = self.socket.recv(65536)
        except ConnectionResetError:
            octets = b""
        if not octets:
            self.open = False
            raise Closed
        self.read += octets

    def _take(self, count):
        while len(self.read) < count:
            self._more()
        taken, self.read = self.read[:count], self.read[count:]
        return taken

    def _line(self, end=b"\r\n"):
        while end not in self.read:
            if len(self.read) > LONGEST_HEAD:
                raise Malformed(self.read[:200])
            self._more()
        line, _, self.read = self.read.partition(end)
        return line

    def answer(self, method):
        """Status and body of the next final answer, or Closed."""
        while True:
            head = self._line(b"\r\n\r\n").split(b"\r\n")
            version, _, rest = head[0].partition(b" ")
            if version not in (b"HTTP/1.1", b"HTTP/1.0") or not rest[:3].isdigit():
                raise Malformed(head[0][:200])
            status = int(rest[:3])
            if status >= 200:
                break
        pairs = [line.partition(b":") for line in head[1:]]
        fields = {name.strip().lower(): value.strip() for name, _, value in pairs}
        body = b"" if method == "HEAD" or status in (204, 304) else self._body(fields)
        if fields.get(b"connection", b"").lower() == b"close" or version == b"HTTP/1.0":
            self.open = False
        if body and fields.get(b"content-type", b"").startswith(b"application/json"):
            json.loads(body)
        return status, body

    def _body(self, fields):
        if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
            chunks = b""
            while size := int(self._line(), 16):
                chunks += self._take(size)
                self._line()
            while self._line():
                pass
            return chunks
        if b"content-length" not in fields:
            raise Malformed(f"an answer without a length: {fields}")
        return self._take(int(fields[b"content-length"]))
