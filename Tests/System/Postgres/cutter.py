# SPDX-License-Identifier: Apache-2.0
"""A proxy before PostgreSQL that ends the connection at one chosen commit."""
import os
import pwd
import select
import socket
import tempfile
import threading

COMMIT = b"COMMIT\0"
# What a writing transaction of mpind begins with, and what is in it if the commit need not be on the disk.
WRITING, BRIEF = b"BEGIN ISOLATION LEVEL READ COMMITTED", b"synchronous_commit"


class Cutter:
    """Passes everything on, and cuts one connection when it is told to. `durable` counts the commits that
    wait for the disk. It reads statements, so mpind must not prepare them: `database-prepare = no`."""

    def __init__(self, upstream):
        """`upstream` is the folder of PostgreSQL's socket; `folder` is that of the proxy's, which belongs to
        `user`."""
        self.folder, self.upstream = tempfile.mkdtemp(prefix="mpin-cut-"), upstream
        self.user = pwd.getpwuid(os.geteuid()).pw_name
        self.durable = 0
        self.when, self.statement, self.cut = None, b"", threading.Event()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{self.folder}/.s.PGSQL.5432")
        self.listener.listen(64)
        threading.Thread(target=self.serve, daemon=True).start()

    def arm(self, when, statement=""):
        """Cuts at the next commit of a transaction with this statement: `before` PostgreSQL gets it, or
        `after` PostgreSQL has done it. Without `when` nothing is cut."""
        self.cut.clear()
        self.when, self.statement = when, statement.encode()

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
            transaction = b""
            while True:
                for end in select.select([client, server], [], [])[0]:
                    try:
                        octets = end.recv(1 << 16)
                    except OSError:
                        octets = b""
                    if not octets:
                        return
                    if end is client:
                        transaction = octets if b"BEGIN " in octets else transaction + octets
                        # libpq sends the statement alone, and waits for its answer.
                        if octets.endswith(COMMIT) and self.cuts(transaction, octets, server):
                            return
                    (server if end is client else client).sendall(octets)

    def cuts(self, transaction, commit, server):
        """Whether the connection ends here."""
        self.durable += WRITING in transaction and BRIEF not in transaction
        if not self.when or self.statement not in transaction:
            return False
        when, self.when = self.when, None
        if when == "after":
            self.lose_answer(commit, server)
        self.cut.set()
        return True

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
