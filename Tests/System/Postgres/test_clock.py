# SPDX-License-Identifier: Apache-2.0
# A server whose clock is wrong: libfaketime gives it one that the test sets.
import glob

import pytest

from support.milagro import Client, good
from support.wire import Unexpected, Wire


WARNING = "Until one of them is set right, no login begins"


class Clock:
    """The clock of one server."""

    def __init__(self, site):
        self.path = f"{site.home}/clock"
        self.set(0)

    def set(self, seconds):
        """How far it is ahead of the database's."""
        with open(self.path, "w", encoding="ascii") as file:
            file.write(f"{seconds:+d}s\n")

    def words(self):
        """Run a program with this clock. A library that changes the environment hides a Swift program's
        arguments from it, so the library does that in a second env."""
        library = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")[0]
        return ("env", f"LD_PRELOAD={library}", f"FAKETIME_TIMESTAMP_FILE={self.path}",
                "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1", "env")


@pytest.fixture(scope="module")
def clock(site):
    return Clock(site)


@pytest.fixture(scope="module")
def server(site, clock):
    server = site.server("one", metrics_listen=f"unix:{site.home}/metrics.sock")
    server.words = clock.words() + server.words
    server.start()
    return server


@pytest.mark.parametrize("seconds", [90, -90])
def test_wrong(site, server, clock, seconds):
    """while a server's clock is wrong it begins no login and issues nothing; afterwards it does"""
    client = server.enrolled(f"alice{seconds}")
    enrolling = Client(server.wire(), f"bob{seconds}@example.org")
    good(enrolling.start(activateCode=server.code(f"bob{seconds}@example.org")))
    monitoring = Wire(f"unix:{site.home}/metrics.sock")
    clock.set(seconds)
    warned = server.said().count(WARNING)
    for _ in range(3):
        with pytest.raises(Unexpected, match="^503"):
            client.prove("1234", permit=False)
    assert client.permit().status == 503
    assert enrolling.confirm().status == 503
    assert server.said().count(WARNING) == warned + 1, server.said()
    ready = monitoring.get("/ready")
    assert ready.status == 503 and ready.body.startswith(b"clock: The database's clock is "), ready
    clock.set(0)
    good(enrolling.confirm())
    enrolling.finish("1234")
    good(enrolling.log_in("1234"))
    good(client.log_in("1234"))


def test_second_shares(server, clock):
    """a clock that is wrong only after the first shares were given out keeps back the second ones"""
    client, enrolling = server.enrolled("dora"), Client(server.wire(), "erin@example.org")
    good(enrolling.start(activateCode=server.code("erin@example.org")))
    secret = good(enrolling.wire.get(f"{enrolling.settings['signatureURL']}/{enrolling.mpin_id}"
                                     f"?regOTT={enrolling.reg_ott}")).json
    permit = good(client.wire.get(f"{client.settings['timePermitsURL']}/{client.mpin_id}")).json
    authority = client.settings["certivoxURL"]
    wanted = (f"{authority}clientSecret?{secret['params']}",
              f"{authority}timePermit?hash_mpin_id={permit['storageId']}&app_id={client.settings['appID']}"
              f"&mobile=1&signature={permit['signature']}")
    clock.set(70)
    try:
        # The first one is signed for a minute, and refused because of that.
        assert [client.wire.get(second).status for second in wanted] == [408, 503]
    finally:
        clock.set(0)
    for second in wanted:
        good(client.wire.get(second))


def test_tolerated(server, clock):
    """a difference of half a minute is tolerated"""
    client = server.enrolled("carol")
    clock.set(30)
    try:
        good(client.log_in("1234"))
    finally:
        clock.set(0)
