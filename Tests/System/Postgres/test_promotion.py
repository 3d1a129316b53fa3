# SPDX-License-Identifier: Apache-2.0
# A database with a synchronous standby, whose machine ends while users log in.
import time

import pytest

from load import Load
from replicas import Site


@pytest.fixture
def site(programs):
    site = Site(programs)
    yield site
    site.close()


@pytest.fixture
def primary(site):
    """The cluster, which is removed when its standby has ended."""
    primary = site.cluster
    yield primary
    site.cluster.stop("immediate")
    site.cluster = primary


def test_promoted(site, primary):
    """when the primary dies and its standby is promoted, servers go on there, and nothing answered is lost"""
    standby = primary.standby("second")
    primary.waits_for("second")
    site.hosts = [primary.folder, standby.folder]
    servers = [site.server("one"), site.server("two")]
    for server in servers:
        server.start()
    with Load(servers, seconds=6) as load:
        time.sleep(2)
        # What is committed from now on never reaches the standby, so it must not be answered.
        standby.stop_receiving()
        time.sleep(1)
        primary.crash()
        standby.kill_receiver()
        standby.promote()
        site.cluster = standby
    assert load.granted > 0 and load.twice == 0, load
    assert load.statuses <= {200, 408, 503}, load
    assert load.kept() >= len(load.wrong) > 0, load
    assert load.recorded() >= load.granted, load
    with Load(servers, logins=50) as load:
        pass
    assert load.statuses == {200, 408} and load.twice == 0, load
    servers[1].enrolled("alice")
