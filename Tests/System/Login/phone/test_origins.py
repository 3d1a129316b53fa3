# SPDX-License-Identifier: Apache-2.0
# A server whose settings direct clients to another origin: administrators are told which one.
import json
import os
import subprocess
import tempfile

from doctor import Leads, Told, once
from house import PUBLIC, run, settings, site
from phones import ORIGIN, phones, unasked_front
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


def unsealed(server, more=""):
    """mpin.conf of a host at a Milagro server."""
    return settings(f"answer = unsealed\nca-file = {server.certificate}\n{more}", backend=ORIGIN)


def test_foreign_origin_unsealed():
    """at a Milagro server, where no login goes without the server's settings, doctor names the origin that is
    not trusted, and does not say that the server answers"""
    once()
    phones()
    with unasked_front(Leads("https://other.example.org/x")) as server, unsealed(server):
        found = Told().about("server-untrusted")
        equal(len(found), 1, found)
        within(found[0]["message"], "an address at https://other.example.org:443, which is not trusted here")
        equal(Told().about("server"), [])
    with unasked_front() as server, unsealed(server):
        equal(Told().about("server-untrusted"), [])
        equal(len(Told().about("server")), 1)


def test_unconfirmed_at_milagro():
    """a registration that waits at a Milagro server is not begun again, which would send another mail;
    nothing that is said speaks of mpind"""
    phones()
    with tempfile.TemporaryDirectory() as folder, unasked_front() as server, unsealed(server):
        os.chmod(folder, 0o755)
        for _ in range(3):
            told = json.loads(run("mpin", "enroll", "alice", "--identity", "alice@example.org", "--store",
                                  f"{folder}/store", "--json", status=1,
                                  fds={"--pin-fd": site().alice + "\n", "--code-fd": "\n"}))
            within(told["error"]["message"], "waits until this registration is confirmed", "by the mail")
            assert "mpind" not in told["error"]["message"], told
        equal(len([path for path in server.calls if path.startswith("/rps/user")]), 1)
        told = json.loads(run("mpin", "enroll", "alice", "--store", f"{folder}/store", "--json", status=2))
        within(told["error"]["message"], "--identity ID")
