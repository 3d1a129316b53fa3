# SPDX-License-Identifier: Apache-2.0
# A server that dies at one stage of a TLS connection: a TCP proxy in front of a true server.
import select
import socket
import struct
import threading

# When it dies: as soon as a client is there; when the client's first or second words came, which are not
# passed on; or when so many octets of the server's have been passed on.
AT_ONCE, FIRST, SECOND = "at once", "first words", "second words"
STAGES = AT_ONCE, FIRST, 1, 5, 100, 600, SECOND


class Dying:
    """Listens at `address` and kills each connection at `stage`, by a reset or by its end. Used by `with`."""

    def __init__(self, address, port, upstream, stage, resets=False):
        self.place, self.upstream, self.stage, self.resets = (address, port), upstream, stage, resets
        self.killed = 0

    def __enter__(self):
        self.listener = socket.create_server(self.place, backlog=16)
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def kill(self, client):
        self.killed += 1
        if self.resets:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            client.shutdown(socket.SHUT_RDWR)
        client.close()

    def carry(self, client):
        """Passes on what comes, until the stage is there."""
        if self.stage == AT_ONCE:
            return self.kill(client)
        words = client.recv(65536)
        if self.stage == FIRST or not words:
            return self.kill(client)
        with socket.create_connection(self.upstream) as server:
            server.sendall(words)
            left = self.stage if isinstance(self.stage, int) else 1 << 20
            while left:
                ready, _, _ = select.select([client, server], [], [])
                if client in ready:
                    client.recv(65536)
                    break
                if not (answer := server.recv(min(left, 65536))):
                    break
                client.sendall(answer)
                left -= len(answer)
        self.kill(client)
