# SPDX-License-Identifier: Apache-2.0
# Several servers with one database: any of them answers, and what happens if one of them or PostgreSQL ends.
import os
import re
import time

import pytest

from load import Load
from support.milagro import good
from support.wire import Unexpected, Wire

# Seconds of kills, and the logins of two servers that are granted meanwhile; MPIN_FUZZ makes both greater.
LONG = int(os.environ.get("MPIN_FUZZ", "1"))
SECONDS, LOGINS = 12 * LONG, 1000 * LONG
# For four servers: half of it, unless it is a long run.
FEWER = 6 if LONG == 1 else SECONDS


def monitored(site):
    return f"unix:{site.home}/metrics.sock"


@pytest.fixture(scope="module")
def servers(site):
    """Two running servers."""
    servers = [site.server("one", metrics_listen=monitored(site)), site.server("two")]
    for server in servers:
        server.start()
    return servers


@pytest.fixture(scope="module")
def clients(servers):
    return [server.enrolled(f"user{number}") for number, server in enumerate(servers)]


@pytest.fixture(scope="module")
def monitoring(site, servers):
    """The monitoring of the first server."""
    return Wire(monitored(site))


def test_alternating(servers, clients):
    """a login may begin at one server and end at the other"""
    client = clients[0]
    for first, second in servers, reversed(servers):
        client.wire = first.wire()
        good(client.permit())
        begun = client.pass1("1234")
        client.wire = second.wire()
        said = good(client.pass2(client.answer(*begun))).json
        client.wire = first.wire()
        good(client.redeem(said))
        client.wire = second.wire()
        assert client.redeem(said).status == 408


def test_revoked(servers, clients):
    """a revocation at one server holds at the other at once"""
    client = servers[0].enrolled("mallory")
    servers[1].run("user", "revoke", "mallory@example.org", "--config", servers[1].conf)
    with pytest.raises(Unexpected):
        good(client.log_in("1234"))


def becomes(monitoring, status, *lines):
    """Waits until /ready has this status and says this."""
    monitoring.until(
        "/ready", lambda answer: (answer.status, answer.body.decode().splitlines()) == (status, list(lines)))


SILENT = "It does not answer."


def states(monitoring):
    """The connections to the database, by state."""
    text = good(monitoring.get("/metrics")).body.decode()
    found = re.findall(r'^mpind_database_connections\{state="(\w+)"\} (\S+)$', text, re.M)
    return {state: float(count) for state, count in found}


def test_metrics(monitoring, clients):
    """the metrics name the engine PostgreSQL, and have the connections and the clock of the database"""
    text = good(monitoring.get("/metrics")).body.decode()
    assert re.search(r'^mpind_build_info\{.*engine="postgresql".*\} 1$', text, re.M)
    assert sum(states(monitoring).values()) == 8 and states(monitoring)["lost"] == 0
    assert abs(float(re.search(r"^mpind_database_clock_offset_seconds (\S+)$", text, re.M)[1])) < 1
    assert re.search(r'^mpind_logins_total\{method="pin",verdict="granted"\} [1-9]', text, re.M)


def test_ready(site, monitoring):
    """while PostgreSQL is stopped the server is alive but not ready, and it is ready again afterwards"""
    becomes(monitoring, 200, "ready")
    site.cluster.stop()
    becomes(monitoring, 503, f"database: {SILENT}", f"authority: {SILENT}")
    assert monitoring.get("/live").status == 200
    assert states(monitoring)["lost"] > 0
    site.cluster.start()
    becomes(monitoring, 200, "ready")


def test_book(site, monitoring):
    """a server whose authority may not read its book is ready for logins, and says what is wrong"""
    site.cluster.sql("REVOKE ALL ON ALL TABLES IN SCHEMA ta FROM ta", database="mpind")
    try:
        becomes(monitoring, 200, "ready", f"authority: {SILENT}")
    finally:
        site.cluster.sql("GRANT ALL ON ALL TABLES IN SCHEMA ta TO ta", database="mpind")
    becomes(monitoring, 200, "ready")


def test_restart(site, servers):
    """while PostgreSQL restarts, every request is answered, with 503 or as usual; then logins go on"""
    modes = ("immediate",) if LONG == 1 else ("fast", "immediate", "fast", "immediate", "immediate")
    outage = 1 if LONG == 1 else 10
    with Load(servers, seconds=(1 + outage) * len(modes) + 1) as load:
        for mode in modes:
            time.sleep(1)
            site.cluster.stop(mode)
            time.sleep(outage)
            site.cluster.start()
    # 408: the ticket was used, or its outcome is not known; a crash may also lose the last verdicts.
    assert load.granted > 0 and load.twice == 0 and load.broken == 0, load
    assert load.statuses <= {200, 408, 503} and 503 in load.statuses, load
    assert load.kept() >= len(load.wrong) > 0, load
    with Load(servers, logins=50) as load:
        pass
    assert load.statuses == {200, 408} and load.lost == load.broken == 0, load
    for server in servers:
        assert server.running.poll() is None


@pytest.mark.parametrize("count, logins, seconds", [(2, LOGINS, SECONDS), (4, 1, FEWER)])
def test_kills(site, servers, count, logins, seconds):
    """while a server is killed every second, no ticket grants twice, no verdict is lost, and no answered wrong
    PIN is forgotten"""
    replicas = servers + [site.server(f"replica{number}") for number in range(2, count)]
    for replica in replicas[2:]:
        replica.start()
    kills = 0
    with Load(replicas, seconds=seconds, logins=logins) as load:
        while load.is_running():
            time.sleep(0.7)
            victim = replicas[kills % count]
            victim.kill()
            kills += 1
            time.sleep(0.1)
            victim.start()
            if kills % 30 == 0:
                # It limits how often the server secret is requested; a new process begins to count anew.
                site.authority.kill()
                site.authority.start()
    for replica in replicas[2:]:
        assert replica.end() == 0, replica.said()
    assert logins <= load.granted <= 500 * kills, (load, kills)
    assert load.twice == load.lost == 0 and load.statuses <= {200, 408, 503}, load
    assert load.kept() >= len(load.wrong) > 0, load
