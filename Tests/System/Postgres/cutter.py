# SPDX-License-Identifier: Apache-2.0
"""A proxy before PostgreSQL that ends the connection at one chosen commit."""
import os
import select
import socket
import tempfile
import threading

COMMIT = b"COMMIT\0"
# What a writing transaction of mpind begins with, and what is in it if the commit need not be on the disk.
WRITING, BRIEF = b"BEGIN ISOLATION LEVEL READ COMMITTED", b"synchronous_commit"


class Cutter:
    """Passes everything on, and cuts at most one connection. `commits` counts those of writing transactions,
    `durable` those of them that wait for the disk."""

    def __init__(self, upstream):
        """`upstream` is the folder of PostgreSQL's socket; `folder` is that of the proxy's."""
        self.folder, self.upstream = tempfile.mkdtemp(prefix="mpin-cut-"), upstream
        self.commits = self.durable = 0
        self.when, self.at, self.cut = None, 0, threading.Event()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{self.folder}/.s.PGSQL.5432")
        self.listener.listen(64)
        threading.Thread(target=self.serve, daemon=True).start()

    def arm(self, when, number):
        """Cuts at the commit of the writing transaction of this number, counted from now: `before`
        PostgreSQL gets it, or `after` PostgreSQL has done it."""
        self.cut.clear()
        self.commits, self.at, self.when = 0, number, when

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(f"{self.upstream}/.s.PGSQL.5432")
            except OSError:
                client.close()
                continue
            threading.Thread(target=self.relay, args=(client, server), daemon=True).start()

    def relay(self, client, server):
        with client, server:
            is_writing = is_durable = False
            while True:
                for end in select.select([client, server], [], [])[0]:
                    try:
                        octets = end.recv(1 << 16)
                    except OSError:
                        octets = b""
                    if not octets:
                        return
                    if end is client and b"BEGIN " in octets:
                        is_writing = WRITING in octets
                        is_durable = is_writing and BRIEF not in octets
                    # libpq sends the statement alone, and waits for its answer.
                    if end is client and is_writing and octets.endswith(COMMIT) and self.is_cut(is_durable):
                        if self.when == "after":
                            self.lose_answer(octets, server)
                        self.when = None
                        self.cut.set()
                        return
                    (server if end is client else client).sendall(octets)

    def is_cut(self, is_durable):
        self.commits += 1
        self.durable += is_durable
        return self.when and self.commits == self.at

    @staticmethod
    def lose_answer(octets, server):
        server.sendall(octets)
        answer = b""
        while COMMIT not in answer:
            more = server.recv(1 << 16)
            assert more, answer
            answer += more

    def close(self):
        self.listener.close()
        os.remove(f"{self.folder}/.s.PGSQL.5432")
        os.rmdir(self.folder)
