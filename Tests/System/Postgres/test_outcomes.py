# SPDX-License-Identifier: Apache-2.0
# What a client sees when the connection to PostgreSQL ends at a commit: docs/postgresql.md, section 5.
import threading

import pytest

from cutter import Cutter
from support import eventually
from support.milagro import Client, good
from support.wire import Unexpected

UNKNOWN = b"does not know whether this was done"
WHEN = pytest.mark.parametrize("when", ["before", "after"])


@pytest.fixture(scope="module")
def cutter(site):
    cutter = Cutter(site.cluster.folder)
    yield cutter
    cutter.close()


@pytest.fixture(scope="module")
def server(site, cutter):
    """A server that reaches PostgreSQL through the proxy."""
    address = f"postgresql://mpind@/mpind?host={cutter.folder}&requirepeer={cutter.user}"
    server = site.server("one", address=address, database_prepare="no")
    server.start()
    return server


@pytest.fixture(scope="module")
def client(server):
    return server.enrolled("alice")


def wrong_tries(site, client):
    return int(site.cluster.sql(
        f"SELECT count(*) FROM mpind.tries WHERE returned_at IS NULL AND id = '\\x{client.hash}'",
        database="mpind"))


@pytest.fixture(autouse=True)
def disarmed(cutter):
    """After a test nothing is cut."""
    yield
    cutter.arm(None)


def is_unknown(answer):
    return answer.status == 503 and UNKNOWN in answer.body


def begun(client, pin="1234"):
    """A pass 2 that is ready to be sent."""
    good(client.permit())
    return client.answer(*client.pass1(pin))


def test_three_waits(client, cutter):
    """a Milagro client's login waits three times for the disk: its try, the ticket's use, its record"""
    def steps():
        good(client.permit())
        counts = [cutter.durable]
        begun = client.pass1("1234")
        counts.append(cutter.durable)
        said = good(client.pass2(client.answer(*begun))).json
        counts.append(cutter.durable)
        good(client.redeem(said))
        counts.append(cutter.durable)
        return [after - before for before, after in zip(counts, counts[1:])]

    # During one of them the server may also clean up.
    assert [min(counts) for counts in zip(steps(), steps(), steps())] == [0, 1, 2]


@WHEN
def test_pass_one(client, cutter, when):
    """pass 1: 503, and the client begins again"""
    good(client.permit())
    cutter.arm(when, "INSERT INTO pass_ones")
    with pytest.raises(Unexpected) as told:
        client.pass1("1234")
    assert cutter.cut.is_set() and str(told.value).startswith("503")
    good(client.log_in("1234"))


@WHEN
def test_count_of_pass_two(site, client, cutter, when):
    """pass 2, before the proof is verified: 503, and the try is counted if PostgreSQL did the commit"""
    before, body = wrong_tries(site, client), begun(client, "4321")
    cutter.arm(when, "INSERT INTO tries")
    assert is_unknown(client.pass2(body)) and cutter.cut.is_set()
    assert wrong_tries(site, client) == before + (when == "after")
    good(client.log_in("1234"))


@WHEN
def test_verdict_of_pass_two(site, client, cutter, when):
    """pass 2, after the proof was verified: 503, and the wrong try is counted in any case"""
    before, body = wrong_tries(site, client), begun(client, "4321")
    cutter.arm(when, "INSERT INTO verdicts")
    assert is_unknown(client.pass2(body)) and cutter.cut.is_set()
    assert wrong_tries(site, client) == before + 1
    good(client.log_in("1234"))


@WHEN
def test_redemption(client, cutter, when):
    """redemption: 503, and the ticket grants once more only if PostgreSQL did not do the commit"""
    said = client.prove("1234")
    cutter.arm(when, "DELETE FROM verdicts WHERE auth_ott")
    assert is_unknown(client.redeem(said)) and cutter.cut.is_set()
    assert client.redeem(said).status == (200 if when == "before" else 408)
    assert client.redeem(said).status == 408


@WHEN
def test_share(server, cutter, when):
    """a share of a client secret: 503, because the authority has noted it; the user enrols with a new code"""
    user = f"peggy-{when}@example.org"
    client = Client(server.wire(), user)
    good(client.start(activateCode=server.code(user)))
    cutter.arm(when, "INSERT INTO identities")
    assert is_unknown(client.confirm()) and cutter.cut.is_set()
    assert client.confirm().status == (503 if when == "before" else 401)
    client = Client(server.wire(), user).register("1234", activateCode=server.code(user))
    good(client.log_in("1234"))


@WHEN
def test_revocation(site, server, cutter, when):
    """administration: the command says that it may have been done, and it was if PostgreSQL did the commit"""
    mallory = server.enrolled(f"mallory-{when}")
    cutter.arm(when, "UPDATE identities SET revoked_at")
    said = server.run("user", "revoke", mallory.user_id, "--config", server.conf, code=3)
    assert cutter.cut.is_set() and UNKNOWN.decode() in said, said
    revoked = site.cluster.sql("SELECT revoked_at FROM mpind.users WHERE user_id = "
                               f"'{mallory.user_id}'", database="mpind")
    assert bool(revoked) == (when == "after")
    if not revoked:
        good(mallory.log_in("1234"))


def test_lost_standby(site, client):
    """a commit that stops waiting for its standby: 503, because the standby may not have the ticket's use"""
    said = client.prove("1234")
    synchronous(site, "absent")
    try:
        answers = []
        asking = threading.Thread(target=lambda: answers.append(client.redeem(said)))
        asking.start()
        # PostgreSQL also ends the wait itself, when the statement has taken three seconds.
        stops_waiting(site, asking)
    finally:
        synchronous(site, "")
    assert is_unknown(*answers), answers
    assert client.redeem(said).status == 408
    good(client.log_in("1234"))


def synchronous(site, standby):
    """From now on a commit waits for this standby, which is not there; for none if it is empty."""
    site.cluster.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{standby}'", "SELECT pg_reload_conf()")

    def waits():
        write = "SELECT pg_logical_emit_message(true, '', '')"
        commit = threading.Thread(target=site.cluster.sql, args=[write])
        commit.start()
        return stops_waiting(site, commit)

    # The checkpointer tells the other processes.
    eventually(lambda: waits() == bool(standby), "the standby's name")


def stops_waiting(site, asking):
    """Until this thread ends no commit waits for a standby any longer; whether one did."""
    stopped = ""
    while asking.is_alive():
        stopped += site.cluster.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
                                    " WHERE wait_event = 'SyncRep'")
        asking.join(0.1)
    return bool(stopped)
