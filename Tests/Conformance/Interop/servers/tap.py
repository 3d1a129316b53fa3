# SPDX-License-Identifier: Apache-2.0
# A proxy before a server that records every request and forwards it unchanged.
import re
import socket
import threading

REQUEST = re.compile(rb"(GET|PUT|POST) (\S+) HTTP/1\.1\r\n(.*?)\r\n\r\n", re.S)


class Tap:
    def __init__(self, target):
        self.target, self.heard = target, []
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.server.getsockname()[1]
        threading.Thread(target=self.serves, daemon=True).start()

    def serves(self):
        while True:
            try:
                near, _ = self.server.accept()
            except OSError:
                return
            host, _, port = self.target.rpartition(":")
            far = socket.create_connection((host, int(port)))
            said = bytearray()
            self.heard.append(said)
            for ends, kept in ((near, far), said), ((far, near), None):
                threading.Thread(target=self.carries, args=(*ends, kept), daemon=True).start()

    @staticmethod
    def carries(source, sink, kept):
        """Copies octets until one of the two ends closes."""
        try:
            while octets := source.recv(65536):
                if kept is not None:
                    kept += octets
                sink.sendall(octets)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            source.close()
            sink.close()

    def requests(self):
        """Method, path and headers of each request, with the headers' names in lower case."""
        found = []
        for method, path, head in (match for said in self.heard for match in REQUEST.findall(bytes(said))):
            lines = [line.partition(": ")[::2] for line in head.decode().split("\r\n")]
            found.append((method.decode(), path.decode(), {name.lower(): value for name, value in lines}))
        return found

    def close(self):
        self.server.close()
