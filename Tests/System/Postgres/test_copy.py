# SPDX-License-Identifier: Apache-2.0
# `mpind database copy`: a server on files moves to PostgreSQL and back, with the authority's book.
import os
import shutil
import signal
import sqlite3
import subprocess

import pytest

from replicas import Server
from support.milagro import good
from support.process import PATIENCE


@pytest.fixture(scope="module")
def files(site):
    """A server on files, with its authority inside it, that has run once: its user is enrolled."""
    server = Server(site, "files", site.address("mpind"), {})
    use_files(server)
    server.run("init", "--config", server.conf)
    server.start()
    server.alice = server.enrolled("alice")
    assert server.end() == 0, server.said()
    return server


def use_files(server):
    """Takes PostgreSQL and the authority's process out of the settings."""
    with open(server.conf, encoding="utf-8") as file:
        lines = file.readlines()
    with open(server.conf, "w", encoding="utf-8") as file:
        file.writelines(line for line in lines if line.split()[0] not in ("database", "authority-socket"))


def copied(server, *words):
    """What a copy that is complete says."""
    said = server.run("database", "copy", "--config", server.conf, *words)
    assert said.endswith("The copy is complete: all rows are the same.\n"), said
    return said


def logged_in(server):
    """The user of the copied server logs in there."""
    server.alice.wire = server.wire()
    good(server.alice.log_in("1234"))


def test_empty(files):
    """a database without tables is no source, and gets none"""
    cluster, site = files.site.cluster, files.site
    said = files.run("database", "copy", "--config", files.conf, "--from", site.address("mpind"), code=2)
    assert "the source has no tables" in said, said
    assert cluster.sql("SELECT to_regclass('mpind.identities') IS NULL", database="mpind") == "t"


def test_killed(files):
    """kill -9 in the middle of a copy: no server opens the target, and the next copy goes on"""
    site = files.site
    database = sqlite3.connect(f"{files.data}/mpind.db")
    database.execute("INSERT INTO audit (at, kind, subject, host, source, attempt, retention) WITH RECURSIVE n (i) AS"
                 " (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, 'login', '', '', '', '', 0"
                 " FROM n")
    database.commit()
    records = database.execute("SELECT count(*) FROM audit").fetchone()[0]
    database.close()
    copy = subprocess.Popen([site.mpind, "database", "copy", "--config", files.conf, "--to",
                             site.address("mpind")], stdout=subprocess.PIPE, text=True)
    while site.cluster.sql("SELECT to_regclass('mpind.identities') IS NULL", database="mpind") == "t":
        assert copy.poll() is None, "it ended"
    copy.send_signal(signal.SIGKILL)
    assert copy.wait(PATIENCE) == -signal.SIGKILL, "it ended before it was killed"
    early = Server(site, "early", site.address("mpind"), {})
    os.mkdir(early.data, 0o700)
    shutil.copy2(f"{files.data}/server", f"{early.data}/server")
    assert "was interrupted, run it again" in early.refuses(), early.said()
    assert f"audit: {records}\n" in copied(files, "--to", site.address("mpind"))


def test_there(files):
    """after the copy of both, a server with PostgreSQL and the authority in a process of its own go on"""
    site = files.site
    copied(files, "--book", "--to", site.address("ta"))
    assert site.cluster.sql("SELECT count(*) FROM ta.issued", database="mpind") == "2"
    site.authority.words += "--database", site.address("ta")
    site.authority.start()
    moved = Server(site, "moved", site.address("mpind"), {})
    os.mkdir(moved.data, 0o700)
    shutil.copy2(f"{files.data}/server", f"{moved.data}/server")
    moved.alice = files.alice
    moved.start()
    logged_in(moved)
    moved.bob = moved.enrolled("bob")
    assert moved.end() == 0, moved.said()
    assert site.authority.end() == 0, site.authority.said()


def test_back(files):
    """the copy back has what happened meanwhile, and the book too"""
    site = files.site
    back = Server(site, "back", site.address("mpind"), {})
    use_files(back)
    os.mkdir(back.data, 0o700)
    shutil.copy2(f"{files.data}/server", f"{back.data}/server")
    os.rename(f"{site.master}/book.db", f"{site.home}/old-book.db")
    copied(back, "--from", site.address("mpind"))
    copied(back, "--book", "--from", site.address("ta"))
    book = sqlite3.connect(f"{site.master}/book.db")
    assert book.execute("SELECT count(*) FROM issued").fetchall() == [(4,)]
    book.close()
    back.alice = files.alice
    back.start()
    logged_in(back)
    assert "bob@example.org" in back.run("user", "list", "--config", back.conf)
    assert back.end() == 0, back.said()
