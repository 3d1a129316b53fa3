# SPDX-License-Identifier: Apache-2.0
# Several servers with one database: any of them answers, and what happens if one of them or PostgreSQL ends.
import itertools
import os
import re
import threading
import time

import pytest

from replicas import PATIENCE, Site
from support.milagro import good
from support.wire import Unexpected, Wire

# Seconds of kills; MPIN_FUZZ makes them longer.
SECONDS = 12 * int(os.environ.get("MPIN_FUZZ", "1"))
USERS = 4


@pytest.fixture(scope="module")
def site(programs):
    site = Site(programs)
    yield site
    site.close()


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
    return [servers[number % 2].enrolled(f"user{number}") for number in range(USERS)]


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


def becomes(monitoring, status):
    """Waits until /ready has this status; what it says."""
    end = time.monotonic() + PATIENCE
    while (answer := monitoring.get("/ready")).status != status:
        assert time.monotonic() < end, repr(answer)
        time.sleep(0.1)
    return answer.body


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
    assert becomes(monitoring, 200) == b"ready\n"
    site.cluster.stop()
    assert becomes(monitoring, 503) == b"database: It does not answer.\n"
    assert monitoring.get("/live").status == 200
    assert states(monitoring)["lost"] > 0
    site.cluster.start()
    assert becomes(monitoring, 200) == b"ready\n"


class Load:
    """Users who log in again and again, each at the servers in turn, and present each ticket at both."""

    def __init__(self, servers, clients):
        self.servers, self.ends = servers, threading.Event()
        self.granted, self.twice, self.statuses, self.strange = 0, 0, set(), []
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.log_in, args=(client,)) for client in clients]
        for thread in self.threads:
            thread.start()

    def log_in(self, client):
        for turn in itertools.count():
            if self.ends.is_set():
                return
            try:
                client.wire = self.servers[turn % 2].wire()
                said = client.prove("1234", permit=False)
                answers = []
                for server in self.servers:
                    try:
                        client.wire = server.wire()
                        answers.append(client.redeem(said).status)
                    except OSError:
                        pass
                with self.lock:
                    self.statuses.update(answers)
                    self.granted += answers.count(200) > 0
                    self.twice += answers.count(200) > 1
            except Unexpected as refused:
                with self.lock:
                    self.statuses.add(int(str(refused).split()[0]))
                time.sleep(0.05)
            except OSError:
                # This server was killed.
                time.sleep(0.05)
            except Exception as error:  # pylint: disable=broad-except
                with self.lock:
                    self.strange.append(repr(error))

    def end(self):
        self.ends.set()
        for thread in self.threads:
            thread.join(60)
        assert not self.strange, self.strange[:3]
        return self


def test_restart(site, servers, clients):
    """while PostgreSQL restarts, requests get 503 and nothing else; then logins go on without a restart"""
    load = Load(servers, clients)
    for mode in "fast", "immediate":
        time.sleep(1)
        site.cluster.stop(mode)
        time.sleep(1)
        site.cluster.start()
    time.sleep(1)
    before = load.granted
    time.sleep(2)
    load.end()
    assert load.granted > before, (load.granted, load.statuses)
    # 408: the ticket was used, or its outcome is not known.
    assert load.statuses <= {200, 408, 503} and 503 in load.statuses, load.statuses
    assert load.twice == 0
    for server in servers:
        assert server.running.poll() is None


def wrong(server, client):
    """Whether one wrong PIN was answered."""
    try:
        client.wire = server.wire()
        client.prove("4321", permit=False)
        return 1
    except (OSError, Unexpected):
        return 0


def test_kills(site, servers, clients):
    """servers are killed again and again: no ticket grants twice, and no answered wrong try is forgotten"""
    victims = [servers[0].enrolled(f"victim{number}") for number in range(min(SECONDS, 24))]
    load = Load(servers, clients)
    answered, end = {}, time.monotonic() + SECONDS
    for turn in itertools.count():
        if time.monotonic() > end:
            break
        victim = victims[turn % len(victims)]
        if turn < 2 * len(victims):
            answered[victim.hash] = answered.get(victim.hash, 0) + wrong(servers[turn % 2], victim)
        time.sleep(0.5)
        servers[turn % 2].kill()
        time.sleep(0.2)
        servers[turn % 2].start()
    load.end()
    assert load.granted > 5 and load.twice == 0, (load.granted, load.twice, load.statuses)
    assert load.statuses <= {200, 408, 503}, load.statuses
    assert sum(answered.values()) > 0
    for identity, count in answered.items():
        query = f"SELECT count(*) FROM mpind.tries WHERE id = '\\x{identity}'"
        kept = site.cluster.sql(query, database="mpind")
        assert int(kept) >= count, (identity, kept, count)
