# SPDX-License-Identifier: Apache-2.0
# Full TLS 1.3 handshakes, each on a new connection: `handshakes.py PORT CA SOURCE...` makes them as fast as
# it can, one thread for each SOURCE, an address of the loopback, until its standard input ends. Then it
# prints how many succeeded and how many failed.
import json
import os
import select
import socket
import ssl
import struct
import sys
import threading

RESET = struct.pack("ii", 1, 0)


def client(authority):
    """A context for full handshakes: no session is resumed."""
    context = ssl.create_default_context(cafile=authority)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


def connected(context, port, source="127.0.0.1"):
    plain = socket.socket()
    try:
        plain.settimeout(5)
        plain.bind((source, 0))
        # As curl does: the request is not delayed by the end of the handshake.
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Frees the port at once, not a minute after the connection.
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        plain.connect(("127.0.0.1", port))
        return context.wrap_socket(plain, server_hostname="localhost")
    except OSError:
        plain.close()
        raise


class Flood:
    def __init__(self, port, authority):
        self.port, self.authority = port, authority
        self.lock, self.enough = threading.Lock(), threading.Event()
        self.made = self.refused = 0

    def run(self, source):
        context, made, refused = client(self.authority), 0, 0
        while not self.enough.is_set():
            try:
                connected(context, self.port, source).close()
                made += 1
            except OSError:
                refused += 1
        with self.lock:
            self.made += made
            self.refused += refused


if __name__ == "__main__":
    # The flood must leave the processors to the programs that are measured.
    os.nice(19)
    flood = Flood(int(sys.argv[1]), sys.argv[2])
    threads = [threading.Thread(target=flood.run, args=(source,)) for source in sys.argv[3:]]
    for thread in threads:
        thread.start()
    print("here", flush=True)
    select.select([sys.stdin], [], [])
    flood.enough.set()
    for thread in threads:
        thread.join()
    print(json.dumps({"made": flood.made, "refused": flood.refused}), flush=True)
