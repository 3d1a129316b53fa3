# SPDX-License-Identifier: Apache-2.0
"""The databases of the bench: each with a server, identities that mpin-bench makes, and the sizes of its
tables."""
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile

from replicas import Site
from support.process import Process

HOST = "bench"
# For what a million rows take.
PATIENCE = 600


class Engine:
    """One database with its server; `servers` are those that run. A `with` statement removes it."""

    name = conf = None

    def __init__(self, programs):
        self.programs, self.servers = programs, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def bench(self, command, **options):
        """Runs mpin-bench; what it prints."""
        words = [f"{key}={value}" for key, value in options.items()]
        done = subprocess.run([f"{self.programs}/mpin-bench", command, *words], stdout=subprocess.PIPE,
                              text=True, check=True, timeout=PATIENCE)
        return done.stdout

    def mpind(self, *words, check=True):
        """Runs a command of mpind; what it prints."""
        done = subprocess.run([f"{self.programs}/mpind", *words, "--config", self.conf], text=True, check=check,
                              stdout=subprocess.PIPE, stderr=None if check else subprocess.DEVNULL,
                              timeout=PATIENCE)
        return done.stdout

    def code(self, host):
        """A join code for a host."""
        return json.loads(self.mpind("host", "add", host, "--json"))["joinCode"]

    def join(self, count):
        """Adds login hosts."""
        codes = [self.code(f"host{number}") for number in range(count)]
        self.bench("join", sockets=self.sockets(), codes=",".join(codes))

    def load(self, command, identities, **options):
        """Logs in; prints the rows of the table."""
        self.mpind("host", "remove", HOST, check=False)
        said = self.bench(command, identities=identities, master=self.master(), code=self.code(HOST),
                          sockets=self.sockets(), **options,
                          servers=",".join(str(server.running.pid) for server in self.servers))
        print(said, end="", flush=True)

    def sockets(self):
        return ",".join(server.public.removeprefix("unix:") for server in self.servers)

    def stop(self):
        while self.servers:
            assert self.servers.pop().end() == 0


class SQLite(Engine):
    name = "SQLite"

    def __init__(self, programs, **settings):
        super().__init__(programs)
        self.home = tempfile.mkdtemp(prefix="mpin-bench-")
        self.data, self.conf = f"{self.home}/data", f"{self.home}/conf"
        self.file = f"{self.data}/mpind.db"
        public = f"unix:{self.home}/mpind.sock"
        with open(self.conf, "w", encoding="ascii") as file:
            file.write(f"data = {self.data}\nauthority-data = {self.home}/master\nlisten = {public}\n"
                       f"admin-socket = {self.home}/admin.sock\n")
            file.writelines(f"{key.replace('_', '-')} = {value}\n" for key, value in settings.items())
        self.mpind("init")
        self.server = Process(f"{self.home}/log", f"{programs}/mpind", "serve", "--config", self.conf)
        self.server.public = public

    def start(self):
        self.server.start()
        self.servers = [self.server]

    def master(self):
        return f"{self.home}/master/authority"

    def fill(self, count):
        self.bench("fill", database=self.file, identities=count)

    def sizes(self):
        """The octets of each table with its indexes; all servers must have ended."""
        database = sqlite3.connect(self.file)
        rows = database.execute("SELECT tbl_name, SUM(pgsize) FROM dbstat JOIN sqlite_schema USING (name)"
                                " GROUP BY tbl_name").fetchall()
        database.close()
        return {**dict(rows), "": os.path.getsize(self.file)}

    def close(self):
        self.server.kill()
        shutil.rmtree(self.home, ignore_errors=True)


class PostgreSQL(Engine):
    """Its settings are those of the installation; see cluster.py."""

    name = "PostgreSQL"

    def __init__(self, programs, **settings):
        super().__init__(programs)
        self.site = Site(programs)
        self.server = self.site.server("one", **settings)

    def start(self, server=None):
        server = server or self.server
        server.start()
        self.servers.append(server)
        self.conf = server.conf

    def start_another(self, **settings):
        self.start(self.site.server(f"server{len(self.site.servers)}", **settings))

    def load(self, command, identities, **options):
        with open(f"{self.site.cluster.data}/postmaster.pid", encoding="ascii") as file:
            postgres = file.readline().strip()
        super().load(command, identities, **options, postgres=postgres)

    def master(self):
        return f"{self.site.master}/authority"

    def fill(self, count):
        script = self.bench("script", identities=count)
        self.site.cluster.sql("SET ROLE mpind", script, database="mpind", patience=PATIENCE)
        self.site.cluster.sql("VACUUM ANALYZE", "CHECKPOINT", database="mpind", patience=PATIENCE)

    def sizes(self):
        """The octets of each table with its indexes."""
        rows = self.site.cluster.sql(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = 'mpind'::regnamespace", "SELECT '', pg_database_size('mpind')",
            database="mpind")
        return {name: int(size) for name, size in (row.split("|") for row in rows.splitlines())}

    def close(self):
        self.site.close()
