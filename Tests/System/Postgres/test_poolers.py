# SPDX-License-Identifier: Apache-2.0
# pgbouncer between mpind and PostgreSQL.
import os
import subprocess

import pytest

from replicas import Site
from support import eventually
from support.milagro import good


class Pooler:
    """A running pgbouncer in a folder of the site."""

    def __init__(self, site, mode):
        self.folder = f"{site.cluster.folder}/{mode}"
        # With `auth_type = any` every client is the user that the database's line names.
        settings = f"""
            [databases]
            mpind = host={site.cluster.folder} user=mpind
            [pgbouncer]
            listen_addr =
            unix_socket_dir = {self.folder}
            listen_port = 5432
            auth_type = any
            pool_mode = {mode}
            default_pool_size = {20 if mode == "session" else 4}
            """
        user = site.cluster.user
        as_user = {"user": user, "group": user, "extra_groups": []} if user else {}
        subprocess.run(["mkdir", self.folder], check=True, **as_user)
        path = f"{self.folder}/pgbouncer.ini"
        with open(path, "w", encoding="ascii") as file:
            file.writelines(line.strip() + "\n" for line in settings.splitlines())
        self.address = f"postgresql://mpind@/mpind?host={self.folder}"
        with open(f"{self.folder}/log", "w", encoding="ascii") as log:
            self.running = subprocess.Popen(["pgbouncer", "--quiet", path], stdout=log, stderr=log, cwd="/",
                                            **as_user)
        eventually(lambda: os.path.exists(f"{self.folder}/.s.PGSQL.5432"), "the socket of pgbouncer")

    def close(self):
        self.running.kill()
        self.running.wait(60)


@pytest.fixture(scope="module")
def site(programs):
    site = Site(programs)
    site.server("one")
    yield site
    site.close()


@pytest.fixture(scope="module")
def poolers(site):
    poolers = {mode: Pooler(site, mode) for mode in ("session", "transaction")}
    yield poolers
    for pooler in poolers.values():
        pooler.close()


@pytest.mark.parametrize("mode, prepare", [("session", "yes"), ("session", "no"), ("transaction", "no")])
def test_logs_in(site, poolers, mode, prepare):
    """logins work behind pgbouncer in session mode, and in transaction mode with database-prepare = no"""
    name = f"{mode}-{prepare}"
    server = site.server(name, address=poolers[mode].address, database_prepare=prepare)
    server.start()
    client = server.enrolled(name)
    for _ in range(5):
        good(client.log_in("1234"))
    assert server.end() == 0


def test_prepared(site, poolers):
    """a pooler in transaction mode refuses prepared statements, and the sentence names the setting"""
    server = site.server("prepared", address=poolers["transaction"].address)
    assert "set `database-prepare = no`" in server.refuses()
