# SPDX-License-Identifier: Apache-2.0
# Which databases mpind takes, and with which sentence it refuses the others.
import os
import signal
import subprocess

import pytest

from replicas import Server
from support import eventually
from support.milagro import good
from support.process import Process


@pytest.fixture(scope="module")
def server(site):
    """A server that has run once and does not run now."""
    server = site.server("one")
    server.start()
    server.enrolled("alice")
    assert server.end() == 0, server.said()
    return server


def test_enrols(server):
    """a user enrols and logs in, and the tables are in the database alone"""
    assert not os.path.exists(f"{server.data}/mpind.db")
    cluster = server.site.cluster
    assert cluster.sql("SELECT count(*) FROM mpind.identities", database="mpind") == "1"
    assert cluster.sql("SELECT count(*) FROM ta.issued", database="mpind") == "2"


def test_apart(server):
    """the server's role cannot read the authority's book, nor the authority's role the server's tables"""
    for role, table in ("mpind", "ta.issued"), ("ta", "mpind.identities"):
        with pytest.raises(subprocess.CalledProcessError) as refused:
            server.site.cluster.sql(f"SET ROLE {role}", f"SELECT * FROM {table}", database="mpind")
        assert "permission denied" in refused.value.stderr


def test_other_secrets(server):
    """a server with other secrets does not start, and says which file is to blame"""
    other = server.site.server("other", secrets_of=server)
    path = f"{other.data}/server"
    with open(path, encoding="ascii") as file:
        said = file.read()
    for key, name in (("wrapping-key", "wrapping key"), ("device-keys", "device keys 1"),
                      ("app-key", "application key")):
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{key} = {'ab' * 32}\n" if line.startswith(key) else line + "\n"
                            for line in said.splitlines())
        sentence = other.refuses()
        assert f"`server` are not those that this database was used with ({name})" in sentence, sentence


def test_other_authority(server):
    """a server whose authority has another master secret does not start"""
    site = server.site
    own = Server(site, "own", site.address("mpind"), {})
    with open(own.conf, "w", encoding="utf-8") as file:
        file.write(f"data = {own.data}\nauthority-data = {own.data}-ta\n")
    own.run("init", "--config", own.conf)
    socket = f"{site.home}/own-ta.sock"
    authority = Process(f"{site.home}/own-ta.log", site.mpind, "authority", "--data", f"{own.data}-ta",
                        "--listen", socket)
    authority.start()
    try:
        foreign = site.server("foreign", secrets_of=server)
        with open(foreign.conf, encoding="utf-8") as file:
            said = file.read()
        with open(foreign.conf, "w", encoding="utf-8") as file:
            file.write(said.replace(site.socket, socket))
        assert "master secret is not the one that this database was used with" in foreign.refuses()
    finally:
        authority.kill()


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes", "synchronous_commit"])
def test_unsafe(server, setting):
    """a database that could lose commits is refused with the setting's name"""
    cluster = server.site.cluster
    cluster.sql(f"ALTER SYSTEM SET {setting} = off", "SELECT pg_reload_conf()")
    try:
        assert f"{setting} = off, so it could lose counts and revocations" in server.refuses()
    finally:
        cluster.sql(f"ALTER SYSTEM RESET {setting}", "SELECT pg_reload_conf()")


def test_open_schema(server):
    """a database in which every role may create functions in a schema that mpind uses is refused"""
    cluster = server.site.cluster
    cluster.sql("GRANT CREATE ON SCHEMA public TO PUBLIC", database="mpind")
    try:
        assert "every role may create tables and functions" in server.refuses()
    finally:
        cluster.sql("REVOKE CREATE ON SCHEMA public FROM PUBLIC", database="mpind")


def test_version(server):
    """a database of another version is refused and stays as it is"""
    cluster = server.site.cluster
    version = cluster.sql("SELECT version FROM mpind.meta", database="mpind")
    cluster.sql("UPDATE mpind.meta SET version = 99", database="mpind")
    try:
        said = server.refuses()
        assert "its tables are of schema 99, made by another version of mpind" in said, said
        assert "mpind init" not in said, said
    finally:
        cluster.sql(f"UPDATE mpind.meta SET version = {version}", database="mpind")


def refused_init(site, role):
    """What `mpind init` says with a role that does not suffice; it must make no secrets."""
    fresh = Server(site, f"fresh-{role}", site.address(role), {})
    said = fresh.run("init", "--config", fresh.conf, "--authority-data", f"{fresh.data}-authority", code=2)
    assert not os.path.exists(f"{fresh.data}/server"), said
    return said


def test_upgrade(server):
    """check only reads an empty database; upgrade makes the tables by a role of its own, and servers, whose
    role may make none, start with them"""
    cluster, site = server.site.cluster, server.site
    cluster.sql("CREATE ROLE maker LOGIN", "CREATE ROLE plain LOGIN")
    cluster.sql("CREATE SCHEMA plain", "GRANT USAGE ON SCHEMA plain TO plain, maker",
                "GRANT CREATE ON SCHEMA plain TO maker", "ALTER ROLE maker SET search_path = plain",
                "ALTER DEFAULT PRIVILEGES FOR ROLE maker IN SCHEMA plain GRANT ALL ON TABLES TO plain",
                database="mpind")
    plain = site.server("plain", address=site.address("plain"), secrets_of=server)
    maker = site.server("maker", address=site.address("maker"), secrets_of=server)
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'plain'"
    assert "has no tables yet" in maker.run("database", "check", "--config", maker.conf)
    assert "this role may not make any" in plain.run("database", "check", "--config", plain.conf, code=2)
    assert cluster.sql(tables, database="mpind") == "0"
    assert "permission denied for schema plain" in plain.refuses()
    assert "this role may not make any" in refused_init(site, "plain")
    for _ in range(2):
        maker.run("database", "upgrade", "--config", maker.conf)
    assert cluster.sql(tables, database="mpind") != "0"
    assert plain.run("database", "check", "--config", plain.conf) == "The database is good.\n"
    plain.start()
    good(plain.wire().get("/rps/clientSettings"))
    assert plain.end() == 0


def test_book_as_storage(server):
    """the authority's book is not taken for the server's database"""
    taken = server.site.server("taken", address=server.site.address("ta"), secrets_of=server)
    assert "its tables are of another kind" in taken.refuses()


LAGGING = "The database has a standby that commits do not wait for"
STATES = "SELECT string_agg(sync_state, ' ' ORDER BY sync_state) FROM pg_stat_replication"


def change(cluster, setting, value):
    """Changes a setting of PostgreSQL, and waits until new connections have it."""
    cluster.sql(f"ALTER SYSTEM SET {setting} = '{value}'", "SELECT pg_reload_conf()")
    eventually(lambda: cluster.sql(f"SHOW {setting}") == value, f"{setting} = {value}")


def test_standby(server):
    """a standby is refused, and a server warns of a standby that commits do not wait for"""
    cluster = server.site.cluster
    standby = cluster.standby("behind")
    try:
        behind = server.site.server("behind", address=standby.address("mpind", "mpind"), secrets_of=server)
        assert "session is read-only" in behind.refuses()
        check = "database", "check", "--config", server.conf
        assert LAGGING in server.run(*check)
        server.start()
        assert LAGGING in server.said() and server.end() == 0
        cluster.waits_for("behind")
        assert LAGGING not in server.run(*check)
        for weak in "local", "remote_write":
            change(cluster, "synchronous_commit", weak)
            assert LAGGING in server.run(*check), weak
        change(cluster, "synchronous_commit", "on")
        second = cluster.standby("second")
        try:
            for grant in "REVOKE pg_read_all_stats FROM mpind", "GRANT pg_read_all_stats TO mpind":
                cluster.sql("SET synchronous_commit = local", grant)
                for names, states, lags in (
                        ("behind, second", "potential sync", True),
                        ("ANY 1 (behind, second)", "quorum quorum", True),
                        ("FIRST 2 (behind, second)", "sync sync", False)):
                    change(cluster, "synchronous_standby_names", names)
                    eventually(lambda: cluster.sql(STATES) == states, f"the standbys to be {states}")
                    assert (LAGGING in server.run(*check)) is lags, (names, grant)
        finally:
            second.stop("immediate")
    finally:
        cluster.sql("SET synchronous_commit = local", "REVOKE pg_read_all_stats FROM mpind")
        cluster.sql("ALTER SYSTEM RESET ALL", "SELECT pg_reload_conf()")
        standby.stop("immediate")


def test_away(server):
    """a server and the authority wait while PostgreSQL is down, and commands do not"""
    site = server.site
    assert site.authority.end() == 0
    site.cluster.stop()
    failed = f'connection to server on socket "{site.cluster.folder}/.s.PGSQL.5432" failed'
    for process in server, site.authority:
        process.start(waits=False)
        process.says(f"^waiting database=.*Cannot open the database .*: {failed}")
    assert server.end() == -signal.SIGTERM
    server.start(waits=False)
    for command in "check", "upgrade":
        assert failed in server.run("database", command, "--config", server.conf, code=2)
    site.cluster.start()
    for process in site.authority, server:
        process.says("^ready")
    good(server.wire().get("/rps/clientSettings"))
    assert server.end() == 0


def test_refused(server):
    """a role that may not connect, and a PostgreSQL of another user, are refused with a sentence why, and an
    `init` that cannot connect makes no secrets"""
    address = server.site.address("mpind").replace("requirepeer=", "requirepeer=no")
    stranger = server.site.server("stranger", address=address, secrets_of=server)
    assert "requirepeer specifies" in stranger.refuses()
    unknown = server.site.server("unknown", address=server.site.address("nobody"), secrets_of=server)
    assert 'role "nobody" does not exist' in unknown.refuses()
    assert 'role "nobody" does not exist' in refused_init(server.site, "nobody")


def test_password(server):
    """a password in the address is refused, one in a file is used, and that file must be closed to others"""
    site = server.site
    site.cluster.sql("ALTER ROLE mpind PASSWORD 'correct horse'")
    hba = f"{site.cluster.data}/pg_hba.conf"
    with open(hba, encoding="ascii") as file:
        before = file.read()
    with open(hba, "w", encoding="ascii") as file:
        file.write("local all mpind scram-sha-256\n" + before)
    site.cluster.sql("SELECT pg_reload_conf()")
    try:
        address = "postgresql://mpind:secret@/mpind?host=/tmp"
        open_one = site.server("open", address=address, secrets_of=server)
        assert "the address contains a password" in open_one.refuses()
        assert "the address contains a password" in open_one.run("check", "--config", open_one.conf, code=2)
        path = f"{site.home}/password"
        with open(path, "w", encoding="ascii") as file:
            file.write("correct horse\n")
        os.chmod(path, 0o644)
        closed = site.server("closed", secrets_of=server, database_password_file=path)
        assert "with mode 0600" in closed.refuses()
        os.chmod(path, 0o600)
        closed.start()
        good(closed.wire().get("/rps/clientSettings"))
        closed.end()
    finally:
        with open(hba, "w", encoding="ascii") as file:
            file.write(before)
        site.cluster.sql("SELECT pg_reload_conf()")
