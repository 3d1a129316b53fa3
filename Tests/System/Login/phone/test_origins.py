# SPDX-License-Identifier: Apache-2.0
# A server whose settings direct clients to another origin: administrators are told which one.
import subprocess

from doctor import Leads, Told, once
from house import PUBLIC, settings, site
from proxy import Proxy
from support import LOG, equal, within
from test_faults import PROXY


def test_foreign_origin():
    """doctor and test name the origin to which a server directs its clients, and how to trust it"""
    once()
    named = ("an address at https://other.example.org:443, which is not trusted here",
             "'also-origin = https://other.example.org:443'")
    with Proxy(PROXY, PUBLIC, Leads("https://other.example.org/x")), settings(backend=f"unix:{PROXY}"):
        found = Told().about("server-untrusted")
        equal(len(found), 1, found)
        within(found[0]["message"] + found[0]["advice"], *named)
        mark = LOG.mark()
        done = subprocess.run(["mpin", "test", "alice", "--pin-fd", "0"], input=site().alice, text=True,
                              capture_output=True, timeout=60)
        equal(done.returncode, 2, done.stderr)
        within(done.stderr, *named)
        within(LOG.since(mark)[-1], 'origin="https://other.example.org:443"')
