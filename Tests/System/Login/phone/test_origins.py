# SPDX-License-Identifier: Apache-2.0
# A server whose settings direct clients to another origin: administrators are told which one.
import subprocess

from doctor import Leads, Told, once
from house import PUBLIC, settings, site
from proxy import Proxy
from support import LOG, equal, within
from test_faults import PROXY


def test_foreign_origin():
    """doctor names the origin to which a server directs its clients, and how to trust it; a login with a PIN
    does not follow it"""
    once()
    named = ("an address at https://other.example.org:443, which is not trusted here",
             "'also-origin = https://other.example.org:443'")
    with Proxy(PROXY, PUBLIC, Leads("https://other.example.org/x")), settings(backend=f"unix:{PROXY}"):
        mark = LOG.mark()
        found = Told().about("server-untrusted")
        equal(len(found), 1, found)
        within(found[0]["message"] + found[0]["advice"], *named)
        within("".join(LOG.since(mark)), 'origin="https://other.example.org:443"')
        done = subprocess.run(["mpin", "test", "alice", "--pin-fd", "0"], input=site().alice, text=True,
                              capture_output=True, timeout=60)
        equal(done.returncode, 0, done.stderr)
