# SPDX-License-Identifier: Apache-2.0
# What a user waits for: a whole login by PAM, and its steps as `mpin test` reports them, for the bench.
import json
import statistics

import house
from distance import Distance

ROUND_TRIP = 0.030
PORT = 8444


def tested():
    """The report of one `mpin test`."""
    report = json.loads(house.run("mpin", "test", "alice", "--json",
                                  fds={"--pin-fd": house.site().alice + "\n"}))
    assert report["granted"], report
    return report


def steps(count):
    """Prints the median of each step; returns how many requests the server got in one login."""
    reports = [tested() for _ in range(count)]
    for index, step in enumerate(reports[0]["steps"]):
        of = statistics.median(report["steps"][index]["milliseconds"] for report in reports)
        print(f"    {step['step'] + ':':45}{of:6.1f} ms")
    whole = statistics.median(report["milliseconds"] for report in reports)
    print(f"    {'all steps (mpin test):':45}{whole:6.1f} ms")
    return sum(1 for step in reports[0]["steps"] if step.get("status") is not None)


def here(logins):
    """The login on this machine, over the Unix socket."""
    print(f"a login, server on this machine:  {logins(100)}")
    print(f"    {steps(30)} requests")


def far_away(logins, certificate, upstream):
    """The login over TLS at a server that a round trip of 30 ms separates from this host."""
    with Distance(PORT, upstream, ROUND_TRIP) as distance, \
            house.settings(f"ca-file = {certificate}", backend=f"https://localhost:{PORT}"):
        logins(3)
        before = distance.connections
        logins(1)
        connections = distance.connections - before
        print(f"a login over TLS, {ROUND_TRIP * 1000:.0f} ms away:    {logins(50)}")
        requests = steps(20)
        print(f"    {2 * connections + requests} round trips: {connections} connection(s), TLS each, "
              f"{requests} requests")
