# SPDX-License-Identifier: Apache-2.0
"""Users who log in again and again while servers or PostgreSQL fail: `mpin-bench endure`."""
import os
import select
import subprocess

PATIENCE = 120
HOST, IDENTITIES, CLIENTS = "bench", 20_000, 4


class Load:
    """Users of all these servers, for at least so many seconds and granted logins. A `with` statement waits
    for their end, when all servers must answer again; then the attributes say what happened: `granted`, the
    number of logins; `twice`, of tickets that were granted twice; `lost`, of tickets that no server knew,
    although each of them answered; `broken`, of requests without an answer; `statuses` of all answers;
    `wrong`, the identities that typed one wrong PIN and got an answer."""

    # The first identity that the next load uses.
    first = 0

    def __init__(self, servers, seconds=0, logins=1):
        site = servers[0].site
        self.site, self.seconds = site, seconds
        program = os.path.join(os.path.dirname(site.mpind), "mpin-bench")
        known = f"SELECT 1 FROM mpind.identities WHERE host = '{HOST}' LIMIT 1"
        if not site.cluster.sql(known, database="mpind"):
            script = subprocess.run([program, "script", f"identities={IDENTITIES}"], check=True, text=True,
                                    stdout=subprocess.PIPE, timeout=PATIENCE).stdout
            site.cluster.sql("SET ROLE mpind", script, database="mpind")
        code = servers[0].join_code(HOST)
        sockets = ",".join(server.public.removeprefix("unix:") for server in servers)
        self.running = subprocess.Popen(
            [program, "endure", f"identities={IDENTITIES}", f"master={site.master}/authority",
             f"sockets={sockets}", f"code={code}", f"clients={CLIENTS}", f"seconds={seconds}",
             f"logins={logins}", f"first={Load.first}"],
            # Without a buffer: `is_running` must see every line that was not read yet.
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.said = ""
        self.newest = site.cluster.sql("SELECT COALESCE(max(number), 0) FROM mpind.audit", database="mpind")

    def is_running(self):
        """Whether users still log in; the next line that it prints says that they are done."""
        return not select.select([self.running.stdout], [], [], 0)[0]

    def __enter__(self):
        # It has joined, so the servers may fail now.
        assert self.running.stdout.readline() == b"joined\n"
        return self

    def __exit__(self, kind, *_):
        if kind:
            self.running.kill()
        try:
            said, _ = self.running.communicate(timeout=self.seconds + PATIENCE)
            self.said = said.decode()
        finally:
            self.running.kill()
        if kind:
            return
        assert self.running.returncode == 0, self.said
        told = dict(line.partition(" ")[::2] for line in self.said.splitlines())
        assert "strange" not in told, self.said
        self.granted, self.twice, self.lost, self.broken, next_one = (
            int(told[key]) for key in ("granted", "twice", "lost", "broken", "next"))
        self.statuses = {int(status) for status in told["statuses"].split()}
        # An identity comes again after all others.
        self.wrong = set(told["wrong"].split())
        Load.first = next_one

    def kept(self):
        """How many of the answered wrong PINs the database has counted."""
        identities = ", ".join(f"'\\x{identity}'" for identity in self.wrong)
        return int(self.site.cluster.sql(
            f"SELECT count(DISTINCT id) FROM mpind.tries WHERE returned_at IS NULL AND id IN ({identities})",
            database="mpind"))

    def recorded(self):
        """How many granted logins the audit trail has since this load began."""
        return int(self.site.cluster.sql(
            "SELECT count(*) FROM mpind.audit JOIN mpind.audit_fields USING (number)"
            f" WHERE kind = 'login' AND name = 'verdict' AND value = 'granted' AND number > {self.newest}",
            database="mpind"))

    def __repr__(self):
        return self.said
