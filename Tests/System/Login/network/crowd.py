# SPDX-License-Identifier: Apache-2.0
# A hostile crowd: `crowd.py KIND COUNT ADDRESS [SOURCE...]` keeps COUNT connections open, and opens a new one
# for each that is closed, until its standard input ends; then it prints what it did. A SOURCE is an address,
# or a prefix like 2001:db8:1::/48, from which each connection takes a random address.
import ipaddress
import json
import os
import random
import resource
import select
import socket
import sys
import time

HEAD = b"POST /mpinAuthenticate HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
BODY = b'{"mpinResponse":{"authOTT":"%s"}}' % (b"00" * 32)
IP_FREEBIND = 15
# New connections in a second.
PACE = 1000


def first(kind, host):
    """What a connection of this kind sends first."""
    head = HEAD % host
    ask = head + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
    return {"half": head + b"X-Half: ", "silent": b"", "drip": b"P", "ask": ask,
            "read": b"GET /status HTTP/1.1\r\nHost: %s\r\n\r\n" % host,
            "body": head + b"Content-Length: 1000\r\n\r\n{"}[kind]


class Crowd:
    def __init__(self, kind, count, address, sources):
        self.kind, self.count, self.address, self.sources = kind, count, address, sources
        self.host = b"localhost" if address.startswith("unix:") else address.encode()
        self.first, self.poll, self.open = first(kind, self.host), select.epoll(), {}
        self.opened = self.closed = self.answers = self.refused = 0

    def source(self):
        network = ipaddress.ip_network(random.choice(self.sources))
        return str(network[random.randrange(network.num_addresses)])

    def connect(self):
        if self.address.startswith("unix:"):
            stream, place = socket.socket(socket.AF_UNIX), self.address.removeprefix("unix:")
        else:
            host, _, port = self.address.rpartition(":")
            host = host.strip("[]")
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            stream, place = socket.socket(family), (host, int(port))
            stream.setsockopt(socket.IPPROTO_IP, IP_FREEBIND, 1)
            if self.sources:
                stream.bind((self.source(), 0))
        stream.settimeout(5)
        try:
            stream.connect(place)
            stream.setblocking(False)
            stream.send(self.first)
        except OSError:
            self.refused += 1
            return stream.close()
        self.opened += 1
        self.open[stream.fileno()] = stream
        self.poll.register(stream, select.EPOLLIN | select.EPOLLRDHUP)

    def fill(self, seconds):
        for _ in range(min(self.count - len(self.open), int(PACE * seconds) + 1)):
            self.connect()

    def hear(self):
        for number, _ in self.poll.poll(0.02, 1000):
            stream = self.open[number]
            try:
                heard = stream.recv(65536)
                if heard and self.kind in ("ask", "read"):
                    self.answers += 1
                    stream.send(self.first)
                if heard:
                    continue
            except BlockingIOError:
                continue
            except OSError:
                pass
            self.closed += 1
            self.poll.unregister(stream)
            del self.open[number]
            stream.close()

    def drip(self):
        for stream in self.open.values():
            try:
                stream.send(b"O")
            except OSError:
                pass

    def run(self):
        for _ in range(self.count):
            self.connect()
        print("here", flush=True)
        last = dripped = time.monotonic()
        while not select.select([sys.stdin], [], [], 0)[0]:
            now = time.monotonic()
            self.fill(now - last)
            last = now
            if self.kind == "drip" and now - dripped > 0.3:
                dripped = now
                self.drip()
            self.hear()
        print(json.dumps({"opened": self.opened, "closed": self.closed, "answers": self.answers,
                          "refused": self.refused, "open": len(self.open)}), flush=True)


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # The crowd must leave the processors to the server: the tests measure what its connections do.
    os.nice(19)
    Crowd(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]).run()
